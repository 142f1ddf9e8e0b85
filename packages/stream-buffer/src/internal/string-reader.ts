/** Reads one JSON string that arrives in pieces, decodes it, and shows nothing that a later piece could change. */

import { isHighSurrogate } from '@holdfast/kernel';
import type { FoldedText } from './folded-text.js';

const quote = 0x22;
const backslash = 0x5c;
const simpleEscapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** One string, from behind its opening quote to its closing quote. */
export class StringReader {
  readonly #target: FoldedText | undefined;
  readonly #flaws: number[];
  /** An escape that has not ended yet, from its backslash on. */
  #escape = '';
  #escapeAt = 0;
  /** A high surrogate that waits for its other half. */
  #high = '';
  #highAt = 0;
  #closed = false;

  /**
   * @param target - receives the decoded text; `undefined` when the string is only checked.
   * @param flaws - receives the position of each control character, and of each backslash that begins no escape. Such a
   * fault does not stop the reading: the text is kept as it came.
   */
  constructor(target: FoldedText | undefined, flaws: number[]) {
    this.#target = target;
    this.#flaws = flaws;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Where the part begins that is held back because it is half of something; `undefined` when nothing is. */
  get heldFrom(): number | undefined {
    if (this.#high !== '') return this.#highAt;
    return this.#escape === '' ? undefined : this.#escapeAt;
  }

  /**
   * Reads on from `chunk[from]` to the closing quote or the end of the chunk.
   *
   * @param base - position of `chunk[0]` in the whole text.
   * @returns the index behind the last character that was read.
   */
  read(chunk: string, from: number, base: number): number {
    let at = from;
    while (at < chunk.length) {
      if (this.#escape !== '') {
        at = this.#readEscape(chunk, at);
        continue;
      }
      const end = plainEnd(chunk, at);
      if (end > at) this.#take(chunk.slice(at, end), base + end - 1);
      if (end === chunk.length) return end;
      const unit = chunk.charCodeAt(end);
      at = end + 1;
      if (unit === quote) {
        this.#close();
        return at;
      }
      if (unit === backslash) {
        this.#escape = '\\';
        this.#escapeAt = base + end;
      } else {
        this.#flaws.push(base + end);
        this.#take(chunk.charAt(end), base + end);
      }
    }
    return at;
  }

  #readEscape(chunk: string, at: number): number {
    const next = chunk.charAt(at);
    if (this.#escape === '\\') {
      if (next === 'u') {
        this.#escape = '\\u';
        return at + 1;
      }
      const decoded = simpleEscapes.get(next);
      return decoded === undefined ? this.#keepLiterally(at) : this.#endEscape(decoded, at);
    }
    if (!isHexDigit(next)) return this.#keepLiterally(at);
    this.#escape += next;
    if (this.#escape.length < 6) return at + 1;
    return this.#endEscape(String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16)), at);
  }

  #endEscape(decoded: string, at: number): number {
    this.#escape = '';
    this.#take(decoded, this.#escapeAt);
    return at + 1;
  }

  /** The escape is none: its characters stand for themselves, and the one that does not fit is read again. */
  #keepLiterally(at: number): number {
    const literal = this.#escape;
    this.#flaws.push(this.#escapeAt);
    this.#escape = '';
    this.#take(literal, this.#escapeAt);
    return at;
  }

  /** @param lastAt - position of the last character of `text`, or of the escape that it came from. */
  #take(text: string, lastAt: number): void {
    let ready = text;
    if (this.#high !== '') {
      ready = this.#high + text;
      this.#high = '';
    }
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.#high = ready.slice(-1);
      this.#highAt = lastAt;
      ready = ready.slice(0, -1);
      if (ready === '') return;
    }
    this.#target?.add(ready);
  }

  #close(): void {
    this.#closed = true;
    if (this.#high !== '') this.#target?.add(this.#high);
    this.#high = '';
  }
}

/** The index of the first quote, backslash or control character at or after `from`, else the length. */
function plainEnd(chunk: string, from: number): number {
  let at = from;
  for (; at < chunk.length; at++) {
    const unit = chunk.charCodeAt(at);
    if (unit < 0x20 || unit === quote || unit === backslash) break;
  }
  return at;
}

function isHexDigit(character: string): boolean {
  return (
    (character >= '0' && character <= '9') ||
    (character >= 'a' && character <= 'f') ||
    (character >= 'A' && character <= 'F')
  );
}
