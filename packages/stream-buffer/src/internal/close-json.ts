/** Makes valid JSON of a text that stops early or breaks. */

import { isHighSurrogate } from '@holdfast/kernel';
import { findFlaws } from './flaws.js';
import { backslashesBefore } from './json-marks.js';
import type { JsonScanner } from './json-scanner.js';

/** The longest part of the text that closing marks complete, plus those marks; `{}` when there is no such part. */
export function closeJson(raw: string, scanner: JsonScanner, flaws: readonly number[]): string {
  const { closing } = scanner;
  if (closing === undefined) return '{}';
  return escapeFlaws(closedPart(raw, closing), flaws) + closing.suffix;
}

/** The value so far, or `undefined` when there is none to show yet. Numbers and literals are shown once they are closed. */
export function parseSoFar(raw: string, scanner: JsonScanner): unknown {
  const { closing } = scanner;
  if (closing === undefined) return undefined;
  const part = closedPart(raw, closing);
  try {
    return JSON.parse(part + closing.suffix);
  } catch {
    // Only faults inside strings are left, which are rare: looking for them each time would cost more than parsing.
    return JSON.parse(escapeFlaws(part, findFlaws(part)) + closing.suffix);
  }
}

function closedPart(raw: string, { end, inString }: NonNullable<JsonScanner['closing']>): string {
  return inString ? withoutHalfPair(raw.slice(0, end)) : raw.slice(0, end);
}

/** Cuts off a high surrogate at the end, as itself or as an escape: its other half is to come. */
export function withoutHalfPair(text: string): string {
  if (isHighSurrogate(text.charCodeAt(text.length - 1))) return text.slice(0, -1);
  const start = text.length - 6;
  const isHalf =
    /^\\u[dD][89abAB][0-9a-fA-F]{2}$/.test(text.slice(start)) && backslashesBefore(text, start, 0) % 2 === 0;
  return isHalf ? text.slice(0, start) : text;
}

/** Writes the faults inside strings as JSON writes what they were read as. */
function escapeFlaws(part: string, flaws: readonly number[]): string {
  let text = '';
  let copied = 0;
  for (const position of flaws) {
    if (position >= part.length) break;
    text += part.slice(copied, position);
    text += JSON.stringify(part.charAt(position)).slice(1, -1);
    copied = position + 1;
  }
  return text + part.slice(copied);
}
