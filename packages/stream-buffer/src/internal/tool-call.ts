/** One tool call: its name, its text, and the rule by which copies are left out. */

import type { ResolvedOptions } from '../options.js';
import { CallText } from './call-text.js';
import { type FragmentEffect, Readings } from './readings.js';

/** What the buffer holds of one call. */
export class ToolCall {
  readonly id: string;
  /** The provider has not given an id, so the buffer did. */
  readonly madeUp: boolean;
  /** The id that the provider gave later. */
  alias: string | undefined;
  name: string | undefined;
  /** The name came once more, alone, behind the finished text: what follows may be a further call of the same tool. */
  namedAgain = false;
  /** A piece or a fragment has come, be it empty: the call has a text. */
  started = false;
  finished = false;
  readonly #duplicates: ResolvedOptions['duplicates'];
  readonly #readings: Readings;
  #owner: string | undefined;
  #fragment = '';

  constructor(id: string, madeUp: boolean, options: ResolvedOptions) {
    this.id = id;
    this.madeUp = madeUp;
    this.#duplicates = options.duplicates;
    this.#readings = new Readings(() => new CallText(options, 'join'));
    if (options.duplicates !== 'proved') this.#readings.trustHost();
    if (options.duplicates === 'keep') this.text.restatements = 'join';
  }

  get text(): CallText {
    return this.#readings.text;
  }

  get copies(): number {
    return this.#readings.copies;
  }

  get revision(): number {
    return this.#readings.revision;
  }

  append(fragment: string, source: string | undefined): FragmentEffect {
    this.started = true;
    if (source !== undefined && !this.#admit(source)) return 'held';
    if (fragment === '') return 'appended';
    if (source === undefined && this.#isAdjacentCopy(fragment)) return 'held';
    return this.#readings.add(fragment);
  }

  /** Tells whether a fragment is the whole text once more, or a copy of the last fragment that is still to come. */
  isCopy(fragment: string): boolean {
    if (this.#duplicates === 'keep' || fragment === '') return false;
    const whole = fragment.length === this.text.length && fragment === this.text.value;
    return whole || this.#readings.expectsCopy(fragment);
  }

  /** Tells whether a source can only repeat this call, because another one owns it. */
  isForeign(source: string | undefined): boolean {
    return source !== undefined && this.#owner !== undefined && source !== this.#owner;
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
    if (this.#duplicates !== 'adjacent') return false;
    const equal = fragment === this.#fragment;
    this.#fragment = fragment;
    return equal;
  }
}
