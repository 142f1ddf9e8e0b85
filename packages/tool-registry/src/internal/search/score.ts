/** Scores: what each tool is worth for a whole query. */

import type { PlannedWord, Variant } from './query-plan.js';
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

/** The slots with a score, and in the same order their scores. Most tools answer no word of most queries. */
export interface Scores {
  readonly slots: readonly number[];
  readonly values: Float64Array;
}

/** Figures by slot, all zero between two uses: a query pays for what it finds, and not for all tools. */
interface Sheet {
  readonly sums: Float64Array;
  readonly found: Float64Array;
  readonly best: Float64Array;
  readonly gains: Float64Array;
}

/** The sheet of the query before, unless it is in use; one that was not left clean is not given back. */
let spare: Sheet | undefined;

function takeSheet(size: number): Sheet {
  const sheet = spare;
  spare = undefined;
  if (sheet && sheet.sums.length >= size) return sheet;
  const column = () => new Float64Array(size);
  return { sums: column(), found: column(), best: column(), gains: column() };
}

/**
 * Adds to the score of the whole query that of the clause which a tool answers best, on the same scale: a query for two
 * things finds both, and not only what has a little of each.
 */
export function scoreQuery(
  whole: readonly PlannedWord[],
  clauses: readonly (readonly PlannedWord[])[],
  postingsOf: PostingsOf,
  size: number,
): Scores {
  const sheet = takeSheet(size);
  const scores = scoreWords(whole, postingsOf, sheet);
  if (clauses.length >= 2) addClauses(scores, clauses, postingsOf, sheet);
  spare = sheet;
  return scores;
}

/** The words of a clause are words of the query, so that each slot of a clause has a score already. */
function addClauses(
  { slots, values }: Scores,
  clauses: readonly (readonly PlannedWord[])[],
  postingsOf: PostingsOf,
  sheet: Sheet,
): void {
  const { gains } = sheet;
  const top = highest(values);
  for (const clause of clauses) {
    const part = scoreWords(clause, postingsOf, sheet);
    const scale = (CLAUSE * top) / (highest(part.values) || 1);
    for (const [at, slot] of part.slots.entries()) {
      gains[slot] = Math.max(gains[slot] ?? 0, (part.values[at] ?? 0) * scale);
    }
  }
  for (const [at, slot] of slots.entries()) {
    values[at] = (values[at] ?? 0) + (gains[slot] ?? 0);
    gains[slot] = 0;
  }
}

/** The best variant of each word, summed, times the share of the query that was found. */
function scoreWords(words: readonly PlannedWord[], postingsOf: PostingsOf, { sums, found, best }: Sheet): Scores {
  const slots: number[] = [];
  let whole = 0;
  for (const { rarity, variants } of words) {
    whole += rarity;
    for (const slot of pickBest(variants, postingsOf, best)) {
      if (found[slot] === 0) slots.push(slot);
      sums[slot] = (sums[slot] ?? 0) + (best[slot] ?? 0);
      found[slot] = (found[slot] ?? 0) + rarity;
      best[slot] = 0;
    }
  }
  if (isTopic(words)) preferReaders(sums, postingsOf);
  const values = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    values[at] = (sums[slot] ?? 0) * (1 - COVERAGE + (COVERAGE * (found[slot] ?? 0)) / whole);
    sums[slot] = 0;
    found[slot] = 0;
  }
  return { slots, values };
}

/** Puts the best worth of a word's variants into `best`, which is all zero, and gives the slots that have one. */
function pickBest(variants: readonly Variant[], postingsOf: PostingsOf, best: Float64Array): number[] {
  const slots: number[] = [];
  for (const { term, factor } of variants) {
    const postings = postingsOf(term);
    for (let at = 0; at < postings.length; at += 2) {
      const slot = postings[at] ?? 0;
      const worth = factor * (postings[at + 1] ?? 0);
      const before = best[slot] ?? 0;
      if (before === 0) slots.push(slot);
      if (worth > before) best[slot] = worth;
    }
  }
  return slots;
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

function highest(values: Float64Array): number {
  return values.reduce((top, value) => Math.max(top, value), 0);
}
