/** Why a tool was found: which words of the query, as what, in which of its texts. */

import {
  fieldTexts,
  SEARCH_FIELDS,
  type SearchDocument,
  saturate,
  stemSums,
  type ToolSearchField,
} from './document.js';
import type { PlannedWord, ToolSearchMatch } from './query-plan.js';
import { splitWords, stem } from './words.js';

/** One word of a query that a tool answers. */
export interface ToolSearchWord {
  /** As the query has it, in lower case. */
  readonly word: string;
  /** As the tool has it, in lower case. */
  readonly found: string;
  readonly match: ToolSearchMatch;
  /** The texts of the tool that have it, the weightiest first. */
  readonly fields: readonly ToolSearchField[];
}

/** What speaks for a tool. */
export interface Explanation {
  /** The query is the tool's name, in whatever spelling, with or without its server. */
  readonly named: boolean;
  /** The part of the query that was found, from 0 to 1, rare words counting more. Below 0.5 the match is weak. */
  readonly coverage: number;
  readonly words: readonly ToolSearchWord[];
}

export const NAMED: Explanation = { named: true, coverage: 1, words: [] };

/** Reads the tool's texts again: only those that are shown are explained. */
export function explainMatch(document: SearchDocument | undefined, plan: readonly PlannedWord[]): Explanation {
  if (document === undefined) return { named: false, coverage: 0, words: [] };
  const sums = stemSums(document);
  const words: ToolSearchWord[] = [];
  let whole = 0;
  let found = 0;
  for (const planned of plan) {
    whole += planned.rarity;
    const best = bestVariant(planned, sums);
    if (best === undefined) continue;
    found += planned.rarity;
    words.push({ word: planned.word, match: best.match, ...whereFound(document, best.term) });
  }
  return { named: false, coverage: whole === 0 ? 0 : found / whole, words };
}

function bestVariant({ variants }: PlannedWord, sums: ReadonlyMap<string, number>) {
  let most = 0;
  let best: PlannedWord['variants'][number] | undefined;
  for (const variant of variants) {
    const worth = variant.factor * saturate(sums.get(variant.term) ?? 0);
    if (worth > most) {
      most = worth;
      best = variant;
    }
  }
  return best;
}

function whereFound(document: SearchDocument, term: string): Pick<ToolSearchWord, 'found' | 'fields'> {
  const texts = fieldTexts(document);
  const fields: ToolSearchField[] = [];
  let found = term;
  for (const field of SEARCH_FIELDS) {
    const word = splitWords(texts[field]).find((one) => stem(one) === term);
    if (word === undefined) continue;
    if (fields.length === 0) found = word;
    fields.push(field);
  }
  return { found, fields };
}
