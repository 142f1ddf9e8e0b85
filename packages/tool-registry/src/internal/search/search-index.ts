/** The index: which tools have which words. Kept in step with the registry, shared with its forks until one changes. */

import { compareCodeUnits } from '@holdfast/kernel';
import { eachMention, type SearchDocument, saturate, wordSums } from './document.js';
import { type Explanation, explainMatch, NAMED } from './explain.js';
import { readQuery } from './query.js';
import { planClauses, planWords, type Terms } from './query-plan.js';
import { rankSlots } from './rank.js';
import { type Postings, type Scores, scoreQuery } from './score.js';
import { Vocabulary } from './vocabulary.js';
import { nameLetters } from './words.js';

/** What a query finds, best first, and why each of it was found. */
export interface SearchResult {
  readonly names: string[];
  explain(name: string): Explanation;
}

/** Slots and worths in turn, flat, and which index may change them. */
interface OwnedPostings {
  readonly owner: object;
  entries: number[];
  /** While a document is taken in: the sum of its mentions of the word. */
  sum: number;
}

const NO_POSTINGS: Postings = [];
/** Spellings of names stand among the words with this before them, which no word has. */
const SPELLING_MARK = '=';
const EXACT = 3;
const FULL_SPELLING = 2;
const BASE_SPELLING = 1;

/**
 * An inverted index. Words are only counted here when a tool comes or goes; who may see a tool is no matter of the
 * index. The order of changes leaves no trace: what is found depends on the documents alone.
 */
export class SearchIndex {
  readonly #stopWords: ReadonlySet<string>;
  /** Postings with this token are this index's own; others are copied before they change. */
  #owner: object = {};
  #postings = new Map<string, OwnedPostings>();
  #sharesMap = false;
  #documents: (SearchDocument | undefined)[] = [];
  #slots = new Map<string, number>();
  #freeSlots: number[] = [];
  #vocabulary: Vocabulary | undefined;

  /** @param stopWords - stems of further words that find nothing */
  constructor(stopWords: ReadonlySet<string>) {
    this.#stopWords = stopWords;
  }

  /** An index of the same documents. Whichever of the two changes first copies what it changes, and no more. */
  fork(): SearchIndex {
    const fork = new SearchIndex(this.#stopWords);
    fork.#postings = this.#postings;
    fork.#vocabulary = this.#vocabulary;
    fork.#documents = [...this.#documents];
    fork.#slots = new Map(this.#slots);
    fork.#freeSlots = [...this.#freeSlots];
    fork.#sharesMap = true;
    this.#sharesMap = true;
    this.#owner = {};
    return fork;
  }

  /** Takes a document in, in the place of one with the same name. */
  add(document: SearchDocument): void {
    this.remove(document.name);
    const slot = this.#freeSlots.pop() ?? this.#documents.length;
    this.#documents[slot] = document;
    this.#slots.set(document.name, slot);
    for (const [spelling, tier] of spellingsOf(document)) addEntry(this.#writable(spelling), slot, tier);
    const mentioned: OwnedPostings[] = [];
    eachMention(document, (term, worth) => {
      const postings = this.#writable(term);
      if (postings.sum === 0) mentioned.push(postings);
      postings.sum += worth;
    });
    for (const postings of mentioned) {
      addEntry(postings, slot, saturate(postings.sum));
      postings.sum = 0;
    }
  }

  remove(name: string): void {
    const slot = this.#slots.get(name);
    const document = slot === undefined ? undefined : this.#documents[slot];
    if (slot === undefined || document === undefined) return;
    for (const term of [...spellingsOf(document).keys(), ...wordSums(document).keys()]) this.#removePosting(term, slot);
    this.#documents[slot] = undefined;
    this.#slots.delete(name);
    this.#freeSlots.push(slot);
  }

  clear(): void {
    this.#postings = new Map();
    this.#sharesMap = false;
    this.#documents = [];
    this.#slots.clear();
    this.#freeSlots = [];
    this.#vocabulary = undefined;
  }

  search(query: string): SearchResult {
    const read = readQuery(query);
    if (read.kind === 'select') {
      const names = [...new Set(read.names.flatMap((name) => this.#namesSpelled(name)[0] ?? []))];
      return { names, explain: () => NAMED };
    }
    const whole = planWords(read.text, this.#terms(), this.#stopWords);
    const clauses = planClauses(read.clauses, whole, this.#stopWords);
    const scores = scoreQuery(whole, clauses, this.#postingsOf, this.#documents.length);
    const first = this.#namesSpelled(read.text, scores);
    const others = rankSlots(scores, this.#nameOf).map(this.#nameOf);
    return {
      names: first.length === 0 ? others : [...new Set([...first, ...others])],
      explain: (name) => (first.includes(name) ? NAMED : explainMatch(this.#documentOf(name), whole)),
    };
  }

  /** The tools with exactly this name, then in another spelling, then without the server; equals by score, then name. */
  #namesSpelled(written: string, scores?: Scores): string[] {
    const letters = nameLetters(written);
    const postings = letters === '' ? NO_POSTINGS : this.#postingsOf(SPELLING_MARK + letters);
    const spelled: { name: string; tier: number; score: number }[] = [];
    for (let at = 0; at < postings.length; at += 2) {
      const slot = postings[at] ?? 0;
      const name = this.#nameOf(slot);
      spelled.push({
        name,
        tier: name === written ? EXACT : (postings[at + 1] ?? 0),
        score: scores?.bySlot[slot] ?? 0,
      });
    }
    spelled.sort((a, b) => b.tier - a.tier || b.score - a.score || compareCodeUnits(a.name, b.name));
    return spelled.map(({ name }) => name);
  }

  readonly #nameOf = (slot: number): string => this.#documents[slot]?.name ?? '';

  readonly #postingsOf = (term: string): Postings => this.#postings.get(term)?.entries ?? NO_POSTINGS;

  #documentOf(name: string): SearchDocument | undefined {
    return this.#documents[this.#slots.get(name) ?? -1];
  }

  #terms(): Terms {
    this.#vocabulary ??= new Vocabulary([...this.#postings.keys()].filter((term) => !term.startsWith(SPELLING_MARK)));
    const holding = (term: string) => this.#postingsOf(term).length / 2;
    return { vocabulary: this.#vocabulary, size: this.#slots.size, holding };
  }

  #removePosting(term: string, slot: number): void {
    const { entries } = this.#writable(term);
    let at = 0;
    while (at < entries.length && entries[at] !== slot) at += 2;
    // The last pair takes the place of the one that goes: the order within a list means nothing.
    const [lastSlot = 0, lastWorth = 0] = entries.splice(-2);
    if (at < entries.length) entries.splice(at, 2, lastSlot, lastWorth);
    if (entries.length > 0) return;
    this.#postings.delete(term);
    this.#vocabulary = undefined;
  }

  /** The postings of a term as this index's own. */
  #writable(term: string): OwnedPostings {
    if (this.#sharesMap) {
      this.#postings = new Map(this.#postings);
      this.#sharesMap = false;
    }
    const postings = this.#postings.get(term);
    if (postings?.owner === this.#owner) return postings;
    if (postings === undefined) this.#vocabulary = undefined;
    const own = { owner: this.#owner, entries: [...(postings?.entries ?? [])], sum: 0 };
    this.#postings.set(term, own);
    return own;
  }
}

/** Most words are in one tool: their list is made as long as it is, where a pushed one would have room for eight. */
function addEntry(postings: OwnedPostings, slot: number, worth: number): void {
  if (postings.entries.length === 0) postings.entries = [slot, worth];
  else postings.entries.push(slot, worth);
}

/** The spellings of a tool's name, as they stand among the words. */
function spellingsOf({ spellings: [full, ...bases] }: SearchDocument): Map<string, number> {
  const spellings = new Map(bases.map((base) => [SPELLING_MARK + base, BASE_SPELLING]));
  return spellings.set(SPELLING_MARK + full, FULL_SPELLING);
}
