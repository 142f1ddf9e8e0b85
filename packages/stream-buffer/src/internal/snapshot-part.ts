/** Takes a snapshot apart, and names the place of whatever is not as it should be. */

import { isPlainObject } from '@holdfast/kernel';
import { StreamBufferSnapshotError } from '../errors.js';
import { isPath, pathShape } from './read-path.js';

/** An object or a list of the snapshot, with the place where it stands. */
export class SnapshotPart {
  readonly #place: string;
  readonly #values: Record<string, unknown>;

  constructor(value: unknown, place: string) {
    this.#place = place;
    if (!isPlainObject(value) && !Array.isArray(value)) {
      throw new StreamBufferSnapshotError(place === '' ? 'itself' : place, 'an object or a list', value);
    }
    this.#values = value as Record<string, unknown>;
  }

  value(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
  }

  part(key: string): SnapshotPart {
    return new SnapshotPart(this.value(key), this.#at(key));
  }

  list(key: string): SnapshotPart[] {
    const value = this.value(key);
    if (!Array.isArray(value)) throw this.#error(key, 'a list');
    return value.map((item, index) => new SnapshotPart(item, `${this.#at(key)}.${index}`));
  }

  text(key: string): string {
    const value = this.value(key);
    if (typeof value !== 'string') throw this.#error(key, 'a string');
    return value;
  }

  optionalText(key: string): string | null {
    return this.value(key) === null ? null : this.text(key);
  }

  number(key: string): number {
    const value = this.value(key);
    if (typeof value !== 'number') throw this.#error(key, 'a number');
    return value;
  }

  count(key: string, least = 0): number {
    const value = this.number(key);
    if (!Number.isSafeInteger(value) || value < least) throw this.#error(key, `a whole number from ${least} on`);
    return value;
  }

  optionalCount(key: string, least = 0): number | null {
    return this.value(key) === null ? null : this.count(key, least);
  }

  flag(key: string): boolean {
    const value = this.value(key);
    if (typeof value !== 'boolean') throw this.#error(key, 'true or false');
    return value;
  }

  oneOf<Value>(key: string, values: readonly Value[]): Value {
    const value = this.value(key);
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw this.#error(key, values.map((candidate) => JSON.stringify(candidate)).join(' or '));
    return found;
  }

  steps(key: string): (string | number)[] {
    const value = this.value(key);
    if (!isPath(value)) throw this.#error(key, pathShape);
    return [...value];
  }

  #error(key: string, expected: string): StreamBufferSnapshotError {
    return new StreamBufferSnapshotError(this.#at(key), expected, this.value(key));
  }

  #at(key: string): string {
    return this.#place === '' ? key : `${this.#place}.${key}`;
  }
}
