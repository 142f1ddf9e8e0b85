import { HoldfastError } from '@holdfast/kernel';

/** A digest cannot be made or cannot be trusted: no Web Crypto, a short secret, an answer that is not text. */
export class DigestError extends HoldfastError {
  override readonly name = 'DigestError';
  readonly code = 'ERR_HOLDFAST_DIGEST';
}
