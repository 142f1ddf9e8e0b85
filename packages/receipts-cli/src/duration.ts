/** Spans of time in words: as people give them, and as they read them. */

import { usageError } from './exit.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: readonly (readonly [ms: number, names: RegExp, one: string])[] = [
  [DAY * 7, /^w(eeks?)?$/, 'week'],
  [DAY, /^d(ays?)?$/, 'day'],
  [HOUR, /^h(ours?)?$/, 'hour'],
  // No plain m: whoever means months would lose the keys of all but the last minutes.
  [MINUTE, /^min(utes?)?$/, 'minute'],
  [SECOND, /^s(ec(onds?)?)?$/, 'second'],
  [1, /^ms$/, 'millisecond'],
];

/** Reads `30d`, `12 hours`, `1d 12h`, `2 weeks` or `forever` as milliseconds. A number needs its unit. */
export function parseDuration(option: string, text: string): number {
  const given = text.trim().toLowerCase();
  if (given === 'forever') return Number.POSITIVE_INFINITY;
  const parts = [...given.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/g)];
  const whole = parts.map(([part]) => part).join('') === given;
  const ms = parts.map(([, count, unit]) => Number(count) * unitOf(unit as string));
  if (parts.length === 0 || !whole || ms.some(Number.isNaN)) {
    throw usageError(`--${option} takes a time such as 30d, 12h, "2 weeks" or forever.`);
  }
  return ms.reduce((sum, part) => sum + part, 0);
}

/** The time in its two largest units: `3 hours`, `2 days 4 hours`. */
export function inWords(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'forever';
  if (ms < SECOND) return 'less than a second';
  const words: string[] = [];
  let left = ms;
  for (const [size, , name] of UNITS) {
    if (words.length === 2 || size < SECOND) break;
    const count = Math.floor(left / size);
    if (count > 0) words.push(`${count} ${name}${count === 1 ? '' : 's'}`);
    else if (words.length === 1) break;
    left -= count * size;
  }
  return words.join(' ');
}

function unitOf(name: string): number {
  return UNITS.find(([, names]) => names.test(name))?.[0] ?? Number.NaN;
}
