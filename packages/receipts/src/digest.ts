/** Ready digests over Web Crypto, which Node, Bun, Deno, workers and browsers share. */

import { DigestError } from './digest-error.js';
import { DEFAULT_KEY_ID, requireKeyId, secretBytes, utf8 } from './internal/digest-input.js';

/** The part of Web Crypto that the digests use. The platform's own `crypto` fits. */
export interface WebCryptoLike {
  readonly subtle: {
    digest(algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer>;
    importKey(
      format: 'raw',
      keyData: Uint8Array,
      algorithm: { readonly name: 'HMAC'; readonly hash: 'SHA-256' },
      extractable: boolean,
      keyUsages: 'sign'[],
    ): Promise<unknown>;
    sign(algorithm: 'HMAC', key: unknown, data: Uint8Array): Promise<ArrayBuffer>;
  };
}

/** Where a digest finds Web Crypto. */
export interface DigestOptions {
  /** Default: `globalThis.crypto`. */
  readonly crypto?: WebCryptoLike;
}

/** Options of {@link hmacSha256Digest}. */
export interface HmacDigestOptions extends DigestOptions {
  /**
   * Names the secret in the stored value: 1 to 32 letters, digits, `_` or `-`. Default `'1'`. Give each new secret a
   * new name, and let a run keep the secret with which it began, since its receipts are found by these values:
   * `hmacKeyring` does.
   */
  readonly keyId?: string;
}

/**
 * A {@link DigestFn}: SHA-256 of the text's UTF-8 bytes as `v1.s256.` and 64 hexadecimal digits, a stored format.
 * Whoever reads the value can confirm a guess of the arguments; {@link hmacSha256Digest} prevents that.
 *
 * @throws {DigestError} `ERR_HOLDFAST_DIGEST` without Web Crypto, or for text with a lone surrogate, which UTF-8 cannot
 * hold and which `canonicalJson` never writes.
 */
export async function sha256Digest(canonical: string, options?: DigestOptions): Promise<string> {
  const { subtle } = webCrypto(options);
  return `v1.s256.${hex(await subtle.digest('SHA-256', utf8(canonical)))}`;
}

/**
 * Makes a {@link DigestFn}: HMAC-SHA-256 of the text's UTF-8 bytes as `v1.h256.<keyId>.` and 64 hexadecimal digits,
 * a stored format. The secret has at least 16 bytes, text counts as UTF-8, and it is copied.
 *
 * @throws {DigestError} `ERR_HOLDFAST_DIGEST` without Web Crypto, for a short secret or a `keyId` of another form; the
 * digest it returns also for text with a lone surrogate.
 */
export function hmacSha256Digest(
  secret: string | Uint8Array,
  options?: HmacDigestOptions,
): (canonical: string) => Promise<string> {
  const { subtle } = webCrypto(options);
  const bytes = secretBytes(secret);
  const keyId = options?.keyId ?? DEFAULT_KEY_ID;
  requireKeyId(keyId);
  let key: Promise<unknown> | undefined;
  return async (canonical) => {
    const data = utf8(canonical);
    key ??= subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return `v1.h256.${keyId}.${hex(await subtle.sign('HMAC', await key, data))}`;
  };
}

const globals = globalThis as { readonly crypto?: Partial<WebCryptoLike> };

function webCrypto(options: DigestOptions | undefined): WebCryptoLike {
  const crypto = options?.crypto ?? globals.crypto;
  if (crypto?.subtle === undefined) {
    throw new DigestError(
      'This runtime has no Web Crypto (globalThis.crypto.subtle; browsers offer it on secure origins only). ' +
        'Pass one as the crypto option, or write a DigestFn of your own.',
    );
  }
  return crypto as WebCryptoLike;
}

function hex(buffer: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += byte.toString(16).padStart(2, '0');
  return text;
}
