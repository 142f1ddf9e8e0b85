/** Decodes the inside of JSON strings, and shows nothing of it that a later character could change. */

import { isHighSurrogate } from '@holdfast/kernel';
import type { FoldedText } from './folded-text.js';
import { backslash } from './json-marks.js';
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

/** Decodes what stands between the quotes. A backslash that begins no escape is kept as written, and so are control characters. */
export function decodeString(raw: string): string {
  if (nextBackslash(raw, 0) === -1) return raw;
  const suitsEngine = raw.length >= 128 && raw.length <= 65_536;
  return (suitsEngine ? decodeByEngine(raw) : undefined) ?? decodeByHand(raw);
}

/** The engine's own parser: faster for long texts, unless they are so long that the copy it takes tells. `undefined` for faults. */
function decodeByEngine(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}

function decodeByHand(raw: string): string {
  let text = '';
  let copied = 0;
  let at = nextBackslash(raw, 0);
  while (at !== -1) {
    const decoded = decodeEscape(raw, at);
    let next = at + 1;
    if (decoded !== undefined) {
      text += copied === at ? decoded : raw.slice(copied, at) + decoded;
      copied = at + escapeLength(raw, at);
      next = copied;
    }
    at = nextBackslash(raw, next);
  }
  return copied === raw.length ? text : text + raw.slice(copied);
}

/** In short texts a look at each character is faster than the engine's search. */
function nextBackslash(raw: string, from: number): number {
  if (raw.length - from > 32) return raw.indexOf('\\', from);
  for (let at = from; at < raw.length; at++) if (raw.charCodeAt(at) === backslash) return at;
  return -1;
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
    let text = decodeString(piece.slice(0, whole));
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      // The half is read again with what follows: one unit, or the six of its escape.
      whole -= isHighSurrogate(piece.charCodeAt(whole - 1)) ? 1 : 6;
      text = text.slice(0, -1);
    }
    this.#held = piece.slice(whole);
    return text;
  }
}
