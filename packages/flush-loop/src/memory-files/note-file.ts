/** One file of notes on the disk: read as a whole, made with its first note, made longer by one. */

import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file as text, and its size, which is another than the text's where a person left invalid UTF-8. */
export interface NoteFileText {
  readonly text: string;
  readonly bytes: number;
}

/** A person may have made a file larger than the limit of the memory; up to this size it can be read nevertheless. */
const MAX_READ_BYTES = 10_000_000;
/** Where the platform knows it, a file that is a symbolic link is not opened. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

class FileTooLarge extends Error {
  readonly code = 'ERR_FS_FILE_TOO_LARGE';
}

export async function readNoteFile(file: string, maxFileBytes: number): Promise<NoteFileText> {
  const handle = await open(file, constants.O_RDONLY | NO_FOLLOW);
  try {
    const { size } = await handle.stat();
    if (size > Math.max(maxFileBytes, MAX_READ_BYTES)) throw new FileTooLarge();
    const whole = await handle.readFile();
    return { text: whole.toString('utf8'), bytes: whole.length };
  } finally {
    await handle.close();
  }
}

/** Makes the file and its folders below `root`, and gives its size once all of it is on the disk. */
export async function makeNoteFile(root: string, file: string, entry: string): Promise<number> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600);
  return takeBackOnError(
    handle,
    () => unlink(file),
    async () => {
      await handle.appendFile(entry);
      await handle.sync();
      await syncFolders(root, dirname(file));
    },
  );
}

/** Adds the entry at the end of a file that is there, and gives its size once both are on the disk. */
export async function extendNoteFile(file: string, entry: string): Promise<number> {
  const handle = await open(file, constants.O_WRONLY | constants.O_APPEND | NO_FOLLOW);
  const { size } = await handle.stat();
  return takeBackOnError(
    handle,
    () => handle.truncate(size),
    async () => {
      await handle.appendFile(entry);
      await handle.sync();
    },
  );
}

/** A full disk takes a part of a note; what was there before is what shall be there. */
async function takeBackOnError(
  handle: FileHandle,
  takeBack: () => Promise<void>,
  write: () => Promise<void>,
): Promise<number> {
  try {
    await write();
    return (await handle.stat()).size;
  } catch (error) {
    await takeBack().catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
}

/** A new name is on the disk once its folder is, up to the root. Windows has no such call for folders. */
async function syncFolders(root: string, folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
  if (folder !== root) await syncFolders(root, dirname(folder));
}
