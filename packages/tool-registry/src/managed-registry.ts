/** A named collection that refuses duplicates and keeps the order of registration. */

import { HoldfastError } from '@holdfast/kernel';

/** An id that is missing, or taken. */
export class RegistryIdError extends HoldfastError {
  override readonly name = 'RegistryIdError';
  readonly code = 'ERR_HOLDFAST_REGISTRY_ID';
  readonly id: string;
  readonly reason: 'unknown' | 'duplicate';

  constructor(id: string, reason: 'unknown' | 'duplicate') {
    super(
      reason === 'unknown'
        ? `Nothing is registered as ${JSON.stringify(id)}. listIds() gives the known ids.`
        : `${JSON.stringify(id)} is already registered. Call unregister(id) first, or choose another id.`,
    );
    this.id = id;
    this.reason = reason;
  }
}

/** Items by id, in the order in which they were registered. */
export class ManagedRegistry<T> {
  readonly #items = new Map<string, T>();

  /**
   * Adds an item.
   *
   * @throws {RegistryIdError} `ERR_HOLDFAST_REGISTRY_ID` when the id is taken
   */
  register(id: string, item: T): void {
    if (this.#items.has(id)) throw new RegistryIdError(id, 'duplicate');
    this.#items.set(id, item);
  }

  /**
   * Puts an item in the place of a registered one; the order does not change.
   *
   * @throws {RegistryIdError} `ERR_HOLDFAST_REGISTRY_ID` when nothing has that id
   */
  replace(id: string, item: T): void {
    if (!this.#items.has(id)) throw new RegistryIdError(id, 'unknown');
    this.#items.set(id, item);
  }

  /** The item, or `undefined`. */
  get(id: string): T | undefined {
    return this.#items.get(id);
  }

  /**
   * The item.
   *
   * @throws {RegistryIdError} `ERR_HOLDFAST_REGISTRY_ID` when nothing has that id
   */
  getOrThrow(id: string): T {
    if (!this.#items.has(id)) throw new RegistryIdError(id, 'unknown');
    return this.#items.get(id) as T;
  }

  /** Tells whether an id is registered. */
  has(id: string): boolean {
    return this.#items.has(id);
  }

  /** All items in the order of registration, as a new array. */
  getAll(): T[] {
    return [...this.#items.values()];
  }

  /** All ids in the order of registration, as a new array. */
  listIds(): string[] {
    return [...this.#items.keys()];
  }

  /** Removes an item; `false` when there was none. */
  unregister(id: string): boolean {
    return this.#items.delete(id);
  }

  /** Removes everything. */
  clear(): void {
    this.#items.clear();
  }

  /** The number of items. */
  size(): number {
    return this.#items.size;
  }
}
