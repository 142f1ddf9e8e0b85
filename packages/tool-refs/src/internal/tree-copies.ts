/** Shallow copies of the containers that change, one for each original. */

import { setOwn } from '@holdfast/kernel';

export class TreeCopies {
  readonly #copies = new Map<object, object>();
  /** Copies with an accessor, where plain assignment would call a setter or throw. */
  readonly #computed = new Set<object>();

  /** Copies an array or plain object, once. Accessors stay accessors and are not called; nothing stays frozen. */
  add(source: object): void {
    if (this.#copies.has(source)) return;
    const keys = Reflect.ownKeys(source);
    // Own keys of an array are its indexes, then `length`, then whatever else was set on it.
    const isDense = Array.isArray(source) && keys[source.length] === 'length';
    const copy: object = isDense ? source.slice() : emptyLike(source);
    this.#copies.set(source, copy);
    for (const key of isDense ? keys.slice(source.length + 1) : keys) this.#copyProperty(copy, source, key);
  }

  get(source: object): object | undefined {
    return this.#copies.get(source);
  }

  write(copy: object, key: PropertyKey, value: unknown): void {
    if (this.#computed.has(copy)) {
      Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
    } else {
      setOwn(copy, key, value);
    }
  }

  #copyProperty(copy: object, source: object, key: PropertyKey): void {
    const property = Object.getOwnPropertyDescriptor(source, key);
    if (!property) return;
    if (property.get || property.set) {
      this.#computed.add(copy);
      Object.defineProperty(copy, key, { ...property, configurable: true });
    } else if (property.enumerable || key === 'length') {
      setOwn(copy, key, property.value);
    } else {
      Object.defineProperty(copy, key, { ...property, writable: true, configurable: true });
    }
  }
}

function emptyLike(source: object): object {
  return Array.isArray(source) ? [] : Object.create(Object.getPrototypeOf(source) as object | null);
}
