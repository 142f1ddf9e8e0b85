/** The face of `@holdfast/receipts`: arguments, key, decision, execution. */

export { HoldfastError } from '@holdfast/kernel';

// Arguments
export { type CanonicalJsonOptions, canonicalJson } from './canonical-json.js';
export { CanonicalJsonError, type CanonicalJsonReason } from './canonical-json-error.js';
export { type DigestFn, toolCallArgsHash } from './args-hash.js';
export {
  type DigestOptions,
  type HmacDigestOptions,
  hmacSha256Digest,
  sha256Digest,
  type WebCryptoLike,
} from './digest.js';
export { DigestError } from './digest-error.js';
export {
  type HmacKeyring,
  type HmacKeyringOptions,
  type HmacKeys,
  hmacKeyIdOf,
  hmacKeyring,
  UnknownHmacKeyError,
} from './digest-keyring.js';

// The key of a call
export { ReceiptKeyError, type ToolCallReceiptKey, toolCallReceiptKeyString } from './receipt-key.js';
export { toolCallIdempotencyKey } from './idempotency-key.js';
export { type CountedCall, type PastCall, toolCallOccurrences, withOccurrence } from './occurrence.js';

// The decision
export {
  decideToolCallReceipt,
  type EffectResumability,
  type ReceiptDecision,
  type ReceiptState,
  ReceiptStateError,
} from './receipt-decision.js';

// Running an effect once
export { executeOnce } from './execute-once.js';
export type {
  Effect,
  EffectContext,
  EffectSignal,
  ExecuteOnceOptions,
  ReconcileQuestion,
  Reconciliation,
  ResultOffload,
} from './execute-once-options.js';
export type { EffectEnding, ExecuteOnceOutcome, ResultKept } from './execute-once-outcome.js';
export {
  EffectDidNotHappenError,
  EffectRejectedError,
  EffectStepError,
  type EffectStepReason,
  LeaseLostError,
  ReceiptOptionError,
  ReceiptStoreAnswerError,
  ReceiptStoreUnavailableError,
  type ReceiptStoreVerb,
  VolatileStoreError,
} from './execute-once-errors.js';

// The contract of a store
export type {
  ClaimOutcome,
  ClaimRequest,
  CollectOutcome,
  CollectPolicy,
  DurabilityClass,
  FailureKind,
  FencedOutcome,
  ReceiptClaim,
  ReceiptDetail,
  ReceiptEvidence,
  ReceiptFailure,
  ReceiptFilter,
  ReceiptPage,
  ReceiptStatus,
  ReceiptStore,
  ReceiptSummary,
  ReceiptVerdict,
  SettleOutcome,
} from './receipt-store.js';
