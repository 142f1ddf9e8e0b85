/** The name under which a provider recognises a repeated call. */

import { type DigestFn, toolCallArgsHash } from './args-hash.js';
import { sha256Digest } from './digest.js';
import { type ToolCallReceiptKey, toolCallReceiptKeyString } from './receipt-key.js';

const DOMAIN = 'holdfast.idempotency.1';

/**
 * Derives a provider's idempotency key from the four parts of a receipt key: the same for every attempt, another for
 * every other call. It is the digest's own text (72 characters with {@link sha256Digest}), so it fits the common limit
 * of 255 and shows no tenant or run. The value is a stored format at the provider.
 *
 * @throws {ReceiptKeyError} `ERR_HOLDFAST_RECEIPT_KEY` when a part is not a string.
 * @throws {DigestError} `ERR_HOLDFAST_DIGEST` when the digest gives no text.
 */
export async function toolCallIdempotencyKey(
  key: ToolCallReceiptKey,
  digest: DigestFn = sha256Digest,
): Promise<string> {
  return toolCallArgsHash([DOMAIN, toolCallReceiptKeyString(key)], digest);
}
