/**
 * The digests of `@holdfast/receipts` over `node:crypto`, for Node, Bun and Deno: the same names, the same stored values,
 * a fraction of the time.
 */

import crypto from 'node:crypto';
import { DEFAULT_KEY_ID, requireKeyId, requireWellFormed, secretBytes } from './internal/digest-input.js';

export { DigestError } from './digest-error.js';

/** Options of {@link hmacSha256Digest}. */
export interface NodeHmacDigestOptions {
  /** Names the secret in the stored value: 1 to 32 letters, digits, `_` or `-`. Default `'1'`. */
  readonly keyId?: string;
}

/** `crypto.hash` spares making a hash object; Node has it from 20.12 and 21.7 on. */
const sha256Hex: (text: string) => string =
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('sha256', text)
    : (text) => crypto.createHash('sha256').update(text).digest('hex');

/**
 * A `DigestFn` that gives what the root's `sha256Digest` gives: `v1.s256.` and 64 hexadecimal digits.
 *
 * @throws {DigestError} `ERR_HOLDFAST_DIGEST` for text with a lone surrogate.
 */
export async function sha256Digest(canonical: string): Promise<string> {
  requireWellFormed(canonical);
  return `v1.s256.${sha256Hex(canonical)}`;
}

/**
 * Makes a `DigestFn` that gives what the root's `hmacSha256Digest` gives: `v1.h256.<keyId>.` and 64 hexadecimal digits.
 * The secret has at least 16 bytes, text counts as UTF-8, and it is copied.
 *
 * @throws {DigestError} `ERR_HOLDFAST_DIGEST` for a short secret or a `keyId` of another form; the digest it returns also
 * for text with a lone surrogate.
 */
export function hmacSha256Digest(
  secret: string | Uint8Array,
  options?: NodeHmacDigestOptions,
): (canonical: string) => Promise<string> {
  const key = crypto.createSecretKey(secretBytes(secret));
  const keyId = options?.keyId ?? DEFAULT_KEY_ID;
  requireKeyId(keyId);
  return async (canonical) => {
    requireWellFormed(canonical);
    return `v1.h256.${keyId}.${crypto.createHmac('sha256', key).update(canonical).digest('hex')}`;
  };
}
