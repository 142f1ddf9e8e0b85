/** The order in which objects with the same keys are written, remembered between calls. */

import { sortNames } from './canonical-sort.js';
import { quote } from './json-text.js';

/** The keys of an object as it lists them and as they are written. */
export interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  /** Made when the same keys come a second time. */
  prefixes?: KeyPrefixes;
}

/**
 * The text before each value: `{"key":` and `,"key":`, and the same with the quote that opens a string, with the one that
 * closes the string before, or with both. Each piece that is appended costs, so the quotes go with the keys.
 */
export interface KeyPrefixes {
  readonly plain: readonly string[];
  readonly opening: readonly string[];
  readonly closing: readonly string[];
  readonly closingOpening: readonly string[];
}

/** So many orders that begin with the same key are remembered, until so many others came in a row. */
const MAX_SAME_FIRST = 24;
const MAX_MISSES = 100;
/** What a key weighs beside its characters. */
const KEY_WEIGHT = 32;
/** Objects with more keys than this, or heavier ones, are sorted each time. */
const MAX_KEYS = 64;
const MAX_ORDER_WEIGHT = 4_096;
/** Beyond this total weight everything is forgotten. It keeps the memory held under two megabytes. */
export const MAX_WEIGHT = 100_000;

/** Orders that begin with the same key, and how many lists of keys were not among them since the last that was. */
interface SameFirst {
  readonly orders: KeyOrder[];
  misses: number;
}

/** Finds the order for a list of keys. It holds names of properties, never values. */
export class KeyOrders {
  readonly #byFirst = new Map<string, SameFirst>();
  #weight = 0;

  /** Characters of the remembered keys and 32 for each, at most {@link MAX_WEIGHT}. */
  get weight(): number {
    return this.#weight;
  }

  get(keys: readonly string[]): KeyOrder {
    const first = keys[0];
    if (first === undefined || keys.length > MAX_KEYS) return { keys, sorted: sortNames(keys) };
    const known = this.#byFirst.get(first);
    if (known === undefined) return this.#remember(keys, first);
    for (const order of known.orders) {
      if (!isSameList(order.keys, keys)) continue;
      order.prefixes ??= prefixesOf(order.sorted);
      known.misses = 0;
      return order;
    }
    if (known.orders.length < MAX_SAME_FIRST) return this.#remember(keys, first);
    if (++known.misses === MAX_MISSES) this.#forget(first, known);
    return { keys, sorted: sortNames(keys) };
  }

  #remember(keys: readonly string[], first: string): KeyOrder {
    const order: KeyOrder = { keys, sorted: sortNames(keys) };
    const weight = weightOf(keys);
    if (weight > MAX_ORDER_WEIGHT) return order;
    if (this.#weight + weight > MAX_WEIGHT) {
      this.#byFirst.clear();
      this.#weight = 0;
    }
    const known = this.#byFirst.get(first) ?? { orders: [], misses: 0 };
    known.orders.push(order);
    this.#byFirst.set(first, known);
    this.#weight += weight;
    return order;
  }

  #forget(first: string, { orders }: SameFirst): void {
    for (const { keys } of orders) this.#weight -= weightOf(keys);
    this.#byFirst.delete(first);
  }
}

/** Compares element by element, which for names of properties compares pointers. */
function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}

function prefixesOf(sorted: readonly string[]): KeyPrefixes {
  const plain = sorted.map((key, index) => `${index === 0 ? '{' : ','}${quote(key)}:`);
  const opening = plain.map((prefix) => `${prefix}"`);
  const closed = (prefix: string) => `"${prefix}`;
  return { plain, opening, closing: plain.map(closed), closingOpening: opening.map(closed) };
}

function weightOf(keys: readonly string[]): number {
  return keys.reduce((weight, key) => weight + KEY_WEIGHT + key.length, 0);
}
