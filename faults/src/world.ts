/** The outside world: a file that many processes append to. It counts what happened, and never deduplicates. */

import { appendFileSync, closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { StrikePoint } from './calls.js';

export type Entry =
  | { readonly what: 'call'; readonly call: string; readonly key: string }
  | { readonly what: 'effect'; readonly call: string; readonly key: string; readonly part: string }
  | { readonly what: 'strike'; readonly call: string; readonly key: string; readonly point: StrikePoint }
  | { readonly what: 'verdict'; readonly call: string; readonly key: string; readonly verdict: string }
  /** `value` names the call that ran each part; `remainingMs` is what a busy call was told. */
  | {
      readonly what: 'end';
      readonly call: string;
      readonly key: string;
      readonly kind: string;
      readonly value?: readonly string[];
      readonly remainingMs?: number;
    };

export class World {
  readonly path: string;
  readonly #file: number;

  constructor(path: string) {
    this.path = path;
    appendFileSync(path, '');
    this.#file = openSync(path, 'a');
  }

  /** One write to the end of the file, which survives the process. */
  add(entry: Entry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  read(): Entry[] {
    const lines = readFileSync(this.path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Entry);
  }

  /** The call that ran each part of `key`, if all of them ran. */
  resultOf(key: string, parts: readonly string[]): readonly string[] | undefined {
    const ran = new Map<string, string>();
    for (const entry of this.read()) if (entry.what === 'effect' && entry.key === key) ran.set(entry.part, entry.call);
    const result = parts.map((part) => ran.get(part));
    return result.every((call) => call !== undefined) ? result : undefined;
  }

  close(): void {
    closeSync(this.#file);
  }
}
