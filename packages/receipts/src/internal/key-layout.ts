/** The order in which an object's keys are written. */

import { quote } from './json-text.js';

/** The keys of one object as it lists them and as they are written; `prefixes` holds `{"key":` and `,"key":`. */
export interface KeyLayout {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  prefixes?: readonly string[];
}

/** Remembers the last layout at each depth of one call, so that rows of the same shape are sorted and quoted once. */
export class KeyLayouts {
  readonly #lastAtDepth: KeyLayout[] = [];

  get(keys: readonly string[], depth: number): KeyLayout {
    const last = this.#lastAtDepth[depth];
    if (last !== undefined && sameKeys(last.keys, keys)) {
      last.prefixes ??= last.sorted.map(prefix);
      return last;
    }
    const layout = { keys, sorted: sortKeys(keys) };
    this.#lastAtDepth[depth] = layout;
    return layout;
  }
}

function sameKeys(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

/** The text that goes before a value: the comma or the opening brace, and the key. */
export function prefix(key: string, index: number): string {
  return `${index === 0 ? '{' : ','}${quote(key)}:`;
}

/** Up to this many keys an insertion sort beats the native one. */
const FEW_KEYS = 16;

/** Sorts by UTF-16 code units, as RFC 8785 asks; it is what `sort` and `>` do to strings. */
function sortKeys(keys: readonly string[]): readonly string[] {
  const sorted = keys.slice();
  if (sorted.length > FEW_KEYS) return isSorted(sorted) ? sorted : sorted.sort();
  for (let end = 1; end < sorted.length; end++) {
    const key = sorted[end] as string;
    let place = end;
    while (place > 0 && (sorted[place - 1] as string) > key) {
      sorted[place] = sorted[place - 1] as string;
      place--;
    }
    sorted[place] = key;
  }
  return sorted;
}

function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key);
}
