/** One reading of a call's argument text: the text, its scanner, and the pieces that say it all again. */

import { FoldedText } from './folded-text.js';
import { JsonScanner } from './json-scanner.js';

/** What one piece did: it was joined on, it took the place of the text, or it said nothing new. */
export type PieceEffect = 'appended' | 'restated' | 'repeated';

/** Whether a piece that says the whole text again is recognised, or joined on like any other. */
export type RestatementRule = 'recognise' | 'join';

/** A text that grows, and what the scanner knows of it. */
export class CallText {
  restatements: RestatementRule;
  readonly #maxDepth: number;
  #raw = new FoldedText();
  #scanner: JsonScanner;
  /** A piece has repeated the text and gone on from there: this stream sends the whole text each time. */
  #cumulative = false;
  #replacements = 0;

  constructor(maxDepth: number, restatements: RestatementRule) {
    this.#maxDepth = maxDepth;
    this.restatements = restatements;
    this.#scanner = new JsonScanner(maxDepth);
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

  /** Takes the next piece. It is joined on, unless that breaks the grammar and a restatement explains it. */
  add(piece: string): PieceEffect {
    const watchful = this.restatements === 'recognise' && this.#raw.length > 0 && !this.#scanner.broken;
    if (watchful && this.#cumulative && this.#isRepeatedBy(piece)) return this.#goOnFrom(piece, this.#scan(piece));
    const wasClosed = this.#scanner.closed;
    this.#scanner.push(piece);
    if (watchful && this.#scanner.broken) {
      const effect = this.#restate(piece, wasClosed);
      if (effect !== undefined) return effect;
    }
    this.#raw.add(piece);
    return 'appended';
  }

  /** The text is compared only with a piece that is at least as long, so the work stays linear in what arrived. */
  #isRepeatedBy(piece: string): boolean {
    return piece.length >= this.#raw.length && piece.startsWith(this.#raw.value);
  }

  #restate(piece: string, textWasClosed: boolean): PieceEffect | undefined {
    const repeats = this.#isRepeatedBy(piece);
    if (!repeats && !(textWasClosed && startsObject(piece))) return undefined;
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
    const scanner = new JsonScanner(this.#maxDepth);
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
