/** Replaces the placeholders of one set of arguments within a limit, and notes the references that stay. */

import type { UnresolvedReason } from '../events.js';
import type { FinishedTexts, Stays } from './finished-texts.js';
import { nextPlaceholder, type Placeholder } from './placeholder.js';

/** Reads a stored output. */
export type OutputLookup = (key: string) => string | undefined;

interface Replacement {
  readonly replaced: string;
  readonly stays: Stays | undefined;
}

export class Replacer {
  readonly #lookup: OutputLookup;
  readonly #finished: FinishedTexts | undefined;
  readonly #escapedOutputs = new Map<string, string>();
  readonly #unresolved = new Map<string, UnresolvedReason>();
  /** Texts that this pass has made. To itself they are no earlier work: the model may have written the same elsewhere. */
  readonly #made = new Map<string, Stays>();
  #room: number;

  /** @param room Characters by which the arguments may still grow; negative when they come too long already. */
  constructor(lookup: OutputLookup, room: number, finished: FinishedTexts | undefined) {
    this.#lookup = lookup;
    this.#room = room;
    this.#finished = finished;
  }

  /** Ends the pass. Gives the references that stay in place, in order of first use. */
  end(): Stays {
    for (const [text, stays] of this.#made) this.#finished?.add(text, stays);
    return this.#unresolved;
  }

  /** Replaces in a string value. */
  replaceText(text: string): string {
    if (this.#isFinished(text)) return text;
    const { replaced, stays } = this.#replace(text, (_key, output) => output);
    if (replaced !== text) this.#finish(replaced, stays);
    return replaced;
  }

  /** Replaces in a string of a JSON text, quotes included. It comes back as it was written if nothing changes. */
  replaceJsonString(written: string): string {
    // Of all escapes only \u can spell a character of a placeholder.
    const plain = written.includes('\\u') ? JSON.stringify(JSON.parse(written)) : written;
    if (!nextPlaceholder(plain, 0)) return written;
    if (this.#finished && this.#isFinished(JSON.parse(plain) as string)) return written;
    this.#room -= Math.max(0, plain.length - written.length);
    const { replaced, stays } = this.#replace(plain, (key, output) => this.#escape(key, output));
    if (replaced === plain) return written;
    if (this.#finished) this.#finish(JSON.parse(replaced) as string, stays);
    return replaced;
  }

  /** One pass from left to right: what is inserted is never looked at. */
  #replace(text: string, encode: (key: string, output: string) => string): Replacement {
    let replaced = '';
    let position = 0;
    let stays: Map<string, UnresolvedReason> | undefined;
    for (let found = nextPlaceholder(text, 0); found; found = nextPlaceholder(text, found.end)) {
      const output = this.#lookup(found.key);
      const isData = this.#finished?.spells(found.key);
      const inserted = output === undefined || isData ? undefined : encode(found.key, output);
      if (inserted !== undefined && this.#takeRoom(found, inserted)) {
        replaced += text.slice(position, found.start) + inserted;
        position = found.end;
      } else {
        stays ??= new Map();
        stays.set(found.key, isData ? 'inserted' : output === undefined ? 'missing' : 'limit');
      }
    }
    this.#note(stays);
    return { replaced: position === 0 ? text : replaced + text.slice(position), stays };
  }

  #takeRoom(placeholder: Placeholder, inserted: string): boolean {
    const growth = inserted.length - (placeholder.end - placeholder.start);
    if (growth > 0 && growth > this.#room) return false;
    this.#room -= growth;
    return true;
  }

  #escape(key: string, output: string): string {
    let escaped = this.#escapedOutputs.get(key);
    if (escaped === undefined) {
      escaped = JSON.stringify(output).slice(1, -1);
      this.#escapedOutputs.set(key, escaped);
    }
    return escaped;
  }

  #note(stays: Stays | undefined): void {
    for (const [key, reason] of stays ?? []) this.#unresolved.set(key, reason);
  }

  /** Tells whether a text is the outcome of an earlier resolution. What stays in it is reported again. */
  #isFinished(text: string): boolean {
    const stays = this.#finished?.get(text);
    this.#note(stays);
    return stays !== undefined;
  }

  #finish(text: string, stays: Stays | undefined): void {
    if (this.#finished && nextPlaceholder(text, 0)) this.#made.set(text, stays ?? new Map());
  }
}
