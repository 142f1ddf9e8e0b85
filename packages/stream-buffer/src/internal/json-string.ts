/** Decodes the inside of JSON strings, and shows nothing of it that a later character could change. */

import { isHighSurrogate } from '@holdfast/kernel';
import type { FoldedText } from './folded-text.js';
import { backslash, backslashesBefore } from './json-marks.js';
import type { JsonScanner } from './json-scanner.js';

/** What stands behind a backslash, by its code unit. */
const simpleEscapes: readonly (string | undefined)[] = Object.assign([], {
  34: '"',
  47: '/',
  92: '\\',
  98: '\b',
  102: '\f',
  110: '\n',
  114: '\r',
  116: '\t',
});

/** Up to this length joining on each character costs less than taking the parts between escapes. */
const shortPart = 12;
/** From this length on the engine's own parser is faster. */
const longPart = 128;
/** Longer parts are decoded one after another: of a text that is much longer the engine makes copies that tell. */
const longestPart = 16_384;

/** Decodes what stands between the quotes. A backslash that begins no escape is kept as written, and so are control characters. */
export function decodeString(raw: string): string {
  if (raw.length <= shortPart) return decodeUnits(raw);
  if (raw.length < longPart) return decodeByHand(raw);
  let text = '';
  for (let from = 0; from < raw.length; ) {
    const end = endOfPart(raw, from);
    text += decodeLong(raw.slice(from, end));
    from = end;
  }
  return text;
}

/** Where a part ends that begins here: not inside an escape. */
function endOfPart(raw: string, from: number): number {
  const end = from + longestPart;
  if (end >= raw.length) return raw.length;
  const at = raw.lastIndexOf('\\', end - 1);
  return at <= from ? end : at + (backslashesBefore(raw, at, from) % 2);
}

function decodeLong(part: string): string {
  if (!part.includes('\\')) return part;
  try {
    return JSON.parse(`"${part}"`);
  } catch {
    return decodeByHand(part);
  }
}

/** Of a few characters each is joined on alone: that costs less than taking the parts between escapes. */
function decodeUnits(raw: string): string {
  let text = '';
  for (let at = 0; at < raw.length; ) {
    const unit = raw.charCodeAt(at);
    const decoded = unit === backslash ? decodeEscape(raw, at) : undefined;
    text += decoded ?? String.fromCharCode(unit);
    at += decoded === undefined ? 1 : escapeLength(raw, at);
  }
  return text;
}

function decodeByHand(raw: string): string {
  let text = '';
  let copied = 0;
  let at = raw.indexOf('\\');
  while (at !== -1) {
    const decoded = decodeEscape(raw, at);
    let next = at + 1;
    if (decoded !== undefined) {
      if (copied < at) text += raw.slice(copied, at);
      text += decoded;
      copied = at + escapeLength(raw, at);
      next = copied;
    }
    at = raw.indexOf('\\', next);
  }
  if (copied === 0) return raw;
  return copied === raw.length ? text : text + raw.slice(copied);
}

/** The character that the backslash at a position begins, or `undefined` when it begins no escape. */
export function decodeEscape(raw: string, at: number): string | undefined {
  const unit = raw.charCodeAt(at + 1);
  if (unit !== 0x75) return simpleEscapes[unit];
  const digits = raw.slice(at + 2, at + 6);
  return /^[0-9a-f]{4}$/i.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined;
}

/** How long the escape at a position is that {@link decodeEscape} decodes. */
export function escapeLength(raw: string, at: number): 2 | 6 {
  return raw.charCodeAt(at + 1) === 0x75 ? 6 : 2;
}

/** Reads one string of a text from front to back, as far as it has come. */
export class StringReader {
  /** Position up to which the text has been taken. */
  #taken: number;
  /** The end of what has been taken, where it is half of something. */
  #held = '';

  /** @param at - position from which it reads, not inside an escape. */
  constructor(at: number) {
    this.#taken = at;
  }

  /** Position up to which everything has been given out. */
  get at(): number {
    return this.#taken - this.#held.length;
  }

  /** Decodes the rest of a string up to its closing quote. */
  readRest(raw: FoldedText, end: number): string {
    const piece = this.#held + raw.slice(this.#taken, end);
    this.#held = '';
    this.#taken = end;
    return decodeString(piece);
  }

  /** Decodes what is new of the string that is open in a text. Half an escape and half a surrogate pair are held back. */
  readOpen(raw: FoldedText, { length, string }: JsonScanner): string {
    const from = this.#taken;
    if (from === length) return '';
    const piece = raw.slice(from, length);
    this.#taken = length;
    const isPlain = this.#held.length === 0 && from >= length - string.plain && !isHighSurrogate(string.last);
    return isPlain ? piece : this.#decodeOpen(this.#held + piece, string.pending);
  }

  #decodeOpen(piece: string, pending: number): string {
    let whole = piece.length - pending;
    let text = decodeString(pending === 0 ? piece : piece.slice(0, whole));
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      // The half is read again with what follows: one unit, or the six of its escape.
      whole -= isHighSurrogate(piece.charCodeAt(whole - 1)) ? 1 : 6;
      text = text.slice(0, -1);
    }
    this.#held = whole === piece.length ? '' : piece.slice(whole);
    return text;
  }
}
