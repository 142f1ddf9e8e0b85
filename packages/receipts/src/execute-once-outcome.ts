/** What became of one `executeOnce` call. */

import type { FailureKind, ReceiptEvidence } from './receipt-store.js';

/** Where the result of an executed effect is kept for replays, and if nowhere, why. */
export type ResultKept =
  | { readonly kind: 'inline' }
  | { readonly kind: 'offloaded' }
  | {
      readonly kind: 'omitted';
      readonly reason: 'too-large' | 'not-serializable' | 'offload-failed';
      /** What `serialize` or `offload.save` threw. */
      readonly cause?: unknown;
    };

/** How an effect ended. */
export type EffectEnding<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown };

/**
 * What became of the call. Only `executed` and `replayed` carry the call's value at the top; a caller that reads
 * `outcome.value` without looking at `kind` does not compile.
 */
export type ExecuteOnceOutcome<T> =
  /** This call ran the effect, and its result is recorded. `kept` says whether a replay will have it. */
  | { readonly kind: 'executed'; readonly value: T; readonly attempt: number; readonly kept: ResultKept }
  /** The effect had happened before. The value went through `serialize` and `deserialize`. */
  | { readonly kind: 'replayed'; readonly value: T; readonly attempt: number }
  /** The effect had happened before, and its result is not kept: dropped by retention, or never stored. */
  | { readonly kind: 'gone'; readonly attempt: number; readonly reason: 'retention' | 'omitted' }
  /** Another attempt is live. Nothing ran here: come back. */
  | { readonly kind: 'busy'; readonly attempt: number; readonly remainingMs: number; readonly reason: string }
  /** Nobody knows whether an earlier attempt took effect. Nothing ran here, and nothing will before it is resolved. */
  | {
      readonly kind: 'ambiguous';
      readonly attempt: number;
      readonly reason: string;
      readonly error?: string;
      readonly evidence?: ReceiptEvidence;
    }
  /** An earlier attempt failed for good, or somebody gave the call up. Nothing ran here. */
  | { readonly kind: 'rejected'; readonly attempt: number; readonly error: string }
  /** All attempts are used. Nothing ran here. */
  | { readonly kind: 'exhausted'; readonly attempts: number; readonly error?: string }
  /** The host's signal aborted before the effect began. Nothing ran here, and the next call may execute. */
  | { readonly kind: 'aborted'; readonly reason: unknown }
  /**
   * This call ran the effect and it threw `error`. `recorded` is `false` when the store could not be told: the receipt
   * is then settled by its lease. `classifierError` is what `classifyError` threw, if it did.
   */
  | {
      readonly kind: 'failed';
      readonly attempt: number;
      readonly failure: FailureKind;
      readonly error: unknown;
      readonly recorded: boolean;
      readonly classifierError?: unknown;
    }
  /**
   * Another attempt or a human took the receipt over while this call held it. The ending did not count; the store kept it
   * as evidence. An effect that `threw` a {@link LeaseLostError} may not have begun.
   */
  | { readonly kind: 'lost'; readonly attempt: number; readonly effect: EffectEnding<T> }
  /** This call ran the effect and the store could not be told. The receipt still says `running`. */
  | { readonly kind: 'unrecorded'; readonly attempt: number; readonly value: T; readonly cause: unknown };
