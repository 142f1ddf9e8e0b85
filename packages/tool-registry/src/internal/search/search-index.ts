/** The index: which tools have which words. Kept in step with the registry, shared with its forks until one changes. */

import { compareCodeUnits } from '@holdfast/kernel';
import { nameSpellings, type SearchDocument, stemSums } from './document.js';
import { type Explanation, explainMatch, NAMED } from './explain.js';
import { GatheredWords } from './gathered-words.js';
import { PostingsMap } from './postings-map.js';
import { readQuery } from './query.js';
import { planClauses, planWords, type Terms } from './query-plan.js';
import { type NameOrder, orderNames, rankSlots } from './rank.js';
import { type Postings, type Scores, scoreQuery } from './score.js';
import { Vocabulary } from './vocabulary.js';
import { nameLetters } from './words.js';

/** What a query finds, by slot: first what the query names, then the best, and why each of it was found. */
export interface SearchResult {
  readonly slots: readonly number[];
  /** How many of them, from the first on, the query names. */
  readonly named: number;
  explain(slot: number): Explanation;
}

const EXACT = 3;
const FULL_SPELLING = 2;
const BASE_SPELLING = 1;

/**
 * An inverted index. Each document has a slot, a small number that it keeps as long as it is here. Words are only counted
 * when a tool comes or goes; who may see a tool is no matter of the index. The order of changes leaves no trace: what is
 * found depends on the documents alone.
 */
export class SearchIndex {
  readonly #stopWords: ReadonlySet<string>;
  /** By stem. */
  readonly #words = new PostingsMap();
  /** By the letters of a name; the worth of a spelling is its tier. */
  readonly #spellings = new PostingsMap();
  #documents: (SearchDocument | undefined)[] = [];
  #slots = new Map<string, number>();
  #freeSlots: number[] = [];
  /** May still have words that no tool has any more; those are asked for how many have them. */
  #vocabulary: Vocabulary | undefined;
  /** May still have slots that are free, which no query finds. */
  #order: NameOrder | undefined;

  /** @param stopWords - stems of further words that find nothing */
  constructor(stopWords: ReadonlySet<string>) {
    this.#stopWords = stopWords;
  }

  /** An index of the same documents. Whichever of the two changes first copies what it changes, and no more. */
  fork(): SearchIndex {
    const fork = new SearchIndex(this.#stopWords);
    fork.#words.share(this.#words);
    fork.#spellings.share(this.#spellings);
    fork.#vocabulary = this.#vocabulary;
    fork.#order = this.#order;
    fork.#documents = [...this.#documents];
    fork.#slots = new Map(this.#slots);
    fork.#freeSlots = [...this.#freeSlots];
    return fork;
  }

  /** Takes documents in, each in the slot of one with the same name if there is one, and gives their slots. */
  add(documents: readonly SearchDocument[]): number[] {
    const gathered = new GatheredWords();
    const slots = documents.map((document) => {
      this.remove(document.name);
      const slot = this.#freeSlots.pop() ?? this.#documents.length;
      this.#documents[slot] = document;
      this.#slots.set(document.name, slot);
      this.#order = undefined;
      for (const [spelling, tier] of spellingsOf(document)) this.#spellings.add(spelling, [slot, tier]);
      gathered.read(document, slot);
      return slot;
    });
    for (const { term, entries } of gathered.words()) {
      if (this.#words.add(term, entries)) this.#vocabulary = undefined;
    }
    return slots;
  }

  remove(name: string): void {
    const slot = this.#slots.get(name);
    const document = slot === undefined ? undefined : this.#documents[slot];
    if (slot === undefined || document === undefined) return;
    for (const spelling of spellingsOf(document).keys()) this.#spellings.remove(spelling, slot);
    for (const term of stemSums(document).keys()) this.#words.remove(term, slot);
    this.#documents[slot] = undefined;
    this.#slots.delete(name);
    this.#freeSlots.push(slot);
  }

  clear(): void {
    this.#words.clear();
    this.#spellings.clear();
    this.#documents = [];
    this.#slots.clear();
    this.#freeSlots = [];
    this.#vocabulary = undefined;
    this.#order = undefined;
  }

  /** @param isSeen - who may not be seen must not stand for a selected name, where another tool has it as well */
  search(query: string, isSeen: (slot: number) => boolean = () => true): SearchResult {
    const read = readQuery(query);
    if (read.kind === 'select') {
      const slots = [...new Set(read.names.flatMap((name) => this.#spelledAs(name).find(isSeen) ?? []))];
      return { slots, named: slots.length, explain: () => NAMED };
    }
    const whole = planWords(read.text, this.#terms(), this.#stopWords);
    const clauses = planClauses(read.clauses, whole, this.#stopWords);
    const scores = scoreQuery(whole, clauses, this.#postingsOf, this.#documents.length);
    const first = this.#spelledAs(read.text, scores);
    this.#order ??= orderNames(this.#slots, this.#documents.length);
    const others = rankSlots(scores, this.#order);
    return {
      slots: first.length === 0 ? others : [...new Set([...first, ...others])],
      named: first.length,
      explain: (slot) => (first.includes(slot) ? NAMED : explainMatch(this.#documents[slot], whole)),
    };
  }

  slotOf(name: string): number | undefined {
    return this.#slots.get(name);
  }

  nameAt(slot: number): string {
    return this.#documents[slot]?.name ?? '';
  }

  /** The tools with exactly this name, then in another spelling, then without the server; equals by score, then name. */
  #spelledAs(written: string, scores?: Scores): number[] {
    const letters = nameLetters(written);
    const postings = this.#spellings.get(letters);
    const spelled: { slot: number; name: string; tier: number; score: number }[] = [];
    for (let at = 0; at < postings.length; at += 2) {
      const slot = postings[at] ?? 0;
      const name = this.nameAt(slot);
      const score = scores?.values[scores.slots.indexOf(slot)] ?? 0;
      spelled.push({ slot, name, tier: name === written ? EXACT : (postings[at + 1] ?? 0), score });
    }
    spelled.sort((a, b) => b.tier - a.tier || b.score - a.score || compareCodeUnits(a.name, b.name));
    return spelled.map(({ slot }) => slot);
  }

  readonly #postingsOf = (term: string): Postings => this.#words.get(term);

  #terms(): Terms {
    this.#vocabulary ??= new Vocabulary(this.#words.terms());
    const holding = (term: string) => this.#postingsOf(term).length / 2;
    return { vocabulary: this.#vocabulary, size: this.#slots.size, holding };
  }
}

/** The spellings of a tool's name, with the tier of each. One that is both whole and base counts as whole. */
function spellingsOf(document: SearchDocument): Map<string, number> {
  const { full, bases } = nameSpellings(document);
  return new Map(bases.map((base) => [base, BASE_SPELLING])).set(full, FULL_SPELLING);
}
