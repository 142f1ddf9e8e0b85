/** The words of several documents, gathered before an index takes them in: each is reduced to its stem once. */

import { eachMention, type SearchDocument, saturate } from './document.js';
import { stem } from './words.js';

/** A word of these documents. */
export interface GatheredWord {
  readonly term: string;
  /** Slots and worths in turn. */
  readonly entries: number[];
  /** While a document is read: the sum of its mentions. */
  sum: number;
}

export class GatheredWords {
  /** By the word as it is written; words with one stem are one. */
  readonly #asWritten = new Map<string, GatheredWord>();
  readonly #byTerm = new Map<string, GatheredWord>();

  read(document: SearchDocument, slot: number): void {
    const mentioned: GatheredWord[] = [];
    eachMention(document, (word, worth) => {
      const gathered = this.#asWritten.get(word) ?? this.#meet(word);
      if (gathered.sum === 0) mentioned.push(gathered);
      gathered.sum += worth;
    });
    for (const gathered of mentioned) {
      gathered.entries.push(slot, saturate(gathered.sum));
      gathered.sum = 0;
    }
  }

  words(): Iterable<GatheredWord> {
    return this.#byTerm.values();
  }

  #meet(word: string): GatheredWord {
    const term = stem(word);
    const gathered = this.#byTerm.get(term) ?? { term, entries: [], sum: 0 };
    this.#byTerm.set(term, gathered);
    this.#asWritten.set(word, gathered);
    return gathered;
  }
}
