/** Faults inside strings that the scanner tolerates and JSON.parse does not. */

import { backslash, quote } from './json-marks.js';
import { decodeEscape, escapeLength } from './json-string.js';

/**
 * The positions of control characters inside strings, and of backslashes that begin no escape, in order.
 *
 * @param text - a text that follows the grammar outside its strings, and does not end in half an escape.
 */
export function findFlaws(text: string): number[] {
  const flaws: number[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) inString = !inString;
    else if (!inString) continue;
    else if (unit === backslash && decodeEscape(text, at) !== undefined) at += escapeLength(text, at) - 1;
    else if (unit === backslash || unit < 0x20) flaws.push(at);
  }
  return flaws;
}
