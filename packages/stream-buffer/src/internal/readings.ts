/**
 * How many times does this stream say everything? Wrapped models emit each fragment two or three times in a row. The
 * opening fragment shows it: a JSON text hardly ever begins with the same fragment twice.
 *
 * Every number of copies that fits what has come is one reading, with a text of its own. The reading with the most
 * copies is believed; the others stay beside it until the grammar or the runs of equal fragments refute them.
 */

import { CallText, type PieceEffect, type TextSettings, type TextState } from './call-text.js';

/** More copies than this are never assumed. */
const maxCopies = 16;
/** How often a text is read again because its copies have become irregular; each time costs its length. */
const maxForks = 4;
/** So many regular runs after an irregular one show that a single copy got lost. */
const regularRuns = 3;

interface Reading {
  /** Each fragment comes this many times; one of them is kept. */
  readonly copies: number;
  readonly text: CallText;
}

/** A fragment that came several times in a row. */
interface Run {
  readonly fragment: string;
  readonly times: number;
}

/** The readings as plain data. Endless copies are `null`. */
export interface ReadingsState {
  readonly readings: readonly { readonly copies: number | null; readonly text: TextState }[];
  readonly opening: boolean;
  readonly lead: readonly Run[];
  readonly fragment: string;
  readonly run: number;
  readonly forks: number;
  readonly runsSinceFork: number;
  readonly corrections: number;
}

/** What became of a fragment: as for a text, or held back as a copy. */
export type FragmentEffect = PieceEffect | 'held';

/** The readings of one call's fragments. The first is believed. */
export class Readings {
  readonly #settings: TextSettings;
  #readings: readonly [Reading, ...Reading[]];
  /** The text of the reading that is believed. */
  #text: CallText;
  /** That reading is the only one, and of one copy: most streams, from their second fragment on. */
  #settled = false;
  /** While only the opening fragment has come, however often, one of it is kept. */
  #opening = true;
  /** Fragments of blanks before the opening one: they may lawfully come any number of times. */
  #lead: Run[] = [];
  /** The fragment that came last, and how often it has come in a row. */
  #fragment = '';
  #run = 0;
  #forks = 0;
  #runsSinceFork = 0;
  #corrections = 0;

  constructor(settings: TextSettings) {
    this.#settings = settings;
    this.#text = believed(new CallText(settings, 'join'));
    this.#readings = [{ copies: Number.POSITIVE_INFINITY, text: this.#text }];
  }

  /** @returns `undefined` if there is no reading. */
  static restore(settings: TextSettings, state: ReadingsState): Readings | undefined {
    const readings = new Readings(settings);
    const [first, ...others] = state.readings.map(({ copies, text }) => ({
      copies: copies ?? Number.POSITIVE_INFINITY,
      text: CallText.restore(settings, text),
    }));
    if (first === undefined) return undefined;
    readings.#keep([first, ...others]);
    readings.#opening = state.opening;
    readings.#lead = [...state.lead];
    readings.#fragment = state.fragment;
    readings.#run = state.run;
    readings.#forks = state.forks;
    readings.#runsSinceFork = state.runsSinceFork;
    readings.#corrections = state.corrections;
    return readings;
  }

  get state(): ReadingsState {
    return {
      readings: this.#readings.map(({ copies, text }) => ({
        copies: Number.isFinite(copies) ? copies : null,
        text: text.state,
      })),
      opening: this.#opening,
      lead: this.#lead,
      fragment: this.#fragment,
      run: this.#run,
      forks: this.#forks,
      runsSinceFork: this.#runsSinceFork,
      corrections: this.#corrections,
    };
  }

  get text(): CallText {
    return this.#text;
  }

  /** How many times the stream says everything, as far as it has shown. */
  get copies(): number {
    return this.#opening ? Math.max(1, this.#run) : this.#readings[0].copies;
  }

  /** Rises whenever the believed text becomes one that does not begin with the text before. */
  get revision(): number {
    return this.#corrections + this.text.replacements;
  }

  /** Tells whether the stream, as it has shown itself, has yet to say the last fragment again. */
  expectsCopy(fragment: string): boolean {
    return fragment === this.#fragment && this.#run % this.copies !== 0;
  }

  /** Takes the next fragment, which is not empty. */
  add(fragment: string): FragmentEffect {
    return this.#settled ? this.#text.add(fragment) : this.#addToEach(fragment);
  }

  #addToEach(fragment: string): FragmentEffect {
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
    this.#keep([{ copies: 1, text: this.text }]);
  }

  /** No more fragments: keeps the reading under which the text is whole, else one that is lawful, else the first. */
  settle(): void {
    if (this.#run === 0 || this.#settled) return;
    if (this.#opening) this.#closeOpening();
    // One irregular run may be a last copy that is missing; a second one is a stream that has changed.
    else if (this.#forks > 0) this.#believe(this.#consistent());
    const chosen =
      this.#readings.find(({ text }) => text.closed) ??
      this.#readings.find(({ text }) => text.lawful) ??
      this.#readings[0];
    this.#believe([chosen]);
  }

  #keep(readings: readonly [Reading, ...Reading[]]): void {
    const [first, ...others] = readings;
    this.#readings = readings;
    this.#text = first.text;
    this.#settled = first.copies === 1 && others.length === 0;
  }

  #closeRun(): void {
    if (this.#run === 0) return;
    if (this.#opening) {
      if (isBlankText(this.#fragment)) this.#lead.push({ fragment: this.#fragment, times: this.#run });
      else this.#closeOpening();
      return;
    }
    // A run that contradicts the copies leaves their greatest common divisor, unless the grammar has refuted that.
    const consistent = this.#consistent();
    if (consistent.length === 0) this.#fork();
    else if (this.#forks > 0 && ++this.#runsSinceFork >= regularRuns) this.#believe(consistent.slice(0, 1));
    else this.#believe(consistent);
  }

  /** The readings that the last run of equal fragments does not contradict. */
  #consistent(): readonly Reading[] {
    return this.#readings.filter(({ copies }) => this.#run % copies === 0);
  }

  /**
   * The copies are proved, and yet this run contradicts them: a copy got lost, or the stream says everything a
   * different number of times from here on. Both are followed; the next contradiction, or the grammar, decides.
   */
  #fork(): void {
    const { copies, text } = this.#readings[0];
    const kept = this.#fragment.repeat(Math.ceil(this.#run / copies));
    // Behind the limit nothing is joined on, and looking for it would flatten the whole text at every fragment.
    if (this.#forks >= maxForks || text.limited || !text.value.endsWith(kept)) return;
    this.#forks++;
    this.#runsSinceFork = 0;
    const base = text.value.slice(0, -kept.length);
    const forks = this.#divisors().map((count) => this.#readRun(count, base));
    const [first, ...others] = [this.#readings[0], ...forks].filter((reading) => reading.text.lawful);
    if (first !== undefined) this.#believe([first, ...others]);
  }

  /** The numbers of copies that the last run allows, the most first. */
  #divisors(): number[] {
    const counts = Array.from({ length: maxCopies }, (_, index) => maxCopies - index);
    return counts.filter((count) => this.#run % count === 0);
  }

  #closeOpening(): void {
    this.#opening = false;
    const { text } = this;
    const lead = this.#lead;
    this.#lead = [];
    const counts = this.#divisors().filter((copies) => lead.every(({ times }) => times % copies === 0));
    this.#believe(
      counts.map((copies) => {
        const isSoFar = copies === this.#run && lead.every(({ times }) => times === copies);
        const base = lead.map(({ fragment, times }) => fragment.repeat(times / copies));
        return isSoFar ? { copies, text } : this.#readRun(copies, base.join(''));
      }),
    );
    this.#dropRefuted();
  }

  /** The last run under one number of copies, behind the text that came before it. */
  #readRun(copies: number, base: string): Reading {
    const text = new CallText(this.#settings, 'join');
    if (base !== '') text.add(base);
    for (let kept = 0; kept < this.#run / copies; kept++) text.add(this.#fragment);
    return { copies, text };
  }

  #believe([first, ...others]: readonly Reading[]): void {
    if (first === undefined) return;
    // Of two readings of the same fragments, the longer one holds more copies; as long they are the same.
    if (first.text !== this.text) {
      this.#corrections = this.revision + (first.text.length === this.text.length ? 0 : 1);
    }
    this.#keep([first, ...others]);
    believed(first.text);
  }

  /** A reading that breaks the grammar is refuted by one that does not. */
  #dropRefuted(): void {
    const [first, ...others] = this.#readings;
    if (others.length > 0 && first.text.lawful) this.#keep([first, ...others.filter(({ text }) => text.lawful)]);
  }
}

function isBlankText(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** Only the believed text may take a piece for a restatement: a rival would explain the copies away with it. */
function believed(text: CallText): CallText {
  text.restatements = 'recognise';
  return text;
}
