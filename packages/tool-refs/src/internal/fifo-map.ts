/** A map that gives back its oldest entry. Setting a key makes it the newest. */

/** An entry in a ring from the oldest to the newest; the link without an entry stands between the two ends. */
class Link<K, V> {
  older: Link<K, V> = this;
  newer: Link<K, V> = this;
  readonly entry: readonly [K, V] | undefined;

  constructor(entry?: readonly [K, V]) {
    this.entry = entry;
  }
}

/**
 * Every operation is O(1), and nothing is held but the entries. The order of a `Map` does not give both: a new
 * iterator steps over every removed entry that the engine has not yet compacted, and one that is kept holds every
 * table that the map has outgrown, with the values in it.
 */
export class FifoMap<K, V> {
  readonly #links = new Map<K, Link<K, V>>();
  readonly #ends = new Link<K, V>();

  get size(): number {
    return this.#links.size;
  }

  get(key: K): V | undefined {
    return this.#links.get(key)?.entry?.[1];
  }

  set(key: K, value: V): void {
    this.delete(key);
    const link = new Link<K, V>([key, value]);
    link.newer = this.#ends;
    link.older = this.#ends.older;
    link.older.newer = link;
    link.newer.older = link;
    this.#links.set(key, link);
  }

  delete(key: K): void {
    const link = this.#links.get(key);
    if (!link) return;
    link.older.newer = link.newer;
    link.newer.older = link.older;
    this.#links.delete(key);
  }

  clear(): void {
    this.#links.clear();
    this.#ends.older = this.#ends;
    this.#ends.newer = this.#ends;
  }

  /** Removes and returns the oldest entry. */
  shift(): readonly [K, V] | undefined {
    const { entry } = this.#ends.newer;
    if (entry) this.delete(entry[0]);
    return entry;
  }

  /** All entries, the oldest first. */
  *entries(): Generator<readonly [K, V]> {
    for (let link = this.#ends.newer; link.entry; link = link.newer) yield link.entry;
  }
}
