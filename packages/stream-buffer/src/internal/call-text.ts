/** One reading of a call's argument text: the text, its scanner, and the pieces that say it all again. */

import type { FieldPath, FieldText } from '../field.js';
import type { JsonScanner, Recording } from './json-scanner.js';
import { ScannedText } from './scanned-text.js';

/** What one piece did: it was joined on, it took the place of the text, it said nothing new, or there was no room. */
export type PieceEffect = 'appended' | 'restated' | 'repeated' | 'refused';

/** Whether a piece that says the whole text again is recognised, or joined on like any other. */
export type RestatementRule = 'recognise' | 'join';

/** A text as plain data. `whole` is the length of the last piece, if each piece so far began with the one before. */
export interface TextState {
  readonly text: string;
  readonly whole: number | null;
  readonly restatements: RestatementRule;
  readonly cumulative: boolean;
  readonly replacements: number;
  readonly limited: boolean;
}

/** What all texts of a buffer have in common. */
export interface TextSettings {
  readonly maxCharactersPerCall: number;
  readonly maxDepth: number;
  /** Becomes `nested` when a nested value is asked for the first time: until then nobody pays for recording them. */
  recording: Recording;
}

/** A text that grows, and what the scanner knows of it. */
export class CallText {
  restatements: RestatementRule;
  readonly #settings: TextSettings;
  #text: ScannedText;
  /** The last piece, as long as every piece began with the one before: then this stream may send the whole text each time. */
  #whole: string | undefined;
  /** It does: joining a piece on would have broken the grammar. */
  #cumulative = false;
  #replacements = 0;
  #limited = false;

  constructor(settings: TextSettings, restatements: RestatementRule) {
    this.#settings = settings;
    this.restatements = restatements;
    this.#text = this.#scan('');
  }

  static restore(settings: TextSettings, state: TextState): CallText {
    const text = new CallText(settings, state.restatements);
    text.#text = text.#scan(state.text);
    if (state.whole !== null) text.#whole = state.text.slice(state.text.length - state.whole);
    text.#cumulative = state.cumulative;
    text.#replacements = state.replacements;
    text.#limited = state.limited;
    return text;
  }

  get scanner(): JsonScanner {
    return this.#text.scanner;
  }

  get length(): number {
    return this.#text.raw.length;
  }

  /** The text as a rope. */
  get value(): string {
    return this.#text.raw.value;
  }

  /** The text with its strings. The first time that a nested one is asked for, the text is scanned once more. */
  scannedFor(path: FieldPath): ScannedText {
    if (typeof path !== 'string' && isNested(path)) this.#recordNested();
    return this.#text;
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
    return !this.#limited && this.scanner.broken?.problem !== 'unexpected_character';
  }

  /** Everything that came is here, and the root value is closed. */
  get closed(): boolean {
    return !this.#limited && this.scanner.closed;
  }

  /** The string at a path so far, or `undefined` while it has not begun. */
  fieldAt(path: FieldPath): FieldText | undefined {
    const text = this.scannedFor(path);
    const node = text.findString(path);
    return node && { text: text.textOf(node), closed: node.end !== undefined };
  }

  /** What a restored text needs to go on as this one. The scanner's state follows from the characters. */
  get state(): TextState {
    const whole = this.#limited ? undefined : this.#whole?.length;
    return {
      text: this.value,
      whole: whole ?? null,
      restatements: this.restatements,
      cumulative: this.#cumulative,
      replacements: this.#replacements,
      limited: this.#limited,
    };
  }

  /** Takes the next piece. It is joined on, unless that breaks the grammar and a restatement explains it. */
  add(piece: string): PieceEffect {
    if (this.#limited) return 'refused';
    const { raw, scanner } = this.#text;
    if (this.#whole !== undefined || raw.length === 0) {
      this.#followWhole(piece);
      if (this.#cumulative && this.#couldRestate(piece)) return this.#takeInstead(this.#scan(piece));
    }
    if (raw.length + piece.length > this.#settings.maxCharactersPerCall) return this.#addBeyondLimit(piece);
    const { broken, closed } = scanner;
    scanner.push(piece);
    const effect = scanner.broken === broken ? undefined : this.#explainBreak(piece, closed);
    if (effect !== undefined) return effect;
    raw.add(piece);
    return 'appended';
  }

  #explainBreak(piece: string, textWasClosed: boolean): PieceEffect | undefined {
    // What is only too deep for this host is no reason to take a piece for a restatement.
    if (this.scanner.broken?.problem !== 'unexpected_character') return undefined;
    return this.#restate(piece, textWasClosed);
  }

  #recordNested(): void {
    if (this.scanner.recording === 'nested') return;
    this.#settings.recording = 'nested';
    this.#text = new ScannedText(this.#settings.maxDepth, 'nested', this.#text.raw);
  }

  #addBeyondLimit(piece: string): PieceEffect {
    const effect = this.#restate(piece, this.closed);
    if (effect !== undefined) return effect;
    // What comes later is refused too: a text with a hole is worse than a text with an end.
    this.#limited = true;
    return 'refused';
  }

  #followWhole(piece: string): void {
    if (this.length === 0) this.#whole = piece;
    else if (this.#whole !== undefined) this.#whole = piece.startsWith(this.#whole) ? piece : undefined;
    this.#cumulative &&= this.#whole !== undefined;
  }

  #couldRestate({ length }: string): boolean {
    return this.restatements === 'recognise' && this.length > 0 && length <= this.#settings.maxCharactersPerCall;
  }

  #restate(piece: string, textWasClosed: boolean): PieceEffect | undefined {
    if (!this.#couldRestate(piece)) return undefined;
    // A piece that is shorter than the text is not compared with it, so the work stays linear in what arrived.
    const repeats = this.#whole !== undefined || piece.startsWith(this.value);
    if (!repeats && !(textWasClosed && startsObject(piece))) return undefined;
    const text = this.#scan(piece);
    if (text.scanner.broken) return undefined;
    if (repeats) {
      const effect = this.#takeInstead(text);
      this.#cumulative ||= this.#whole !== undefined && effect === 'restated';
      return effect;
    }
    // Behind a finished text: another finished object, or the first piece of what the placeholder `{}` stood for.
    if (text.scanner.closed || isEmptyObject(this.value)) return this.#takeInstead(text);
    return undefined;
  }

  #takeInstead(text: ScannedText): PieceEffect {
    const goesOn = text.raw.value.startsWith(this.value);
    const effect = goesOn && text.raw.length === this.length ? 'repeated' : 'restated';
    if (!goesOn) this.#replacements++;
    this.#text = text;
    return effect;
  }

  #scan(piece: string): ScannedText {
    const text = new ScannedText(this.#settings.maxDepth, this.#settings.recording);
    text.scanner.push(piece);
    text.raw.add(piece);
    return text;
  }
}

/** Tells whether the first character that is not blank opens an object. */
export function startsObject(text: string): boolean {
  return /^[ \t\r\n]*\{/.test(text);
}

/** Tells whether a path leads deeper than to a field of the root object. */
function isNested(path: Exclude<FieldPath, string>): boolean {
  return path.length > 1 || typeof path[0] === 'number';
}

function isEmptyObject(text: string): boolean {
  return /^[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/.test(text);
}
