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
  /** While only the opening fragment has come, however often, one of it is kept. */
  #opening = true;
  #readings: [Reading, ...Reading[]];
  #fragment = '';
  #run = 0;
  #switches = 0;

  /** @param newText - makes an empty text that joins everything on. */
  constructor(newText: () => CallText) {
    this.#newText = newText;
    this.#readings = [{ copies: Number.POSITIVE_INFINITY, text: believed(newText()) }];
  }

  get text(): CallText {
    return this.#readings[0].text;
  }

  /** How many times the stream says everything, as far as is known. */
  get copies(): number {
    return this.#opening ? Math.max(1, this.#run) : this.#readings[0].copies;
  }

  /** How often another reading took over. */
  get switches(): number {
    return this.#switches;
  }

  /** Takes the next fragment, which is not empty. */
  add(fragment: string): FragmentEffect {
    if (this.#settledOnOne()) return this.text.add(fragment);
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

  /** No more fragments: of the readings that are left, keeps the one under which the text is whole, or else lawful. */
  settle(): void {
    if (this.#settledOnOne()) return;
    if (this.#opening) this.#closeOpening();
    const chosen =
      this.#readings.find(({ text }) => text.scanner.closed) ??
      this.#readings.find(({ text }) => !text.scanner.broken) ??
      this.#readings[0];
    this.#believe([chosen]);
  }

  #settledOnOne(): boolean {
    return this.#readings.length === 1 && this.#readings[0].copies === 1;
  }

  #closeRun(): void {
    if (this.#run === 0) return;
    if (this.#opening) return this.#closeOpening();
    // What is left after a run that contradicts the copies is their greatest common divisor, unless it was refuted.
    const [first, ...others] = this.#readings.filter(({ copies }) => this.#run % copies === 0);
    if (first !== undefined) this.#believe([first, ...others]);
  }

  #closeOpening(): void {
    this.#opening = false;
    const copies = Array.from({ length: maxCopies }, (_, index) => maxCopies - index);
    const [first, ...others] = copies.filter((count) => this.#run % count === 0).map((count) => this.#read(count));
    if (first !== undefined) this.#believe([first, ...others]);
    this.#dropRefuted();
  }

  /** The opening fragment under one number of copies. */
  #read(copies: number): Reading {
    if (this.#run === copies) return { copies, text: this.text };
    const text = this.#newText();
    for (let kept = 0; kept < this.#run / copies; kept++) text.add(this.#fragment);
    return { copies, text };
  }

  #believe(readings: [Reading, ...Reading[]]): void {
    if (readings[0].text !== this.text) this.#switches++;
    this.#readings = readings;
    believed(readings[0].text);
  }

  /** A reading that breaks the grammar is refuted by one that does not. */
  #dropRefuted(): void {
    const [first, ...others] = this.#readings;
    if (others.length === 0 || first.text.scanner.broken) return;
    this.#readings = [first, ...others.filter(({ text }) => !text.scanner.broken)];
  }
}

/** Only the believed text may take a piece for a restatement: a rival would explain the copies away with it. */
function believed(text: CallText): CallText {
  text.restatements = 'recognise';
  return text;
}
