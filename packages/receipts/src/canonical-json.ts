/** JSON text that is the same for structurally equal values: RFC 8785, and a refusal for what it cannot show. */

import { isPlainObject } from '@holdfast/kernel';
import { CanonicalJsonError, type CanonicalJsonReason } from './canonical-json-error.js';
import { pathText, quote, sortKeys, unbox } from './internal/canonical-parts.js';

/** Limits and strictness of {@link canonicalJson}. They decide what is refused, never how a value is written. */
export interface CanonicalJsonOptions {
  /** Longest text in UTF-16 code units, checked while writing. Default 16,777,216. */
  readonly maxChars?: number;
  /** Refuses whole numbers beyond ±(2^53 − 1), which `JSON.parse` may have rounded. Default `false`. */
  readonly rejectUnsafeIntegers?: boolean;
}

const DEFAULT_MAX_CHARS = 16_777_216;
const MAX_DEPTH = 1_000;

export function canonicalJson(value: unknown, options?: CanonicalJsonOptions): string {
  const writer = new CanonicalWriter(options?.maxChars ?? DEFAULT_MAX_CHARS, options?.rejectUnsafeIntegers ?? false);
  writer.write(value, '');
  return writer.text;
}

/** Writes one value. Recursion goes no deeper than the depth limit; a writer that threw is not used again. */
class CanonicalWriter {
  text = '';
  /** The containers that are open, and the key or index under which each one's current value stands. */
  private readonly open: object[] = [];
  private readonly at: (string | number)[] = [];

  constructor(
    private readonly maxChars: number,
    private readonly safeIntegersOnly: boolean,
  ) {}

  write(value: unknown, key: string | number): void {
    switch (typeof value) {
      case 'string':
        this.writeString(value, key);
        break;
      case 'number':
        this.writeNumber(value, key);
        break;
      case 'boolean':
        this.text += value ? 'true' : 'false';
        break;
      case 'undefined':
        this.text += 'null';
        break;
      case 'object':
        if (value === null) this.text += 'null';
        else this.writeObject(value, key);
        break;
      default:
        throw this.refusal('function', key, 'x');
    }
    if (!(this.text.length <= this.maxChars)) throw this.tooLong(key);
  }

  private writeString(value: string, key: string | number): void {
    if (!(this.text.length + value.length <= this.maxChars)) throw this.tooLong(key);
    this.text += quote(value);
  }

  private writeNumber(value: number, key: string | number): void {
    if (!Number.isFinite(value)) throw this.refusal('number', key, 'a number that is not finite.');
    if (this.safeIntegersOnly && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw this.refusal('number', key, 'a whole number beyond 2^53 - 1');
    }
    this.text += value;
  }

  private writeObject(value: object, key: string | number): void {
    const toJSON: unknown = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJSON === 'function') this.writeContainer(Reflect.apply(toJSON, value, [String(key)]), key);
    else this.writeContainer(value, key);
  }

  private writeContainer(value: object, key: string | number): void {
    if (Array.isArray(value)) this.writeArray(value, key);
    else if (isPlainObject(value)) this.writeRecord(value, key);
    else this.write(unbox(value), key);
  }

  private enter(value: object, key: string | number): void {
    if (this.open.includes(value)) throw this.refusal('cycle', key, 'a cycle');
    if (this.open.length === MAX_DEPTH) throw this.refusal('depth', key, 'depth');
    this.open.push(value);
    this.at.push(key);
  }

  private leave(): void {
    this.open.pop();
    this.at.pop();
  }

  private writeArray(array: readonly unknown[], key: string | number): void {
    const length = array.length;
    if (HIDDEN && Object.keys(array).length > length) throw this.refusal('hidden-property', key, '');
    this.enter(array, key);
    this.text += '[';
    for (let index = 0; index < length; index++) {
      if (index > 0) this.text += ',';
      this.write(array[index], index);
    }
    this.text += ']';
    this.leave();
  }

  private writeRecord(record: Readonly<Record<string, unknown>>, key: string | number): void {
    const keys = Object.keys(record);
    if (
      HIDDEN &&
      (Object.getOwnPropertyNames(record).length !== keys.length || Object.getOwnPropertySymbols(record).length > 0)
    )
      throw this.refusal('hidden-property', key, '');
    sortKeys(keys);
    this.enter(record, key);
    let separator = '{';
    for (const name of keys) {
      this.text += separator + quote(name) + ':';
      separator = ',';
      this.write(record[name], name);
    }
    this.text += keys.length === 0 ? '{}' : '}';
    this.leave();
  }

  private tooLong(key: string | number): CanonicalJsonError {
    return this.refusal('size', key, `the text is longer than ${this.maxChars} characters.`);
  }

  private refusal(reason: CanonicalJsonReason, key: string | number, detail: string): CanonicalJsonError {
    return new CanonicalJsonError(reason, pathText([...this.at, key]), detail);
  }
}
const HIDDEN = (globalThis as any).process?.env.HIDDEN !== '0';
