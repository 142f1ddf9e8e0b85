/** One tool call: its name, its text, and the rule by which copies are left out. */

import type { ResolvedOptions } from '../options.js';
import { CallText } from './call-text.js';
import { type FragmentEffect, Readings } from './readings.js';

/** What became of a fragment: as for a reading, or refused by the limit of characters. */
export type AppendEffect = FragmentEffect | 'refused';

/** What the buffer holds of one call. */
export class ToolCall {
  readonly id: string;
  name: string | undefined;
  /** A fragment has come, be it empty: the call has a text. */
  started = false;
  finished = false;
  readonly #options: ResolvedOptions;
  readonly #readings: Readings;
  #owner: string | undefined;
  #fragment = '';
  #limited = false;

  constructor(id: string, options: ResolvedOptions) {
    this.id = id;
    this.#options = options;
    this.#readings = new Readings(() => new CallText(options.maxDepth, 'join'));
    if (options.duplicates !== 'proved') this.#readings.trustHost();
    if (options.duplicates === 'keep') this.text.restatements = 'join';
  }

  get text(): CallText {
    return this.#readings.text;
  }

  get copies(): number {
    return this.#readings.copies;
  }

  /** Rises whenever the text becomes one that does not begin with the text before. */
  get revision(): number {
    return this.#readings.switches + this.text.replacements;
  }

  /** Part of the text was refused, because it would have passed the limit of characters. */
  get limited(): boolean {
    return this.#limited;
  }

  /** Nothing but blanks, or a closed root value: the text may end here. */
  get mayEnd(): boolean {
    return this.text.scanner.blank || this.text.scanner.closed;
  }

  append(fragment: string, source: string | undefined): AppendEffect {
    this.started = true;
    if (source !== undefined && !this.#admit(source)) return 'held';
    if (fragment === '') return 'appended';
    if (source === undefined && this.#isAdjacentCopy(fragment)) return 'held';
    if (this.#limited || this.text.length + fragment.length > this.#options.maxCharactersPerCall) {
      this.#limited = true;
      return 'refused';
    }
    return this.#readings.add(fragment);
  }

  /** Tells whether a fragment can only be a copy of what has come: another source's, or the whole text once more. */
  isCopy(fragment: string, source: string | undefined): boolean {
    if (source !== undefined && this.#owner !== undefined) return source !== this.#owner;
    if (this.#options.duplicates === 'keep' || fragment === '') return false;
    return fragment.length === this.text.length && fragment === this.text.value;
  }

  finish(): void {
    this.finished = true;
    this.#readings.settle();
  }

  /** The first source that is named owns the call; every other one repeats it. */
  #admit(source: string): boolean {
    if (this.#owner === undefined) {
      this.#owner = source;
      this.#readings.trustHost();
    }
    return source === this.#owner;
  }

  #isAdjacentCopy(fragment: string): boolean {
    if (this.#options.duplicates !== 'adjacent') return false;
    const equal = fragment === this.#fragment;
    this.#fragment = fragment;
    return equal;
  }
}
