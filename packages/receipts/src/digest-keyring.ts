/** Changing the secret of an HMAC digest while runs are under way. */

import { HoldfastError } from '@holdfast/kernel';
import type { DigestFn } from './args-hash.js';
import { hmacSha256Digest } from './digest.js';
import { DigestError } from './digest-error.js';

/** The secrets by their key ids, and the id with which new runs begin. */
export interface HmacKeys {
  readonly current: string;
  /** At least 16 bytes each. A key id is 1 to 32 letters, digits, `_` or `-`, and never gets another secret. */
  readonly keys: Readonly<Record<string, string | Uint8Array>>;
}

/** How {@link hmacKeyring} makes its digests. */
export interface HmacKeyringOptions {
  /** Default: `hmacSha256Digest` of the root, over Web Crypto. That of `@holdfast/receipts/node` fits. */
  readonly hmac?: (secret: string | Uint8Array, options: { readonly keyId: string }) => DigestFn;
}

/** Digests of several secrets. */
export interface HmacKeyring {
  /** The key id to store with a run when it begins. */
  readonly current: string;
  /**
   * The digest of a run that began under `keyId`; without one, of a run that begins now.
   *
   * @throws {UnknownHmacKeyError} `ERR_HOLDFAST_UNKNOWN_HMAC_KEY` when the key is not in the ring. Another key would not
   * find the run's receipts, and its effects would happen again.
   */
  digestFor(keyId?: string): DigestFn;
}

/** A run began under a key that the ring does not hold, or no longer holds. */
export class UnknownHmacKeyError extends HoldfastError {
  override readonly name = 'UnknownHmacKeyError';
  readonly code = 'ERR_HOLDFAST_UNKNOWN_HMAC_KEY';
  /** The id that was asked for. */
  readonly keyId: string;
  /** The ids in the ring. */
  readonly knownKeyIds: readonly string[];

  constructor(keyId: string, knownKeyIds: readonly string[]) {
    super(
      `No secret for the HMAC key ${JSON.stringify(keyId)}; the keyring has ${knownKeyIds.join(', ') || 'none'}. ` +
        'Put the key back until the last run that began under it has ended.',
    );
    this.keyId = keyId;
    this.knownKeyIds = knownKeyIds;
  }
}

/**
 * Holds an old and a new secret side by side. Receipts are found by the hash of their arguments, so a run keeps the key
 * with which it began: store `current` with the run, and ask for `digestFor` that id whenever it goes on. To rotate, add a
 * key and make it `current`; to retire the old one, leave it out once no run that began under it can come back.
 *
 * @throws {UnknownHmacKeyError} `ERR_HOLDFAST_UNKNOWN_HMAC_KEY` when `current` is not among the keys.
 * @throws {DigestError} `ERR_HOLDFAST_DIGEST` for a short secret or a key id of another form.
 */
export function hmacKeyring({ current, keys }: HmacKeys, options?: HmacKeyringOptions): HmacKeyring {
  const hmac = options?.hmac ?? hmacSha256Digest;
  const digests = new Map(Object.entries(keys).map(([keyId, secret]) => [keyId, hmac(secret, { keyId })]));
  const digestFor = (keyId = current): DigestFn => {
    const digest = digests.get(keyId);
    if (digest === undefined) throw new UnknownHmacKeyError(keyId, [...digests.keys()]);
    return digest;
  };
  digestFor(current);
  return { current, digestFor };
}

/**
 * The key id in a hash of {@link hmacSha256Digest}, also with an occurrence, for a run whose key id was not stored: any receipt of the run tells it.
 * `undefined` for a hash of {@link sha256Digest}, which has no key.
 *
 * @throws {DigestError} `ERR_HOLDFAST_DIGEST` for text that neither of them gives.
 */
export function hmacKeyIdOf(argsHash: string): string | undefined {
  const parts = /^v1\.(?:s256|h256\.([A-Za-z0-9_-]{1,32}))\.[0-9a-f]{64}(?:#[1-9]\d*)?$/.exec(argsHash);
  if (parts === null) throw new DigestError('This is not a hash of sha256Digest or hmacSha256Digest.');
  return parts[1];
}
