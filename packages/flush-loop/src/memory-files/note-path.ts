/** Which names a model may give to a memory file, and where such a file is. */

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders above a file, and characters of one part of a path. */
const MAX_DEPTH = 4;
const MAX_PART_CHARS = 64;

/** What a rule gives: the parts of a good path, or the reason against it in words for a model. */
export type PathCheck =
  | { readonly kind: 'ok'; readonly parts: readonly string[] }
  | { readonly kind: 'refused'; readonly error: string };

const part = /^[A-Za-z0-9](?:[A-Za-z0-9._ -]*[A-Za-z0-9])?$/;
/** Names of devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * Judges a path as text: parts of ASCII letters, digits, `.`, `_`, `-` and inner blanks between slashes, ending in
 * `.md`. Such a name means the same file on every system, and cannot climb, be absolute or hidden, or name a device.
 */
export function checkNotePath(path: unknown): PathCheck {
  if (typeof path !== 'string' || path === '') return refused('It must be text such as "people/ada.md".');
  const parts = path.split('/');
  if (parts.length > MAX_DEPTH + 1) return refused(`It may have at most ${MAX_DEPTH} folders.`);
  for (const name of parts) {
    if (name.length > MAX_PART_CHARS) return refused(`Each name in it may have at most ${MAX_PART_CHARS} characters.`);
    if (!part.test(name) || name.includes('..')) {
      return refused(
        'Use names of letters, digits, "-", "_" and "." between slashes, relative, such as "people/ada.md".',
      );
    }
    if (device.test(name)) return refused('A name in it is reserved for a device. Use another.');
  }
  if (!/[A-Za-z0-9]\.md$/.test(path)) return refused('It must end in ".md".');
  return { kind: 'ok', parts };
}

/**
 * Judges a good path against what is on the disk: folders must be real folders, the file a real file or not there, and
 * no name may differ from an existing one by letter case alone. `root` is the real path of the memory's own folder.
 */
export async function locateNote(root: string, parts: readonly string[]): Promise<PathCheck> {
  let folder = root;
  for (const [index, name] of parts.entries()) {
    const names = await namesIn(folder);
    if (names === undefined) break;
    const twin = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
    if (twin !== undefined && !names.includes(name)) return refused(`There is "${twin}" already. Use that name.`);
    if (names.includes(name)) {
      const found = await lstat(join(folder, name));
      const isLast = index === parts.length - 1;
      if (isLast ? !found.isFile() : !found.isDirectory()) {
        return refused(
          `"${parts.slice(0, index + 1).join('/')}" is not a ${isLast ? 'file' : 'folder'} of the memory.`,
        );
      }
    }
    folder = join(folder, name);
  }
  return { kind: 'ok', parts };
}

async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function refused(error: string): PathCheck {
  return { kind: 'refused', error: `This path cannot be used. ${error}` };
}
