/** Writes a value as canonical JSON text, and refuses what the text could not show. */

import { isPlainObject } from '@holdfast/kernel';
import { CanonicalJsonError, type CanonicalJsonReason } from '../canonical-json-error.js';
import { KeyOrders, type KeyPrefixes } from './canonical-key-order.js';
import { CanonicalPath, type Key, MAX_DEPTH } from './canonical-path.js';
import { isVerbatim, LONG_LENGTH, pathText } from './json-text.js';
import { isPlainArray, ownsOnlyElements, unbox, visibleKeys } from './own-state.js';

/** Characters after which text is put aside. */
const CHUNK_CHARS = 100_000;

const keyOrders = new KeyOrders();

/**
 * Writes one value at a time. The methods take the text so far and give it back with theirs at the end: a local variable
 * costs less than a field, and appending to a string does not copy it.
 */
export class CanonicalWriter {
  readonly #path = new CanonicalPath();
  /** What is put aside, and the length at which the text since is looked at. */
  #done = '';
  #checkAt = 0;
  #maxChars = 0;
  #rejectUnsafeIntegers = false;

  /** After it has thrown, a writer is of no further use. */
  write(value: unknown, maxChars: number, rejectUnsafeIntegers: boolean): string {
    this.#maxChars = maxChars;
    this.#rejectUnsafeIntegers = rejectUnsafeIntegers;
    this.#done = '';
    this.#checkAt = Math.min(maxChars, CHUNK_CHARS);
    let text = this.#append('', value, '');
    if (!(text.length <= this.#checkAt)) text = this.#putAside(text, '');
    const all = this.#done + text;
    this.#done = '';
    return all;
  }

  #append(text: string, input: unknown, key: Key): string {
    if (typeof input === 'number') return this.#appendNumber(text, input, key);
    if (typeof input === 'string') return this.#appendString(text, input, key);
    if (input === null || input === undefined) return `${text}null`;
    if (typeof input === 'boolean') return text + (input ? 'true' : 'false');
    if (typeof input === 'object' || typeof input === 'bigint') {
      const { toJSON } = input as { readonly toJSON?: unknown };
      // As `JSON.stringify` does: with the key as text, and the result is not asked again.
      if (typeof toJSON === 'function') {
        return this.#appendAsIs(text, Reflect.apply(toJSON, input, [String(key)]), key);
      }
    }
    return this.#appendAsIs(text, input, key);
  }

  /** Appends a value that is not asked for its `toJSON`, or not again. */
  #appendAsIs(text: string, value: unknown, key: Key): string {
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) return this.#appendArray(text, value, key);
      if (isPlainObject(value)) return this.#appendRecord(text, value, key);
      return this.#appendBoxed(text, value, key);
    }
    if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
      throw this.#refusal(typeof value as 'bigint', key, `a ${typeof value} is not JSON data.`);
    }
    return this.#append(text, value, key);
  }

  #appendString(text: string, value: string, key: Key): string {
    if (isVerbatim(value)) return `${text}"${value}"`;
    // Escapes can make a long text six times as long, so its room is looked for first.
    if (value.length >= LONG_LENGTH) this.#requireRoom(text, value.length + 2, key);
    return text + JSON.stringify(value);
  }

  #appendNumber(text: string, value: number, key: Key): string {
    // A difference of zero means finite, and costs less than asking.
    if (value - value !== 0) {
      throw this.#refusal('number', key, 'NaN and infinities are not JSON. Send null or a string.');
    }
    if (this.#rejectUnsafeIntegers && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw this.#refusal('number', key, 'a whole number beyond 2^53 - 1 may have been rounded. Send it as a string.');
    }
    return text + value;
  }

  #appendArray(before: string, array: readonly unknown[], key: Key): string {
    if (!isPlainArray(array)) throw this.#instanceRefusal(key);
    const length = array.length;
    // Each element takes a character and a comma at least: a huge sparse array is refused before it is walked.
    this.#requireRoom(before, 2 * length + 1, key);
    if (!ownsOnlyElements(array)) {
      throw this.#refusal('hidden-property', key, 'an array with a named or symbol key would lose it.');
    }
    this.#enter(array, key);
    let text = before;
    for (let index = 0; index < length; index++) {
      const value = array[index];
      // Most values are strings without escapes, which take the shortest way.
      if (typeof value === 'string' && isVerbatim(value)) text = `${text}${index === 0 ? '["' : ',"'}${value}"`;
      else text = this.#append(text + (index === 0 ? '[' : ','), value, index);
      if (!(text.length <= this.#checkAt)) text = this.#putAside(text, index);
    }
    this.#path.leave();
    return text + (length === 0 ? '[]' : ']');
  }

  #appendRecord(before: string, record: Readonly<Record<string, unknown>>, key: Key): string {
    const keys = visibleKeys(record);
    if (keys === undefined) {
      throw this.#refusal('hidden-property', key, 'an object would lose its symbol keys or hidden properties.');
    }
    this.#enter(record, key);
    const { sorted, prefixes } = keyOrders.get(keys);
    const text =
      prefixes === undefined
        ? this.#appendFields(before, record, sorted)
        : this.#appendKnownFields(before, record, sorted, prefixes);
    this.#path.leave();
    return text + (sorted.length === 0 ? '{}' : '}');
  }

  #appendFields(before: string, record: Readonly<Record<string, unknown>>, sorted: readonly string[]): string {
    let text = before;
    for (let index = 0; index < sorted.length; index++) {
      const name = sorted[index] as string;
      text = this.#append(this.#appendName(text, name, index), record[name], name);
      if (!(text.length <= this.#checkAt)) text = this.#putAside(text, name);
    }
    return text;
  }

  #appendKnownFields(
    before: string,
    record: Readonly<Record<string, unknown>>,
    sorted: readonly string[],
    { plain, opening, closing, closingOpening }: KeyPrefixes,
  ): string {
    let text = before;
    /** Whether the quote that closes the string before is still to be written. */
    let isOpen = false;
    for (let index = 0; index < sorted.length; index++) {
      const name = sorted[index] as string;
      const value = record[name];
      if (typeof value === 'string' && isVerbatim(value)) {
        text = text + (isOpen ? closingOpening : opening)[index] + value;
        isOpen = text.length < this.#checkAt;
        if (!isOpen) text = this.#putAside(`${text}"`, name);
      } else {
        text += (isOpen ? closing : plain)[index];
        isOpen = false;
        text = typeof value === 'number' ? this.#appendNumber(text, value, name) : this.#append(text, value, name);
        if (!(text.length <= this.#checkAt)) text = this.#putAside(text, name);
      }
    }
    return isOpen ? `${text}"` : text;
  }

  #appendName(text: string, name: string, index: number): string {
    if (isVerbatim(name)) return `${text}${index === 0 ? '{"' : ',"'}${name}":`;
    return `${this.#appendString(text + (index === 0 ? '{' : ','), name, name)}:`;
  }

  #appendBoxed(text: string, value: object, key: Key): string {
    const primitive = unbox(value);
    if (primitive === undefined) throw this.#instanceRefusal(key);
    return this.#append(text, primitive, key);
  }

  #enter(container: object, key: Key): void {
    const refused = this.#path.enter(container, key);
    if (refused === undefined) return;
    const details = { cycle: CYCLE, depth: `more than ${MAX_DEPTH} containers are nested. Flatten the value.` };
    throw this.#refusal(refused, key, details[refused], container);
  }

  /**
   * Engines keep a concatenation as a tree of its parts until it is read, and a large text would keep millions of them
   * alive. Reading one character makes plain text of it.
   */
  #putAside(text: string, key: Key): string {
    this.#requireRoom(text, 0, key);
    text.charCodeAt(0);
    this.#done += text;
    this.#checkAt = Math.min(this.#maxChars - this.#done.length, CHUNK_CHARS);
    return '';
  }

  /** Written so that a limit that is not a number refuses everything. */
  #requireRoom(text: string, chars: number, key: Key): void {
    if (this.#done.length + text.length + chars <= this.#maxChars) return;
    throw this.#refusal('size', key, `the text passes ${this.#maxChars} characters here. Store large data elsewhere.`);
  }

  #instanceRefusal(key: Key): CanonicalJsonError {
    return this.#refusal(
      'class-instance',
      key,
      'of all objects only plain ones, arrays and those with toJSON have one. Convert the value to plain data.',
    );
  }

  /** A circle that was gone around before it was noticed is the reason, whatever came up on the way. */
  #refusal(reason: CanonicalJsonReason, key: Key, detail: string, container?: object): CanonicalJsonError {
    const repeat = this.#path.repeat(container, key);
    if (repeat !== undefined) return new CanonicalJsonError('cycle', pathText(repeat), CYCLE);
    return new CanonicalJsonError(reason, pathText(this.#path.to(key)), detail);
  }
}

const CYCLE = 'the value contains itself.';
