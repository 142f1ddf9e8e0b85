/** The one directory below which a run writes. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export type PreparedDirectory =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly message: string };

/** Makes the named directory, or a fresh temporary one. One that holds anything is refused: it may be an earlier run's. */
export function prepareDirectory(named: string | undefined): PreparedDirectory {
  try {
    if (named === undefined) return { ok: true, path: mkdtempSync(join(tmpdir(), 'holdfast-demo-')) };
    const path = resolve(named);
    makeDirectory(path);
    if (readdirSync(path).length === 0) return { ok: true, path };
    return { ok: false, message: `Cannot write below ${path}: it is not empty. Name an empty or a new directory.` };
  } catch (error) {
    return { ok: false, message: `Cannot write below ${named ?? tmpdir()}: ${(error as Error).message}` };
  }
}

/** Node's own `recursive` never comes back where a file system takes no new directories, as `/proc` does not. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  mkdirSync(path);
}
