/**
 * Tells cheaply that arguments hold no placeholder, which is what most arguments hold: nothing is allocated, and no
 * property is read twice.
 */

import { isContainer, MAX_INDEXED_LENGTH } from './containers.js';
import { OPENING, SHORTEST } from './placeholder.js';

/** Deeper or larger arguments count as if they held one. So do cycles, which end at one of these bounds. */
const MAX_DEPTH = 200;
const MAX_CONTAINERS = 100_000;

/** `false` when no string of a tree can hold a placeholder; `true` when one may, or it would take long to tell. */
export function mayHoldPlaceholder(root: object): boolean {
  return searchContainer(root, 0, MAX_CONTAINERS) < 0;
}

/** How many more containers may be looked at; below 0 when the search has ended. */
function searchContainer(container: object, depth: number, budget: number): number {
  if (depth > MAX_DEPTH) return -1;
  let left = budget - 1;
  if (Array.isArray(container)) {
    if (container.length > MAX_INDEXED_LENGTH) return -1;
    for (let index = 0; index < container.length && left >= 0; index++) {
      left = searchValue(container[index], depth, left);
    }
    return left;
  }
  for (const key in container) {
    left = searchValue((container as Record<string, unknown>)[key], depth, left);
    if (left < 0) return left;
  }
  return left;
}

function searchValue(value: unknown, depth: number, budget: number): number {
  if (typeof value === 'string') return value.length >= SHORTEST && value.includes(OPENING) ? -1 : budget;
  return isContainer(value) ? searchContainer(value, depth + 1, budget) : budget;
}
