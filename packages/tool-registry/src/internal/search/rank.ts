/** Order: from scores to slots, ties by name; and two orders fused into one. */

import type { Scores } from './score.js';

/** Scores that differ by less than a millionth are a tie: the order must not hang on a rounding error. */
const SCALE = 2 ** 20;
/** A score and a place among the names in one number, so that the engine's own number sort does the work. */
const PLACES = 2 ** 20;

/** Slots in the order of their names, by code unit, and the place of each slot in it. */
export interface NameOrder {
  readonly slots: Int32Array;
  readonly places: Int32Array;
}

export function orderNames(named: ReadonlyMap<string, number>, size: number): NameOrder {
  // Without a comparator, strings are sorted by code unit.
  const slots = Int32Array.from([...named.keys()].sort(), (name) => named.get(name) ?? 0);
  const places = new Int32Array(size);
  for (let place = 0; place < slots.length; place += 1) places[slots[place] ?? 0] = place;
  return { slots, places };
}

/** The slots with a score, best first, ties by name. */
export function rankSlots({ slots, values }: Scores, order: NameOrder): number[] {
  const keys = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at += 1) {
    keys[at] = (order.places[slots[at] ?? 0] ?? 0) - Math.round((values[at] ?? 0) * SCALE) * PLACES;
  }
  keys.sort();
  const ranked: number[] = [];
  for (const key of keys) ranked.push(order.slots[key - Math.floor(key / PLACES) * PLACES] ?? 0);
  return ranked;
}

/** How flat the first ranks are. */
const RANK_OFFSET = 60;

/**
 * Two orders as one, by rank alone: each gives a slot 1 / (60 + rank). Ties by the first order, then by the second.
 *
 * @see Cormack, Clarke, Büttcher: Reciprocal rank fusion (SIGIR 2009)
 */
export function fuseRanks(first: readonly number[], second: readonly number[]): number[] {
  const sums = new Map<number, number>();
  for (const order of [first, second]) {
    for (const [index, slot] of order.entries()) sums.set(slot, (sums.get(slot) ?? 0) + 1 / (RANK_OFFSET + index + 1));
  }
  return [...sums].sort(([, a], [, b]) => b - a).map(([slot]) => slot);
}
