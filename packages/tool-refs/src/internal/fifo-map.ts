/** A map that gives back its oldest entry. Setting a key makes it the newest. */

export class FifoMap<K, V> {
  readonly #entries = new Map<K, V>();
  /**
   * Stands before the oldest entry. Keeping one iterator makes removal amortised O(1): a new one would step over
   * every removed entry that the engine has not yet compacted.
   */
  readonly #oldest = this.#entries.entries();

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Removes and returns the oldest entry. */
  shift(): [K, V] | undefined {
    // An iterator that has once reported its end stays there, so an empty map is not asked.
    if (this.#entries.size === 0) return undefined;
    const { value } = this.#oldest.next() as IteratorYieldResult<[K, V]>;
    this.#entries.delete(value[0]);
    return value;
  }

  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}
