/** Finds where a JSON string ends that arrives in pieces, without decoding it. */

import { backslash, backslashesBefore, quote } from './json-marks.js';

/** From this length on the engine's own search is faster than a look at each character. */
const longPart = 64;
/** The longest escape. */
const escapeUnits = 6;

/** The state of one string from behind its opening quote on. */
export class QuoteFinder {
  /** How much of an escape has come that is not whole yet. */
  #pending = 0;

  /** Units at the end that are half an escape. */
  get pending(): number {
    return this.#pending;
  }

  /** Reads on from `chunk[from]` and returns the index of the closing quote, or -1. */
  find(chunk: string, from: number): number {
    let at = from;
    if (chunk.length - from >= longPart) {
      for (; this.#pending > 0 && at < chunk.length; at++) if (this.#closes(chunk.charCodeAt(at))) return at;
      const found = closingQuote(chunk, at);
      if (found !== -1) return found;
      at = lastBoundary(chunk, at);
    }
    for (; at < chunk.length; at++) if (this.#closes(chunk.charCodeAt(at))) return at;
    return -1;
  }

  #closes(unit: number): boolean {
    if (this.#pending === 0) {
      if (unit === backslash) this.#pending = 1;
      return unit === quote;
    }
    if (this.#pending === 1) {
      this.#pending = unit === 0x75 ? 2 : 0;
      return false;
    }
    if (isHexDigit(unit)) {
      this.#pending = (this.#pending + 1) % escapeUnits;
      return false;
    }
    // The escape is none, and the character that does not fit is read as any other.
    this.#pending = 0;
    return this.#closes(unit);
  }
}

/** The first quote that no backslash escapes; `chunk[from]` is not escaped. */
function closingQuote(chunk: string, from: number): number {
  let at = chunk.indexOf('"', from);
  while (at !== -1 && backslashesBefore(chunk, at, from) % 2 === 1) at = chunk.indexOf('"', at + 1);
  return at;
}

/** A place so near the end that no escape which begins before it can be half, and not behind an escaping backslash. */
function lastBoundary(chunk: string, from: number): number {
  const at = Math.max(from, chunk.length - escapeUnits);
  return at + (backslashesBefore(chunk, at, from) % 2);
}

function isHexDigit(unit: number): boolean {
  const lower = unit | 0x20;
  return (unit >= 0x30 && unit <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}
