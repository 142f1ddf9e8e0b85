/** Scores: what each tool is worth for a whole query. */

import type { PlannedWord } from './query-plan.js';
import { synonyms } from './synonyms.js';
import { stem } from './words.js';

/** Slots and worths in turn: the tools that have one word, as one flat list. */
export type Postings = readonly number[];
export type PostingsOf = (term: string) => Postings;

/** How much of a score depends on how much of the query was found. */
const COVERAGE = 0.65;
/** What the best clause of a query adds to the whole. */
const CLAUSE = 0.8;
/** What a tool that reads gains when a short query says what and not what to do with it. */
const READING = 0.3;
const READERS = ['list', 'search', 'get'].map(stem);
const MAX_TOPIC_WORDS = 4;

/**
 * Adds to the score of the whole query that of the clause which a tool answers best, on the same scale: a query for two
 * things finds both, and not only what has a little of each.
 */
export function scoreQuery(
  whole: readonly PlannedWord[],
  clauses: readonly (readonly PlannedWord[])[],
  postingsOf: PostingsOf,
  slots: number,
): Float64Array {
  const scores = scoreWords(whole, postingsOf, slots);
  const top = highest(scores);
  if (clauses.length < 2 || top === 0) return scores;
  const gains = new Float64Array(slots);
  for (const clause of clauses) {
    const parts = scoreWords(clause, postingsOf, slots);
    const scale = (CLAUSE * top) / (highest(parts) || 1);
    for (let slot = 0; slot < slots; slot += 1) gains[slot] = Math.max(gains[slot] ?? 0, (parts[slot] ?? 0) * scale);
  }
  for (let slot = 0; slot < slots; slot += 1) gains[slot] = (gains[slot] ?? 0) + (scores[slot] ?? 0);
  return gains;
}

/** The best variant of each word, summed, times the share of the query that was found. */
function scoreWords(words: readonly PlannedWord[], postingsOf: PostingsOf, slots: number): Float64Array {
  const sums = new Float64Array(slots);
  const found = new Float64Array(slots);
  const best = new Float64Array(slots);
  let whole = 0;
  for (const { rarity, variants } of words) {
    whole += rarity;
    const touched: number[] = [];
    for (const { term, factor } of variants) {
      const postings = postingsOf(term);
      for (let at = 0; at < postings.length; at += 2) {
        const slot = postings[at] ?? 0;
        const worth = factor * (postings[at + 1] ?? 0);
        const before = best[slot] ?? 0;
        if (before === 0) touched.push(slot);
        if (worth > before) best[slot] = worth;
      }
    }
    for (const slot of touched) {
      sums[slot] = (sums[slot] ?? 0) + (best[slot] ?? 0);
      found[slot] = (found[slot] ?? 0) + rarity;
      best[slot] = 0;
    }
  }
  if (isTopic(words)) preferReaders(sums, postingsOf);
  if (whole > 0)
    for (let slot = 0; slot < slots; slot += 1) {
      sums[slot] = (sums[slot] ?? 0) * (1 - COVERAGE + (COVERAGE * (found[slot] ?? 0)) / whole);
    }
  return sums;
}

/** A few words of which none says what is to be done. */
function isTopic(words: readonly PlannedWord[]): boolean {
  return words.length <= MAX_TOPIC_WORDS && !words.some(({ word }) => synonyms().verbs.has(stem(word)));
}

/** Whoever names a thing and no action is best served by a tool that looks, and harmed least. */
function preferReaders(sums: Float64Array, postingsOf: PostingsOf): void {
  for (const reader of READERS) {
    const postings = postingsOf(reader);
    for (let at = 0; at < postings.length; at += 2) {
      const slot = postings[at] ?? 0;
      const sum = sums[slot] ?? 0;
      if (sum > 0) sums[slot] = sum + READING * (postings[at + 1] ?? 0);
    }
  }
}

function highest(scores: Float64Array): number {
  let top = 0;
  for (let slot = 0; slot < scores.length; slot += 1) top = Math.max(top, scores[slot] ?? 0);
  return top;
}
