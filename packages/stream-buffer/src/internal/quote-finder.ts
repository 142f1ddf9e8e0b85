/** Finds where a JSON string ends that arrives in pieces, without decoding it. */

import { backslash, backslashesBefore, quote } from './json-marks.js';

/** From this length on the engine's own search is faster than a look at each character. */
const longPart = 64;
/** The longest escape. */
const escapeUnits = 6;

/** The state of the string that is open, or of the last one that was. */
export class QuoteFinder {
  /** How much of an escape has come that is not whole yet. */
  #pending = 0;
  /** How many units have come since the last escape ended. */
  #plain = 0;
  #last = 0;

  /** Units at the end that are half an escape. */
  get pending(): number {
    return this.#pending;
  }

  /** At least so many units at the end of the open string are no part of an escape. */
  get plain(): number {
    return this.#plain;
  }

  /** The unit that came last, if it is no part of an escape. */
  get last(): number {
    return this.#last;
  }

  /** Reads on from `chunk[from]` and returns the index of the closing quote, or -1. */
  find(chunk: string, from: number): number {
    const { length } = chunk;
    let at = this.#pending > 0 || length - from >= longPart ? this.#skip(chunk, from) : from;
    let plainFrom = at;
    let unit = 0;
    while (at < length) {
      unit = chunk.charCodeAt(at);
      if (unit === quote) return at;
      if (unit === backslash) {
        at = this.#passEscape(chunk, at);
        plainFrom = at;
      } else at++;
    }
    this.#plain += length - plainFrom;
    this.#last = unit;
    return -1;
  }

  /** Goes on to the closing quote, or to a place from which a look at each character is quick. */
  #skip(chunk: string, from: number): number {
    const at = this.#pending > 0 ? this.#passEscape(chunk, from) : from;
    if (chunk.length - at < longPart) return at;
    const found = closingQuote(chunk, at);
    if (found !== -1) return found;
    this.#plain = 0;
    return lastBoundary(chunk, at);
  }

  /** Passes an escape that begins here or goes on here. Returns the index behind it. */
  #passEscape(chunk: string, from: number): number {
    this.#plain = 0;
    for (let at = from; at < chunk.length; at++) {
      const pending = pendingAfter(this.#pending, chunk.charCodeAt(at));
      this.#pending = Math.max(0, pending);
      // An escape that a unit makes none ends before it: the unit is read as any other.
      if (pending <= 0) return pending === 0 ? at + 1 : at;
    }
    return chunk.length;
  }
}

/** How much of an escape has come with one more unit, 0 when it is whole, -1 when the unit makes it none. */
function pendingAfter(pending: number, unit: number): number {
  if (pending === 0) return 1;
  if (pending === 1) return unit === 0x75 ? 2 : 0;
  return isHexDigit(unit) ? (pending + 1) % escapeUnits : -1;
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
