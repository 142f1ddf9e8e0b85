/** Decodes the inside of JSON strings, and shows nothing of it that a later character could change. */

import { isHighSurrogate } from '@holdfast/kernel';
import type { FoldedText } from './folded-text.js';

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
  let at = raw.indexOf('\\');
  if (at === -1) return raw;
  let text = '';
  let copied = 0;
  while (at !== -1) {
    const decoded = decodeEscape(raw, at);
    let next = at + 1;
    if (decoded !== undefined) {
      text += raw.slice(copied, at) + decoded;
      copied = at + escapeLength(raw, at);
      next = copied;
    }
    at = raw.indexOf('\\', next);
  }
  return text + raw.slice(copied);
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
  /** Position in the text from which it goes on. */
  at: number;

  /** @param at - position behind the opening quote. */
  constructor(at: number) {
    this.at = at;
  }

  /**
   * Decodes what is new.
   *
   * @param end - position of the closing quote; of an open string, where its whole escapes end.
   * @param closed - whether the quote has come. Until then half a surrogate pair at the end is held back.
   */
  read(raw: FoldedText, end: number, closed: boolean): string {
    if (end <= this.at) return '';
    const piece = raw.slice(this.at, end);
    const text = decodeString(piece);
    this.at = end;
    if (closed || !isHighSurrogate(text.charCodeAt(text.length - 1))) return text;
    // The half is read again with what follows: one unit, or the six of its escape.
    this.at -= isHighSurrogate(piece.charCodeAt(piece.length - 1)) ? 1 : 6;
    return text.slice(0, -1);
  }
}
