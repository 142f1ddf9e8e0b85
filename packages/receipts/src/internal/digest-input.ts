/** What all digests ask of a text, a secret and its name. */

import { isWellFormed } from '@holdfast/kernel';
import { DigestError } from '../digest-error.js';

/** Fewest bytes of an HMAC secret. */
const MIN_SECRET_BYTES = 16;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
export const DEFAULT_KEY_ID = '1';

interface Globals {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
}

// In every runtime, and in no library of types that this is compiled with.
const { TextEncoder } = globalThis as unknown as Globals;

/** A lone surrogate would become U+FFFD, and texts that differ only in it would share a hash. */
export function requireWellFormed(text: string): void {
  if (!isWellFormed(text)) {
    throw new DigestError('A digest needs well-formed text, and this has a lone surrogate.');
  }
}

/** The UTF-8 bytes of well-formed text. */
export function utf8(text: string): Uint8Array {
  requireWellFormed(text);
  return new TextEncoder().encode(text);
}

/** A copy of the secret's bytes, of which there are enough. */
export function secretBytes(secret: string | Uint8Array): Uint8Array {
  // Anything else could become zeros, which everybody knows. The tag, since a Uint8Array may be of another realm.
  if (typeof secret !== 'string' && Object.prototype.toString.call(secret) !== '[object Uint8Array]') {
    throw new DigestError(`An HMAC secret is text or a Uint8Array, and this is of type ${typeof secret}.`);
  }
  const bytes = typeof secret === 'string' ? utf8(secret) : Uint8Array.from(secret);
  if (bytes.length >= MIN_SECRET_BYTES) return bytes;
  throw new DigestError(`An HMAC secret needs at least ${MIN_SECRET_BYTES} bytes, and this one has ${bytes.length}.`);
}

export function requireKeyId(keyId: string): void {
  if (KEY_ID.test(keyId)) return;
  throw new DigestError(
    'A keyId is 1 to 32 letters, digits, underscores or hyphens: it becomes part of stored values.',
  );
}
