/** Why a tool was found: which words of the query, as what, in which of its texts. */

import { eachMention, type SearchDocument, saturate, type ToolSearchField } from './document.js';
import type { PlannedWord, ToolSearchMatch } from './query-plan.js';
import { stem } from './words.js';

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

/** Reads the tool's texts again, once: only those that are shown are explained. */
export function explainMatch(document: SearchDocument | undefined, plan: readonly PlannedWord[]): Explanation {
  if (document === undefined) return { named: false, coverage: 0, words: [] };
  const mentioned = mentionsOf(document);
  const words: ToolSearchWord[] = [];
  let whole = 0;
  let covered = 0;
  for (const { word, rarity, variants } of plan) {
    whole += rarity;
    const best = bestVariant(variants, mentioned);
    if (best === undefined) continue;
    covered += rarity;
    const { found, fields } = best.mentions;
    words.push({ word, match: best.match, found, fields: [...fields] });
  }
  return { named: false, coverage: whole === 0 ? 0 : covered / whole, words };
}

/** What a tool says with one stem. */
interface Mentions {
  sum: number;
  /** As the weightiest of the fields has it first, in lower case. */
  readonly found: string;
  readonly fields: ToolSearchField[];
}

function mentionsOf(document: SearchDocument): ReadonlyMap<string, Mentions> {
  const all = new Map<string, Mentions>();
  eachMention(document, (word, worth, field) => {
    const term = stem(word);
    const known = all.get(term);
    if (known === undefined) {
      all.set(term, { sum: worth, found: word.toLowerCase(), fields: [field] });
      return;
    }
    known.sum += worth;
    if (known.fields[known.fields.length - 1] !== field) known.fields.push(field);
  });
  return all;
}

function bestVariant(variants: PlannedWord['variants'], mentioned: ReadonlyMap<string, Mentions>) {
  let most = 0;
  let best: { readonly match: ToolSearchMatch; readonly mentions: Mentions } | undefined;
  for (const { term, factor, match } of variants) {
    const mentions = mentioned.get(term);
    const worth = mentions === undefined ? 0 : factor * saturate(mentions.sum);
    if (mentions !== undefined && worth > most) {
      most = worth;
      best = { match, mentions };
    }
  }
  return best;
}
