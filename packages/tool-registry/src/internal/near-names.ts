/** The names that a model may have meant. */

import { compareCodeUnits } from '@holdfast/kernel';
import { rankDocuments, type SearchDocument } from './search.js';

const MAX_NAMES = 5;
/** A legal name has 64 characters; a longer one is compared by its beginning. */
const MAX_COMPARED = 64;

/** Up to five names near the given one: first by spelling, then by words in common. */
export function nearNames(name: string, documents: readonly SearchDocument[]): string[] {
  const wanted = name.slice(0, MAX_COMPARED).toLowerCase();
  const allowance = Math.max(1, Math.floor(wanted.length / 4));
  const spelled = documents
    .map((document) => ({
      name: document.name,
      distance: editDistance(wanted, document.name.toLowerCase(), allowance),
    }))
    .filter((entry) => entry.distance <= allowance)
    .sort((a, b) => a.distance - b.distance || compareCodeUnits(a.name, b.name))
    .map((entry) => entry.name);
  const related = rankDocuments(wanted, documents, new Set());
  return [...new Set([...spelled, ...related])].slice(0, MAX_NAMES);
}

/** Insertions, deletions, substitutions between two texts; some number above `limit` when there are more than that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
