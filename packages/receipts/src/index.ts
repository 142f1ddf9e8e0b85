/** The face of `@holdfast/receipts`: arguments, key, decision, execution. */

export { HoldfastError } from '@holdfast/kernel';
export { type DigestFn, toolCallArgsHash } from './args-hash.js';
// The canonical form of the arguments and its hash
export { type CanonicalJsonOptions, canonicalJson } from './canonical-json.js';
export { CanonicalJsonError, type CanonicalJsonReason } from './canonical-json-error.js';
export {
  type DigestOptions,
  type HmacDigestOptions,
  hmacSha256Digest,
  sha256Digest,
  type WebCryptoLike,
} from './digest.js';
export { DigestError } from './digest-error.js';
export {
  decideToolCallReceipt,
  type EffectResumability,
  type ReceiptDecision,
  type ReceiptState,
  ReceiptStateError,
} from './receipt-decision.js';
// The key of a call and the decision about its receipt
export { ReceiptKeyError, type ToolCallReceiptKey, toolCallReceiptKeyString } from './receipt-key.js';
