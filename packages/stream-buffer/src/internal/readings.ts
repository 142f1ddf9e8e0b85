/**
 * How many times does this stream say everything? Wrapped models emit each fragment two or three times in a row. The
 * opening fragment shows it: a JSON text hardly ever begins with the same fragment twice.
 *
 * Every number of copies that fits what has come is one reading, with a text of its own. The reading with the most
 * copies is believed; the others stay beside it until the grammar or the runs of equal fragments refute them.
 */

import type { CallText, PieceEffect } from './call-text.js';

/** More copies than this are never assumed. */
const maxCopies = 16;

interface Reading {
  /** Each fragment comes this many times; one of them is kept. */
  readonly copies: number;
  readonly text: CallText;
}

/** What became of a fragment: as for a text, or held back as a copy. */
export type FragmentEffect = PieceEffect | 'held';

/** The readings of one call's fragments. The first is believed. */
export class Readings {
  readonly #newText: () => CallText;
  #readings: [Reading, ...Reading[]];
  /** While only the opening fragment has come, however often, one of it is kept. */
  #opening = true;
  /** The fragment that came last, and how often it has come in a row. */
  #fragment = '';
  #run = 0;
  #corrections = 0;

  /** @param newText - makes an empty text that joins everything on. */
  constructor(newText: () => CallText) {
    this.#newText = newText;
    this.#readings = [{ copies: Number.POSITIVE_INFINITY, text: believed(newText()) }];
  }

  get text(): CallText {
    return this.#readings[0].text;
  }

  /** How many times the stream says everything, as far as it has shown. */
  get copies(): number {
    return this.#opening ? Math.max(1, this.#run) : this.#readings[0].copies;
  }

  /** Rises whenever the believed text becomes one that does not begin with the text before. */
  get revision(): number {
    return this.#corrections + this.text.replacements;
  }

  /** Takes the next fragment, which is not empty. */
  add(fragment: string): FragmentEffect {
    if (this.#isSettledOnOneCopy()) return this.text.add(fragment);
    if (fragment === this.#fragment) {
      this.#run++;
    } else {
      this.#closeRun();
      this.#fragment = fragment;
      this.#run = 1;
    }
    let effect: FragmentEffect = 'held';
    for (const reading of this.#readings) {
      if ((this.#run - 1) % reading.copies !== 0) continue;
      const taken = reading.text.add(fragment);
      if (reading === this.#readings[0]) effect = taken;
    }
    this.#dropRefuted();
    return effect;
  }

  /** The host knows which fragments are copies: from now on none is taken for one. */
  trustHost(): void {
    this.#opening = false;
    this.#readings = [{ copies: 1, text: this.text }];
  }

  /** No more fragments: keeps the reading under which the text is whole, else one that is lawful, else the first. */
  settle(): void {
    if (this.#run === 0 || this.#isSettledOnOneCopy()) return;
    if (this.#opening) this.#closeOpening();
    const chosen =
      this.#readings.find(({ text }) => text.closed) ??
      this.#readings.find(({ text }) => text.lawful) ??
      this.#readings[0];
    this.#believe([chosen]);
  }

  #isSettledOnOneCopy(): boolean {
    return this.#readings.length === 1 && this.#readings[0].copies === 1;
  }

  #closeRun(): void {
    if (this.#run === 0) return;
    if (this.#opening) {
      this.#closeOpening();
      return;
    }
    // A run that contradicts the copies leaves their greatest common divisor, unless the grammar has refuted that.
    this.#believe(this.#readings.filter(({ copies }) => this.#run % copies === 0));
  }

  #closeOpening(): void {
    this.#opening = false;
    const counts = Array.from({ length: maxCopies }, (_, index) => maxCopies - index);
    this.#believe(counts.filter((count) => this.#run % count === 0).map((count) => this.#readOpening(count)));
    this.#dropRefuted();
  }

  #readOpening(copies: number): Reading {
    if (copies === this.#run) return { copies, text: this.text };
    const text = this.#newText();
    for (let kept = 0; kept < this.#run / copies; kept++) text.add(this.#fragment);
    return { copies, text };
  }

  #believe([first, ...others]: readonly Reading[]): void {
    if (first === undefined) return;
    if (first.text !== this.text) this.#corrections = this.revision + 1;
    this.#readings = [first, ...others];
    believed(first.text);
  }

  /** A reading that breaks the grammar is refuted by one that does not. */
  #dropRefuted(): void {
    const [first, ...others] = this.#readings;
    if (others.length > 0 && first.text.lawful) this.#readings = [first, ...others.filter(({ text }) => text.lawful)];
  }
}

/** Only the believed text may take a piece for a restatement: a rival would explain the copies away with it. */
function believed(text: CallText): CallText {
  text.restatements = 'recognise';
  return text;
}
