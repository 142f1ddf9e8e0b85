/** JSON text that is the same for structurally equal values: RFC 8785, and a refusal of what it cannot show. */

import { isPlainObject } from '@holdfast/kernel';
import { CanonicalJsonError, type CanonicalJsonReason } from './canonical-json-error.js';
import { pathText, quote } from './internal/json-text.js';
import { KeyLayouts, prefix } from './internal/key-layout.js';
import { isPlainArray, ownsOnlyElements, unbox, visibleKeys } from './internal/own-state.js';

/** Limits and strictness of {@link canonicalJson}. They decide what is refused, never how a value is written. */
export interface CanonicalJsonOptions {
  /** Longest text in UTF-16 code units, checked while writing. Default 10,000,000. */
  readonly maxChars?: number;
  /** Refuses whole numbers beyond ±(2^53 − 1), which `JSON.parse` may have rounded. Default `false`. */
  readonly rejectUnsafeIntegers?: boolean;
}

const DEFAULT_MAX_CHARS = 10_000_000;
const MAX_DEPTH = 1_000;
/** Values that are written between two clean-ups of the text. */
const CHUNK_VALUES = 4_096;

/**
 * Serialises a value so that structurally equal values give equal strings. What RFC 8785 accepts is written as
 * RFC 8785 writes it: keys sorted by UTF-16 code units, arrays in order, `-0` as `0`, no Unicode normalisation.
 *
 * Beyond RFC 8785: `undefined` and holes are written as `null`, so `{ a: undefined }` equals `{ a: null }` and differs
 * from `{}`; no value at all is `null`; lone surrogates are written as `\udXXX` escapes. `toJSON` is called as
 * `JSON.stringify` calls it, on any object and on a bigint, so a `Date` is its ISO string and an invalid one `null`;
 * it is never called on a function. `Number`, `String` and `Boolean` objects are unboxed. Getters are read once, and
 * an own `__proto__` is data.
 *
 * What the text could not show is refused: two different values must not come out as one. See
 * {@link CanonicalJsonReason} for the list. A value that stands in two places is not a cycle, and is written twice.
 *
 * The text is a stored format.
 *
 * @throws {CanonicalJsonError} `ERR_HOLDFAST_CANONICAL_JSON` with a `reason` and a `path`. What a getter, a `toJSON`
 * or a proxy throws passes through.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown, options?: CanonicalJsonOptions): string {
  const writer = new CanonicalWriter(options?.maxChars ?? DEFAULT_MAX_CHARS, options?.rejectUnsafeIntegers ?? false);
  writer.write(value, '');
  return writer.toString();
}

/** A property name or an array index. */
type Key = string | number;

/** Writes one value, recursing no deeper than the depth limit. */
class CanonicalWriter {
  /** What is written: finished chunks, their length, and the text since. */
  readonly #chunks: string[] = [];
  #chunksLength = 0;
  #text = '';
  #valuesInText = 0;
  /** The containers that are open, outermost first, and the key under which each stands in the one before. */
  readonly #open: object[] = [];
  readonly #keys: Key[] = [];
  readonly #layouts = new KeyLayouts();
  readonly #maxChars: number;
  readonly #rejectUnsafeIntegers: boolean;

  constructor(maxChars: number, rejectUnsafeIntegers: boolean) {
    this.#maxChars = maxChars;
    this.#rejectUnsafeIntegers = rejectUnsafeIntegers;
  }

  toString(): string {
    return this.#chunks.length === 0 ? this.#text : this.#chunks.join('') + this.#text;
  }

  write(input: unknown, key: Key): void {
    const value = typeof input === 'object' || typeof input === 'bigint' ? askToJSON(input, key) : input;
    switch (typeof value) {
      case 'string':
        this.#requireRoom(value.length, key);
        this.#text += quote(value);
        break;
      case 'number':
        this.#writeNumber(value, key);
        break;
      case 'boolean':
        this.#text += value ? 'true' : 'false';
        break;
      case 'undefined':
        this.#text += 'null';
        break;
      case 'object':
        if (value === null) this.#text += 'null';
        else if (Array.isArray(value)) this.#writeArray(value, key);
        else if (isPlainObject(value)) this.#writeRecord(value, key);
        else this.#writeBoxed(value, key);
        break;
      default:
        throw this.#refusal(
          typeof value as 'bigint' | 'function' | 'symbol',
          key,
          `a ${typeof value} is not JSON data.`,
        );
    }
    this.#requireRoom(0, key);
    if (++this.#valuesInText === CHUNK_VALUES) this.#finishChunk();
  }

  #writeNumber(value: number, key: Key): void {
    if (!Number.isFinite(value)) {
      throw this.#refusal('number', key, 'NaN and infinities are not JSON. Send null or a string.');
    }
    if (this.#rejectUnsafeIntegers && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw this.#refusal('number', key, 'a whole number beyond 2^53 - 1 may have been rounded. Send it as a string.');
    }
    this.#text += value;
  }

  #writeArray(array: readonly unknown[], key: Key): void {
    if (!isPlainArray(array)) throw this.#instanceRefusal(key);
    const length = array.length;
    // Each element takes a character and a comma at least: a huge sparse array is refused before it is walked.
    this.#requireRoom(2 * length + 1, key);
    if (!ownsOnlyElements(array)) {
      throw this.#refusal('hidden-property', key, 'an array with a named or symbol key would lose it.');
    }
    this.#enter(array, key);
    this.#text += '[';
    for (let index = 0; index < length; index++) {
      if (index > 0) this.#text += ',';
      this.write(array[index], index);
    }
    this.#text += ']';
    this.#leave();
  }

  #writeRecord(record: Readonly<Record<string, unknown>>, key: Key): void {
    const keys = visibleKeys(record);
    if (keys === undefined) {
      throw this.#refusal('hidden-property', key, 'an object would lose its symbol keys or hidden properties.');
    }
    this.#enter(record, key);
    const { sorted, prefixes } = this.#layouts.get(keys, this.#open.length);
    for (let index = 0; index < sorted.length; index++) {
      const name = sorted[index] as string;
      this.#requireRoom(name.length, name);
      this.#text += prefixes?.[index] ?? prefix(name, index);
      this.write(record[name], name);
    }
    this.#text += sorted.length === 0 ? '{}' : '}';
    this.#leave();
  }

  #writeBoxed(value: object, key: Key): void {
    const primitive = unbox(value);
    if (primitive === undefined) throw this.#instanceRefusal(key);
    this.write(primitive, key);
  }

  #enter(container: object, key: Key): void {
    if (this.#open.includes(container)) throw this.#refusal('cycle', key, 'the value contains itself.');
    if (this.#open.length >= MAX_DEPTH) {
      throw this.#refusal('depth', key, `more than ${MAX_DEPTH} containers are nested. Flatten the value.`);
    }
    this.#open.push(container);
    this.#keys.push(key);
  }

  #leave(): void {
    this.#open.pop();
    this.#keys.pop();
  }

  /** Written so that a limit that is not a number refuses everything. */
  #requireRoom(chars: number, key: Key): void {
    if (this.#chunksLength + this.#text.length + chars <= this.#maxChars) return;
    throw this.#refusal('size', key, `the text passes ${this.#maxChars} characters here. Store large data elsewhere.`);
  }

  /**
   * Engines keep a concatenation as a tree of its parts until it is read, and a large text would keep millions of them
   * alive. Reading one character makes plain text of it.
   */
  #finishChunk(): void {
    this.#text.charCodeAt(0);
    this.#chunks.push(this.#text);
    this.#chunksLength += this.#text.length;
    this.#text = '';
    this.#valuesInText = 0;
  }

  #instanceRefusal(key: Key): CanonicalJsonError {
    return this.#refusal(
      'class-instance',
      key,
      'of all objects only plain ones, arrays and those with toJSON have one. Convert the value to plain data.',
    );
  }

  #refusal(reason: CanonicalJsonReason, key: Key, detail: string): CanonicalJsonError {
    // The first step is the root's empty key.
    return new CanonicalJsonError(reason, pathText([...this.#keys, key].slice(1)), detail);
  }
}

/** Calls `toJSON` as `JSON.stringify` does: with the key as text, once, its result taken as it is. */
function askToJSON(value: object | bigint | null, key: Key): unknown {
  if (value === null) return null;
  const toJSON = (value as { readonly toJSON?: unknown }).toJSON;
  return typeof toJSON === 'function' ? Reflect.apply(toJSON, value, [String(key)]) : value;
}
