/** Postings by word, shared by an index with its forks until one of them changes. */

import type { Postings } from './score.js';

const NONE: Postings = [];

/** The order within a list means nothing. */
export class PostingsMap {
  #lists = new Map<string, number[]>();
  /** What a sharer may change all the same: the lists that it has made since. Nothing is shared while it is undefined. */
  #own: WeakSet<number[]> | undefined;
  #sharesMap = false;

  /** Takes over all lists of another one; neither changes them from now on. */
  share(other: PostingsMap): void {
    this.#lists = other.#lists;
    for (const sharer of [this, other]) {
      sharer.#own = new WeakSet();
      sharer.#sharesMap = true;
    }
  }

  get(term: string): Postings {
    return this.#lists.get(term) ?? NONE;
  }

  terms(): Iterable<string> {
    return this.#lists.keys();
  }

  /** Adds entries; tells whether the word is new. */
  add(term: string, entries: readonly number[]): boolean {
    const list = this.#lists.get(term);
    // A copy is as long as it is: a list that was pushed to has room for more, which most words never need.
    const own = list ? this.#writable(term, list) : this.#keep(term, [...entries]);
    if (list) for (const number of entries) own.push(number);
    return !list;
  }

  /** Takes the entry of a slot out, and with the last entry the word. */
  remove(term: string, slot: number): void {
    const list = this.#lists.get(term);
    if (list === undefined) return;
    const own = this.#writable(term, list);
    let at = 0;
    while (at < own.length && own[at] !== slot) at += 2;
    const [lastSlot = 0, lastWorth = 0] = own.splice(-2);
    // The last pair takes the place of the one that goes.
    if (at < own.length) own.splice(at, 2, lastSlot, lastWorth);
    if (own.length === 0) this.#lists.delete(term);
  }

  clear(): void {
    this.#lists = new Map();
    this.#own = undefined;
    this.#sharesMap = false;
  }

  #writable(term: string, list: number[]): number[] {
    return !this.#own || this.#own.has(list) ? list : this.#keep(term, [...list]);
  }

  #keep(term: string, list: number[]): number[] {
    if (this.#sharesMap) this.#lists = new Map(this.#lists);
    this.#sharesMap = false;
    this.#lists.set(term, list);
    this.#own?.add(list);
    return list;
  }
}
