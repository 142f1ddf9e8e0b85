/** Copies of a call's input and result, so that caller, reviewer, tool and guardrail never share one. */

import { isPlainObject, setOwn } from '@holdfast/kernel';

/** Nested containers in one value. */
const MAX_DEPTH = 200;
/** Values inside one: what a value that is used twice at every level could otherwise grow to without end. */
const MAX_VALUES = 1_000_000;

/** Thrown for a value that cannot be copied; the message is fit for the model. */
export class UncopyableError extends Error {}

/**
 * Copies objects, arrays, maps, sets, dates and bytes to any depth. Instances of other classes are shared: they
 * cannot be copied without knowing them.
 */
export function copyValue(value: unknown): unknown {
  return new Copier((made) => made).copy(value);
}

/** The same copy with all its objects and arrays frozen. */
export function frozenCopy(value: unknown): unknown {
  return new Copier((made) => Object.freeze(made)).copy(value);
}

class Copier {
  /** The containers around the current value: what tells a cycle from a value that is used twice. */
  readonly #above: object[] = [];
  #valuesLeft = MAX_VALUES;
  readonly #seal: (made: object) => object;

  constructor(seal: (made: object) => object) {
    this.#seal = seal;
  }

  copy(value: unknown): unknown {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw new UncopyableError(`has more than ${MAX_VALUES} values`);
    if (typeof value !== 'object' || value === null) return value;
    if (this.#above.includes(value)) throw new UncopyableError('contains itself');
    if (this.#above.length >= MAX_DEPTH) {
      throw new UncopyableError(`is nested more than ${MAX_DEPTH} levels deep`);
    }
    this.#above.push(value);
    const made = this.#copyContainer(value);
    this.#above.pop();
    return made;
  }

  #copyContainer(value: object): unknown {
    if (Array.isArray(value)) return this.#seal(Array.from(value, (item) => this.copy(item)));
    if (isPlainObject(value)) return this.#copyObject(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Date.prototype) return this.#seal(new Date((value as Date).getTime()));
    if (prototype === Set.prototype) {
      return this.#seal(new Set([...(value as Set<unknown>)].map((item) => this.copy(item))));
    }
    if (prototype === Map.prototype) {
      const entries = [...(value as Map<unknown, unknown>)];
      return this.#seal(new Map(entries.map(([key, item]) => [this.copy(key), this.copy(item)])));
    }
    return value instanceof Uint8Array ? Uint8Array.prototype.slice.call(value) : value;
  }

  #copyObject(value: Record<string, unknown>): object {
    const made: Record<string, unknown> = Object.getPrototypeOf(value) === null ? Object.create(null) : {};
    for (const key of Object.keys(value)) setOwn(made, key, this.copy(value[key]));
    return this.#seal(made);
  }
}
