/** JSON text that is the same for structurally equal values. */

/** Limits and strictness of {@link canonicalJson}. They decide what is refused, never how a value is written. */
export interface CanonicalJsonOptions {
  /** Longest text in UTF-16 code units, checked while writing. Default 16,777,216. */
  readonly maxChars?: number;
  /** Refuses integers beyond ±(2^53 − 1), which `JSON.parse` may have rounded already. Default `false`. */
  readonly rejectUnsafeIntegers?: boolean;
}

export function canonicalJson(value: unknown, options?: CanonicalJsonOptions): string {
  void value;
  void options;
  throw new Error('not yet');
}
