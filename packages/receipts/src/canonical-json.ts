/** JSON text that is the same for structurally equal values: RFC 8785, and a refusal of what it cannot show. */

import { CanonicalWriter } from './internal/canonical-writer.js';

/** Limits and strictness of {@link canonicalJson}. They decide what is refused, never how a value is written. */
export interface CanonicalJsonOptions {
  /** Longest text in UTF-16 code units, checked while writing. Default 10,000,000. */
  readonly maxChars?: number;
  /** Refuses whole numbers beyond ±(2^53 − 1), which `JSON.parse` may have rounded. Default `false`. */
  readonly rejectUnsafeIntegers?: boolean;
}

const DEFAULT_MAX_CHARS = 10_000_000;

/** The writer that no call uses now. A `toJSON` that comes back here while it is in use gets another. */
let idle: CanonicalWriter | undefined;

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
  const writer = idle ?? new CanonicalWriter();
  idle = undefined;
  const text = writer.write(value, options?.maxChars ?? DEFAULT_MAX_CHARS, options?.rejectUnsafeIntegers ?? false);
  idle = writer;
  return text;
}
