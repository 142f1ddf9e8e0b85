/** What a query asks for: its words, and for each the words of tools that answer it. */

import { synonyms } from './synonyms.js';
import type { Vocabulary } from './vocabulary.js';
import { isSpelled, type QueryWord, queryWords, stem } from './words.js';

/** How a word of a tool answers a word of the query. */
export type ToolSearchMatch = 'word' | 'beginning' | 'part' | 'compound' | 'synonym' | 'spelling';

/** What a match is worth beside the word itself. Beginnings and parts also lose with the share that is missing. */
const BEGINNING = 0.6;
const PART = 0.3;
const COMPOUND = 0.8;
const SYNONYM = 0.4;
const SPELLING = 0.6;

/** The least letters of a word that others may begin with, contain, or be a misspelling of. */
const MIN_BEGINNING = 3;
const MIN_PART = 4;
const MIN_MISSPELT = 4;
/** From this length on a word may have two wrong letters. */
const TWO_MISTAKES = 8;

export interface Variant {
  readonly term: string;
  readonly match: ToolSearchMatch;
  /** What a tool's worth for the term is multiplied with: likeness times rarity. */
  readonly factor: number;
}

export interface PlannedWord {
  /** As in the query. */
  readonly word: string;
  /** Its part of the whole query: its rarity, or that of the rarest word that answers it. */
  readonly rarity: number;
  readonly variants: readonly Variant[];
}

/** What a plan is made from. */
export interface Terms {
  readonly vocabulary: Vocabulary;
  /** Tools in all. */
  readonly size: number;
  /** How many tools have a word. */
  holding(term: string): number;
}

/** The words of a query with what answers them. */
export function planWords(query: string, terms: Terms, stopWords: ReadonlySet<string>): PlannedWord[] {
  return queryWords(query, stopWords).map((word) => planWord(word, terms));
}

/** The words of each clause that has any, as they were planned for the whole query. */
export function planClauses(
  clauses: readonly string[],
  whole: readonly PlannedWord[],
  stopWords: ReadonlySet<string>,
): PlannedWord[][] {
  if (clauses.length < 2) return [];
  const planned = new Map(whole.map((one) => [one.word, one]));
  return clauses
    .map((clause) => queryWords(clause, stopWords).flatMap(({ word }) => planned.get(word) ?? []))
    .filter((words) => words.length > 0);
}

function planWord({ word, compounds }: QueryWord, terms: Terms): PlannedWord {
  const term = stem(word);
  const likeness = new Map<string, { match: ToolSearchMatch; likeness: number }>();
  const add = (other: string, match: ToolSearchMatch, worth: number) => {
    if (worth > (likeness.get(other)?.likeness ?? 0) && terms.holding(other) > 0) {
      likeness.set(other, { match, likeness: worth });
    }
  };
  add(term, 'word', 1);
  for (const compound of compounds) add(stem(compound), 'compound', COMPOUND);
  for (const synonym of synonyms().bySense.get(term) ?? []) add(synonym, 'synonym', SYNONYM);
  if (isSpelled(word)) addSpelled(term, likeness.size > 0, terms.vocabulary, add);
  return weigh(word, term, likeness, terms);
}

/** Words with letters in common; parts and misspellings only of a word that means nothing here as it is. */
function addSpelled(
  term: string,
  known: boolean,
  vocabulary: Vocabulary,
  add: (other: string, match: ToolSearchMatch, worth: number) => void,
): void {
  if (term.length >= MIN_BEGINNING) {
    for (const other of vocabulary.beginningWith(term))
      add(other, 'beginning', (BEGINNING * term.length) / other.length);
  }
  if (known) return;
  if (term.length >= MIN_PART) {
    for (const other of vocabulary.containing(term)) add(other, 'part', (PART * term.length) / other.length);
  }
  if (term.length >= MIN_MISSPELT) {
    for (const [other, distance] of vocabulary.near(term, term.length < TWO_MISTAKES ? 1 : 2)) {
      add(other, 'spelling', SPELLING * (1 - distance / Math.max(term.length, other.length)));
    }
  }
}

/** A word that stands for another counts no more than the other would. */
function weigh(
  word: string,
  term: string,
  likeness: ReadonlyMap<string, { match: ToolSearchMatch; likeness: number }>,
  terms: Terms,
): PlannedWord {
  const own = terms.holding(term);
  const most = own > 0 ? rarityOf(own, terms.size) : Number.POSITIVE_INFINITY;
  let rarity = own > 0 || likeness.size === 0 ? rarityOf(own, terms.size) : 0;
  const variants: Variant[] = [];
  for (const [other, { match, likeness: worth }] of likeness) {
    const rare = Math.min(most, rarityOf(terms.holding(other), terms.size));
    rarity = Math.max(rarity, rare);
    variants.push({ term: other, match, factor: worth * rare });
  }
  return { word, rarity, variants };
}

/** Inverse document frequency, always positive. */
function rarityOf(holding: number, size: number): number {
  return Math.log(1 + (size - holding + 0.5) / (holding + 0.5));
}
