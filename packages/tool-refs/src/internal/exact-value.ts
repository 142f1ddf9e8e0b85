/** Turns JSON into a value without rounding its numbers. */

import { jsonStrings } from './json-text.js';

/** Only a number of this many digits, or with an exponent, can differ from what a JavaScript number holds of it. */
const MAY_ROUND = /[0-9.]{16}|[0-9][eE]/;
const NUMBERS = /-?[0-9][0-9.eE+-]*/g;

/**
 * The value of a JSON text. A number that a JavaScript number cannot hold, such as 12345678901234567890 or 1e400,
 * comes as a string of its digits: a tool that expects a number can refuse that, but could not see a rounded one.
 */
export function exactValue(json: string): unknown {
  return JSON.parse(MAY_ROUND.test(json) ? quoteInexact(json) : json) as unknown;
}

function quoteInexact(json: string): string {
  let quoted = '';
  let position = 0;
  for (const { start, end } of jsonStrings(json)) {
    quoted += quoteNumbers(json.slice(position, start)) + json.slice(start, end);
    position = end;
  }
  return quoted + quoteNumbers(json.slice(position));
}

function quoteNumbers(gap: string): string {
  return gap.replace(NUMBERS, (number) => (isExact(number) ? number : `"${number}"`));
}

/** Tells whether a number comes back as the same number when a JavaScript number is written out again. */
function isExact(written: string): boolean {
  const value = Number(written);
  return Number.isFinite(value) && normalise(written) === normalise(String(value));
}

/** One text for each decimal number, whichever way it is written: its digits without zeros around, and an exponent. */
function normalise(written: string): string {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** By hand: a regular expression that looks for the end tries every zero of a long number anew. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end--;
  return digits.slice(0, end);
}
