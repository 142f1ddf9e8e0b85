/** The names that a model may have meant. */

import { compareCodeUnits } from '@holdfast/kernel';
import type { SearchIndex } from './search/search-index.js';
import { editDistance } from './search/vocabulary.js';

const MAX_NAMES = 5;
/** A legal name has 64 characters; a longer one is compared by its beginning. */
const MAX_COMPARED = 64;

/** Up to five of the `visible` names that are near the given one: first by spelling, then as search ranks them. */
export function nearNames(name: string, visible: readonly string[], index: SearchIndex): string[] {
  if (visible.length === 0) return [];
  const wanted = name.slice(0, MAX_COMPARED).toLowerCase();
  const allowance = Math.max(1, Math.floor(wanted.length / 4));
  const spelled = visible
    .map((other) => ({ name: other, distance: editDistance(wanted, other.toLowerCase(), allowance) }))
    .filter((entry) => entry.distance <= allowance)
    .sort((a, b) => a.distance - b.distance || compareCodeUnits(a.name, b.name))
    .map((entry) => entry.name);
  const seen = new Set(visible);
  const related = index
    .search(wanted)
    .slots.map((slot) => index.nameAt(slot))
    .filter((other) => seen.has(other));
  return [...new Set([...spelled, ...related])].slice(0, MAX_NAMES);
}
