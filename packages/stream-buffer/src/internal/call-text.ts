/** One reading of a call's argument text: the text, its scanner, and the pieces that say it all again. */

import { FoldedText } from './folded-text.js';
import { JsonScanner } from './json-scanner.js';

/** What one piece did: it was joined on, it took the place of the text, it said nothing new, or there was no room. */
export type PieceEffect = 'appended' | 'restated' | 'repeated' | 'refused';

/** Whether a piece that says the whole text again is recognised, or joined on like any other. */
export type RestatementRule = 'recognise' | 'join';

export interface TextLimits {
  readonly maxCharactersPerCall: number;
  readonly maxDepth: number;
}

/** A text that grows, and what the scanner knows of it. */
export class CallText {
  restatements: RestatementRule;
  readonly #limits: TextLimits;
  #raw = new FoldedText();
  #scanner: JsonScanner;
  /** A piece has repeated the text and gone on from there: this stream sends the whole text each time. */
  #cumulative = false;
  #replacements = 0;
  #limited = false;

  constructor(limits: TextLimits, restatements: RestatementRule) {
    this.#limits = limits;
    this.restatements = restatements;
    this.#scanner = new JsonScanner(limits.maxDepth);
  }

  get scanner(): JsonScanner {
    return this.#scanner;
  }

  get length(): number {
    return this.#raw.length;
  }

  /** The text as a rope. */
  get value(): string {
    return this.#raw.value;
  }

  /** How often the text was replaced by one that does not begin with it. */
  get replacements(): number {
    return this.#replacements;
  }

  /** A piece was refused because it would have passed the limit of characters, so the text is not all that came. */
  get limited(): boolean {
    return this.#limited;
  }

  /** Everything that came is here, and JSON could go on from it. */
  get lawful(): boolean {
    return !this.#limited && this.#scanner.broken === undefined;
  }

  /** Everything that came is here, and the root value is closed. */
  get closed(): boolean {
    return !this.#limited && this.#scanner.closed;
  }

  /** Takes the next piece. It is joined on, unless that breaks the grammar and a restatement explains it. */
  add(piece: string): PieceEffect {
    if (this.#limited) return 'refused';
    const watchful = this.restatements === 'recognise' && this.#raw.length > 0 && this.lawful;
    if (watchful && this.#cumulative && this.#isRepeatedBy(piece)) return this.#goOnFrom(piece, this.#scan(piece));
    const wasClosed = this.#scanner.closed;
    const fits = this.#raw.length + piece.length <= this.#limits.maxCharactersPerCall;
    if (fits) this.#scanner.push(piece);
    if (watchful && !(fits && this.lawful)) {
      const effect = this.#restate(piece, wasClosed);
      if (effect !== undefined) return effect;
    }
    if (fits) {
      this.#raw.add(piece);
      return 'appended';
    }
    // What comes later is refused too: a text with a hole is worse than a text with an end.
    this.#limited = true;
    return 'refused';
  }

  /** The text is compared only with a piece that is at least as long, so the work stays linear in what arrived. */
  #isRepeatedBy(piece: string): boolean {
    const { maxCharactersPerCall } = this.#limits;
    const fits = piece.length >= this.#raw.length && piece.length <= maxCharactersPerCall;
    return fits && piece.startsWith(this.#raw.value);
  }

  #restate(piece: string, textWasClosed: boolean): PieceEffect | undefined {
    const repeats = this.#isRepeatedBy(piece);
    if (!repeats && !(textWasClosed && this.#couldReplace(piece))) return undefined;
    const scanner = this.#scan(piece);
    if (repeats && !scanner.broken) {
      this.#cumulative ||= piece.length > this.#raw.length;
      return this.#goOnFrom(piece, scanner);
    }
    // Behind a finished text: another finished object, or the first piece of what the placeholder `{}` stood for.
    if (scanner.closed || (!scanner.broken && isEmptyObject(this.#raw.value))) {
      this.#replacements++;
      this.#take(piece, scanner);
      return 'restated';
    }
    return undefined;
  }

  #couldReplace(piece: string): boolean {
    return piece.length <= this.#limits.maxCharactersPerCall && startsObject(piece);
  }

  #goOnFrom(piece: string, scanner: JsonScanner): PieceEffect {
    const effect = piece.length > this.#raw.length ? 'restated' : 'repeated';
    this.#take(piece, scanner);
    return effect;
  }

  #take(piece: string, scanner: JsonScanner): void {
    this.#scanner = scanner;
    this.#raw = new FoldedText();
    this.#raw.add(piece);
  }

  #scan(text: string): JsonScanner {
    const scanner = new JsonScanner(this.#limits.maxDepth);
    scanner.push(text);
    return scanner;
  }
}

/** Tells whether the first character that is not blank opens an object. */
export function startsObject(text: string): boolean {
  return /^[ \t\r\n]*\{/.test(text);
}

function isEmptyObject(text: string): boolean {
  return /^[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/.test(text);
}
