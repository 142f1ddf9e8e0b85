/** Looks at the input before anything runs, so that a wrong file ends the demo with one clear sentence. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { group, oneLine } from './screen/text.js';

/** What one stored tool output may hold by Holdfast's default; a longer file would be clipped there. */
export const MAX_INPUT_BYTES = 400_000;

export interface InputFile {
  readonly path: string;
  /** The name by which the model knows it. */
  readonly name: string;
  readonly bytes: number;
  readonly text: string;
  readonly sha256: string;
}

export type InputCheck =
  | { readonly ok: true; readonly file: InputFile }
  | { readonly ok: false; readonly message: string };

export function checkInput(given: string): InputCheck {
  const path = resolve(given);
  const refuse = (why: string): InputCheck => ({ ok: false, message: `Cannot use the input ${path}: ${why}` });
  let content: Buffer;
  try {
    const entry = statSync(path);
    if (entry.isDirectory()) return refuse('it is a directory. Name a text file.');
    if (!entry.isFile()) return refuse('it is not a regular file. Name a text file.');
    if (entry.size > MAX_INPUT_BYTES) {
      return refuse(`it has ${group(entry.size)} bytes; the limit is ${group(MAX_INPUT_BYTES)}.`);
    }
    content = readFileSync(path);
  } catch (error) {
    return refuse(reason(error));
  }
  if (content.length === 0) return refuse('it is empty. There is nothing to report on.');
  const zero = content.indexOf(0);
  if (zero !== -1) return refuse(`it is not text: there is a zero byte at offset ${group(zero)}.`);
  const text = decode(content);
  if (text === undefined) return refuse('it is not UTF-8 text. Convert it to UTF-8 or name another file.');
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { ok: true, file: { path, name: nameOf(path), bytes: content.length, text, sha256 } };
}

// The model is told the name in one line of its task.
function nameOf(path: string): string {
  return oneLine(basename(path)).trim() || 'input';
}

// The byte order mark is kept: the report has to equal the file byte for byte.
function decode(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file.';
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not read it.';
  return (error as Error).message;
}
