/** The characters by which JSON is told apart. */

import { firstNumberState } from './number-state.js';

/** The JSON type of a value, known from its first character. */
export type ValueKind = 'string' | 'number' | 'literal' | 'object' | 'array';

export const quote = 0x22;
export const backslash = 0x5c;

export function valueKind(unit: number): ValueKind | undefined {
  switch (unit) {
    case quote:
      return 'string';
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case 0x74:
    case 0x66:
    case 0x6e:
      return 'literal';
    default:
      return firstNumberState(unit) === undefined ? undefined : 'number';
  }
}

export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** What may stand directly behind a number. */
export function isDelimiter(unit: number): boolean {
  return unit === 0x2c || unit === 0x7d || unit === 0x5d || isBlank(unit);
}

/** How many backslashes stand directly before a position, looking back as far as `from`. */
export function backslashesBefore(text: string, at: number, from: number): number {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === backslash) first--;
  return at - first;
}
