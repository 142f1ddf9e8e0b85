/** Notes in Markdown files under one folder: append, read, list; every answer is data for a model. */

import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { compareCodeUnits, cutPosition, describeValue } from '@holdfast/kernel';
import { FileLockTimeout, withFileLock } from './file-lock.js';
import { MemoryFilesError } from './memory-files-error.js';
import { checkNote, hasNote, noteEntry } from './note.js';
import { extendNoteFile, makeNoteFile, type NoteFileText, readNoteFile } from './note-file.js';
import { checkNotePath, locateNote } from './note-path.js';

/** The limits of a memory. All are whole numbers from 1. */
export interface MemoryFilesOptions {
  /** Characters of one note. Default 8,000. */
  readonly maxNoteChars?: number;
  /** Bytes of one file. Default 1,000,000. One that a person made larger is read up to 10,000,000 bytes. */
  readonly maxFileBytes?: number;
  /** Files under the folder, and names that `list` gives. Default 1,000. */
  readonly maxFiles?: number;
  /** Characters that one `read` gives. Default 20,000. */
  readonly maxReadChars?: number;
  /** The time above each note. Default: the calendar of this machine. */
  readonly now?: () => Date;
}

/** A verb that did not do what it was asked to, in words that a model can act on. Nothing was written. */
export interface MemoryRefusal {
  readonly ok: false;
  readonly error: string;
  readonly path?: string;
}

/** The answer to `append`. */
export type AppendOutcome = { readonly ok: true; readonly path: string; readonly bytes: number } | MemoryRefusal;

/** The answer to `read`: a part of a file, and where to go on. */
export type ReadOutcome =
  | {
      readonly ok: true;
      readonly path: string;
      readonly text: string;
      readonly from: number;
      readonly totalChars: number;
      /** The `from` of the next part; absent at the end. */
      readonly next?: number;
    }
  | MemoryRefusal;

/** The answer to `list`. */
export type ListOutcome =
  | {
      readonly ok: true;
      readonly files: readonly { readonly path: string; readonly bytes: number }[];
      /** How many more files there are. */
      readonly more?: number;
    }
  | MemoryRefusal;

/** A memory of Markdown files. Arguments are a model's: whatever they are, the verbs answer and never throw. */
export interface MemoryFiles {
  /** The real path of the folder. */
  readonly directory: string;
  /** Adds a note at the end of a file. A note that stands in the file already is refused. On the disk when it answers. */
  append(path: unknown, text: unknown): Promise<AppendOutcome>;
  /** Reads a file from a character on. */
  read(path: unknown, from?: unknown): Promise<ReadOutcome>;
  /** Lists the files, by path in code unit order. */
  list(): Promise<ListOutcome>;
}

interface Memory extends Required<Omit<MemoryFilesOptions, 'now'>> {
  readonly root: string;
  readonly now: () => Date;
}

const DEFAULTS = { maxNoteChars: 8_000, maxFileBytes: 1_000_000, maxFiles: 1_000, maxReadChars: 20_000 };
const LOCK_NAME = '.lock';

/**
 * Opens a folder as a memory and makes it where it is missing. Only files below its real path are ever touched.
 * Many processes of one machine may share it: an append holds the file `.lock` in the folder. The lock of a process
 * that was killed is taken over, but not one left by another host or container: remove it when appends say that
 * another process holds it.
 *
 * @throws {MemoryFilesError} ERR_HOLDFAST_MEMORY_FILES when the folder cannot be made or is none, and for bad options.
 */
export async function openMemoryFiles(directory: string, options: MemoryFilesOptions = {}): Promise<MemoryFiles> {
  const memory: Memory = { ...readOptions(options), root: await openFolder(directory) };
  return {
    directory: memory.root,
    append: (path, text) => answer(path, () => append(memory, path, text)),
    read: (path, from = 0) => answer(path, () => read(memory, path, from)),
    list: () => answer(undefined, () => list(memory)),
  };
}

function readOptions({ now = () => new Date(), ...given }: MemoryFilesOptions): Omit<Memory, 'root'> {
  const limits = { ...DEFAULTS, ...given };
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    if (Number.isSafeInteger(limits[name]) && limits[name] >= 1) continue;
    throw new MemoryFilesError(`${name} must be a whole number from 1; got ${describeValue(limits[name])}.`);
  }
  return { ...limits, now };
}

async function openFolder(directory: string): Promise<string> {
  if (typeof directory !== 'string' || directory === '') {
    throw new MemoryFilesError(`The folder of a memory must be a path; got ${describeValue(directory)}.`);
  }
  try {
    await mkdir(directory, { recursive: true });
    return await realpath(directory);
  } catch (cause) {
    throw new MemoryFilesError(`The folder ${directory} cannot be made or is no folder.`, { cause });
  }
}

/** Turns what the disk throws into an answer; the model does not learn where on the disk the memory is. */
async function answer<T>(path: unknown, work: () => Promise<T | MemoryRefusal>): Promise<T | MemoryRefusal> {
  const about = typeof path === 'string' ? { path } : {};
  try {
    const given = await work();
    return isRefusal(given) ? { ...given, ...about } : given;
  } catch (error) {
    const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
    const reason =
      error instanceof FileLockTimeout
        ? `another process holds the lock "${LOCK_NAME}" of the memory`
        : (REASONS[code] ?? `the disk answered ${code}`);
    return { ok: false, error: `Nothing was done: ${reason}.`, ...about };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the disk takes no larger file',
  EACCES: 'the memory may not be touched',
  EPERM: 'the memory may not be touched',
  EROFS: 'the memory is read-only',
  ENOENT: 'there is no such file; the list tool shows those that exist',
  ENOTDIR: 'the folder of the memory is not there',
  ELOOP: 'the path is a link',
  ERR_FS_FILE_TOO_LARGE: 'the file is too large to be read',
};

function isRefusal(value: unknown): value is MemoryRefusal {
  return (value as { readonly ok?: unknown }).ok === false;
}

/** The place of a file that a model named, or the refusal. */
async function place({ root }: Memory, path: unknown): Promise<string | MemoryRefusal> {
  const named = checkNotePath(path);
  const found = named.kind === 'ok' ? await locateNote(root, named.parts) : named;
  return found.kind === 'ok' ? join(root, ...found.parts) : { ok: false, error: found.error };
}

async function append(memory: Memory, path: unknown, text: unknown): Promise<AppendOutcome> {
  const refusal = checkNote(text, memory.maxNoteChars);
  if (refusal !== undefined) return { ok: false, error: refusal };
  const named = checkNotePath(path);
  if (named.kind === 'refused') return { ok: false, error: named.error };
  // One lock for the whole folder: limits and names that differ by case alone concern all files of it.
  return withFileLock(join(memory.root, LOCK_NAME), async () => {
    const file = await place(memory, path);
    if (typeof file !== 'string') return file;
    const before = await readNoteFile(file, memory.maxFileBytes).catch(absent);
    if (before === undefined && (await notePaths(memory)).length >= memory.maxFiles) {
      return { ok: false, error: `The memory holds its limit of ${memory.maxFiles} files. Write to one that exists.` };
    }
    const entry = nextEntry(memory, before ?? { text: '', bytes: 0 }, text as string);
    if (typeof entry !== 'string') return entry;
    const bytes =
      before === undefined ? await makeNoteFile(memory.root, file, entry) : await extendNoteFile(file, entry);
    return { ok: true, path: path as string, bytes };
  });
}

/** What is to be written behind `before`, or why nothing is. */
function nextEntry({ maxFileBytes, now }: Memory, before: NoteFileText, text: string): string | MemoryRefusal {
  if (hasNote(before.text, text)) {
    return { ok: false, error: 'This note is written already, word for word. Nothing was added.' };
  }
  const entry = noteEntry(before.text, text, now());
  if (before.bytes + Buffer.byteLength(entry) <= maxFileBytes) return entry;
  const left = Math.max(0, maxFileBytes - before.bytes);
  return { ok: false, error: `The file has ${left} of ${maxFileBytes} bytes left. Use another file or write less.` };
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

async function read(memory: Memory, path: unknown, from: unknown): Promise<ReadOutcome> {
  if (!Number.isSafeInteger(from) || (from as number) < 0) {
    return { ok: false, error: 'from must be a whole number of characters, from 0.' };
  }
  const file = await place(memory, path);
  if (typeof file !== 'string') return file;
  const { text: whole } = await readNoteFile(file, memory.maxFileBytes);
  const start = cutPosition(whole, from as number);
  const end = cutPosition(whole, Math.max(start + 2, start + memory.maxReadChars));
  const part = { ok: true, path: path as string, text: whole.slice(start, end), from: start } as const;
  return { ...part, totalChars: whole.length, ...(end < whole.length && { next: end }) };
}

async function list(memory: Memory): Promise<ListOutcome> {
  const paths = await notePaths(memory);
  const shown = paths.slice(0, memory.maxFiles);
  const files = await Promise.all(
    shown.map(async (path) => ({ path, bytes: (await lstat(join(memory.root, path))).size })),
  );
  return { ok: true, files, ...(paths.length > shown.length && { more: paths.length - shown.length }) };
}

/** The real files below the folder whose names a model could use. */
async function notePaths({ root }: Memory): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => checkNotePath(path).kind === 'ok')
    .sort(compareCodeUnits);
}
