/** Order: from scores to names, ties by code unit; and two orders fused into one. */

import { compareCodeUnits } from '@holdfast/kernel';
import type { Scores } from './score.js';

/** Scores that differ by less than a millionth are a tie: the order must not hang on a rounding error. */
const SCALE = 2 ** 20;
/** A score and a slot in one number, so that the engine's own number sort does the work. */
const SLOTS = 2 ** 20;

/** The slots with a score, best first, ties by name in code unit order. */
export function rankSlots(scores: Scores, nameOf: (slot: number) => string): number[] {
  const keys = sortedKeys(scores);
  const ranked: number[] = [];
  let tieStart = 0;
  let tied = -1;
  for (let at = keys.length - 1; at >= 0; at -= 1) {
    const key = keys[at] ?? 0;
    const score = Math.floor(key / SLOTS);
    if (score !== tied) {
      sortTie(ranked, tieStart, nameOf);
      tieStart = ranked.length;
      tied = score;
    }
    ranked.push(key - score * SLOTS);
  }
  sortTie(ranked, tieStart, nameOf);
  return ranked;
}

function sortedKeys({ bySlot, slots }: Scores): Float64Array {
  const keys = new Float64Array(slots.length);
  for (const [at, slot] of slots.entries()) keys[at] = Math.round((bySlot[slot] ?? 0) * SCALE) * SLOTS + slot;
  return keys.sort();
}

/** Puts the end of a list, from `start` on, in the order of names. */
function sortTie(ranked: number[], start: number, nameOf: (slot: number) => string): void {
  if (ranked.length - start < 2) return;
  const tie = ranked.splice(start).sort((a, b) => compareCodeUnits(nameOf(a), nameOf(b)));
  for (const slot of tie) ranked.push(slot);
}

/** How flat the first ranks are. */
const RANK_OFFSET = 60;

/**
 * Two orders as one, by rank alone: each gives a name 1 / (60 + rank). Ties by the first order, then by the second.
 *
 * @see Cormack, Clarke, Büttcher: Reciprocal rank fusion (SIGIR 2009)
 */
export function fuseRanks(first: readonly string[], second: readonly string[]): string[] {
  const sums = new Map<string, number>();
  for (const order of [first, second]) {
    for (const [index, name] of order.entries()) sums.set(name, (sums.get(name) ?? 0) + 1 / (RANK_OFFSET + index + 1));
  }
  return [...sums].sort(([, a], [, b]) => b - a).map(([name]) => name);
}
