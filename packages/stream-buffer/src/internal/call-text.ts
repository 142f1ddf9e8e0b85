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
  /** The last piece, as long as every piece began with the one before: then this stream may send the whole text each time. */
  #whole: string | undefined;
  /** It does: joining a piece on would have broken the grammar. */
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
    this.#followWhole(piece);
    const couldRestate = watchful && piece.length <= this.#limits.maxCharactersPerCall;
    if (couldRestate && this.#cumulative && this.#whole !== undefined)
      return this.#takeInstead(piece, this.#scan(piece));
    const wasClosed = this.#scanner.closed;
    const fits = this.#raw.length + piece.length <= this.#limits.maxCharactersPerCall;
    if (fits) this.#scanner.push(piece);
    if (couldRestate && !(fits && this.lawful)) {
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

  #followWhole(piece: string): void {
    if (this.#raw.length === 0) this.#whole = piece;
    else if (this.#whole !== undefined) this.#whole = piece.startsWith(this.#whole) ? piece : undefined;
  }

  /** A piece that is shorter than the text is not compared with it, so the work stays linear in what arrived. */
  #isRepeatedBy(piece: string): boolean {
    return piece.startsWith(this.#raw.value);
  }

  #restate(piece: string, textWasClosed: boolean): PieceEffect | undefined {
    const repeats = this.#whole !== undefined || this.#isRepeatedBy(piece);
    if (!repeats && !(textWasClosed && startsObject(piece))) return undefined;
    const scanner = this.#scan(piece);
    if (scanner.broken) return undefined;
    if (repeats) {
      const effect = this.#takeInstead(piece, scanner);
      this.#cumulative ||= this.#whole !== undefined && effect === 'restated';
      return effect;
    }
    // Behind a finished text: another finished object, or the first piece of what the placeholder `{}` stood for.
    if (scanner.closed || isEmptyObject(this.#raw.value)) return this.#takeInstead(piece, scanner);
    return undefined;
  }

  #takeInstead(piece: string, scanner: JsonScanner): PieceEffect {
    const goesOn = this.#isRepeatedBy(piece);
    const effect = goesOn && piece.length === this.#raw.length ? 'repeated' : 'restated';
    if (!goesOn) this.#replacements++;
    this.#scanner = scanner;
    this.#raw = new FoldedText();
    this.#raw.add(piece);
    return effect;
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
