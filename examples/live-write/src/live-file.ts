/** A file that grows with a field of a call that is still being streamed. */

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { FieldDelta } from '@holdfast/stream-buffer';

export class LiveFile {
  readonly #descriptor: number;
  /** Bytes that were there before this call. */
  readonly #start: number;
  #end: number;

  /** @param start - the bytes that stay. */
  constructor(path: string, start: number) {
    this.#descriptor = openSync(path, start === 0 ? 'w' : 'r+');
    this.#start = start;
    this.#end = start;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#end;
  }

  write({ kind, text }: FieldDelta): void {
    if (kind === 'reset') {
      // What was given before is void.
      this.#end = this.#start;
      ftruncateSync(this.#descriptor, this.#start);
    }
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at, undefined, this.#end + at);
    this.#end += bytes.length;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
