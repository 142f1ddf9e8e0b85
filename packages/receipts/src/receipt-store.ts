/** The contract between `executeOnce` and a store: verbs, requests and answers. */

import type { EffectResumability } from './receipt-decision.js';
import type { ToolCallReceiptKey } from './receipt-key.js';

/**
 * What a store promises once a verb has answered.
 *
 * - `A`: the write survives the loss of the process and of power.
 * - `B`: the write survives the process; the last moments before a power loss may vanish.
 * - `C`: the write may vanish with the process. An opaque effect on such a store needs an explicit yes.
 */
export type DurabilityClass = 'A' | 'B' | 'C';

/** The fence of one granted attempt. Every write names it, and counts only while both parts are the receipt's own. */
export interface ReceiptClaim {
  /** The number that the grant answered with. It rises on every grant of a key. */
  readonly attempt: number;
  /** The token that the claim was sent with. */
  readonly token: string;
}

/** What a caller sends to claim a key. */
export interface ClaimRequest {
  /** Whether an interrupted attempt may be taken over. */
  readonly effect: EffectResumability;
  /**
   * Names one `executeOnce` call. Sending the same request again with the same token finds the attempt that the
   * first one was granted, so an answer lost on the wire costs nothing. Never shared by two calls.
   */
  readonly token: string;
  /** How long the grant holds without renewal, in whole milliseconds of the store's clock; at most 24 hours. */
  readonly leaseMs: number;
  /** The highest attempt number to grant. Crashed attempts count like failed ones. */
  readonly maxAttempts: number;
}

/** The outcome of an attempt that no longer holds the fence: it decides nothing, and helps whoever resolves the call. */
export interface ReceiptEvidence {
  /** The attempt that reported late. */
  readonly attempt: number;
  /** Whether the effect returned or threw. */
  readonly kind: 'completed' | 'failed';
  /** The result, or the error, as the attempt sent it. */
  readonly text: string;
}

/** The answer to a claim. */
export type ClaimOutcome =
  /**
   * The effect is this caller's to run, under this attempt number. `steps` is the journal of earlier attempts. `ageMs`
   * is the age of the receipt as `list` shows it: for how long a provider may have known the call.
   */
  | {
      readonly kind: 'execute';
      readonly attempt: number;
      readonly steps: ReadonlyMap<string, string>;
      readonly ageMs: number;
    }
  /** The effect has happened, and this is its result. */
  | { readonly kind: 'replay'; readonly attempt: number; readonly result: string }
  /** The effect has happened. Retention has dropped its result and kept the key. */
  | { readonly kind: 'gone'; readonly attempt: number }
  /** Another attempt holds a live lease for this much longer. */
  | { readonly kind: 'wait'; readonly attempt: number; readonly remainingMs: number; readonly reason: string }
  /** The effect may or may not have happened. `error` is what the attempt reported, if it reported. */
  | {
      readonly kind: 'ambiguous';
      readonly attempt: number;
      readonly reason: string;
      readonly error?: string;
      readonly evidence?: ReceiptEvidence;
    }
  /** An attempt failed for good, or somebody gave the call up. */
  | { readonly kind: 'rejected'; readonly attempt: number; readonly error: string }
  /** All attempts are used. `error` is what the last one reported, if it reported. */
  | { readonly kind: 'exhausted'; readonly attempts: number; readonly error?: string }
  /** The token belongs to an attempt that has already failed: a delayed duplicate, for which nobody waits. */
  | { readonly kind: 'stale'; readonly attempt: number };

/** The answer to a write that only the holder of the fence may make. */
export type FencedOutcome = { readonly kind: 'ok' } | { readonly kind: 'fenced' };

/** The answer to a write that ends an attempt. `already` means that the same claim ended it so before. */
export type SettleOutcome = FencedOutcome | { readonly kind: 'already' };

/**
 * What is known about an effect that failed.
 *
 * - `clean`: it certainly did not happen; the next claim executes.
 * - `unknown`: it may have happened; the receipt stays ambiguous until it is resolved.
 * - `terminal`: it did not happen and never will; every later claim is rejected.
 */
export type FailureKind = 'clean' | 'unknown' | 'terminal';

/** How an attempt reports that its effect failed. */
export interface ReceiptFailure {
  readonly kind: FailureKind;
  /** Text for whoever reads the receipt. */
  readonly error: string;
}

/** What a human or a reconciler found out about an ambiguous or abandoned call. */
export type ReceiptVerdict =
  /** The effect happened; later claims replay `result`, which has the form that `complete` was given. */
  | { readonly kind: 'happened'; readonly result: string }
  /** The effect did not happen; the next claim executes, unless its `maxAttempts` are used up. */
  | { readonly kind: 'did-not-happen' }
  /** Nobody shall try again; later claims are rejected with `error`. */
  | { readonly kind: 'give-up'; readonly error: string };

/**
 * A receipt's state at the moment of reading.
 *
 * `expired` is a resumable attempt past its lease, which the next claim takes over; an opaque one past its lease is
 * `ambiguous`. `gone` is a completed receipt whose result retention has dropped.
 */
export type ReceiptStatus = 'running' | 'expired' | 'ambiguous' | 'completed' | 'gone' | 'failed' | 'rejected';

/** Which receipts to list. Absent fields do not restrict. */
export interface ReceiptFilter {
  readonly tenantId?: string;
  readonly runId?: string;
  readonly status?: ReceiptStatus;
  /** Receipts per page, 1 to 1,000; 100 by default. */
  readonly limit?: number;
  /** The `next` of the page before, together with the same filter. */
  readonly after?: string;
}

/** One receipt as `list` shows it. Results and journals are not shown; `read` gives them. */
export interface ReceiptSummary {
  readonly key: ToolCallReceiptKey;
  readonly status: ReceiptStatus;
  /** The number of the latest attempt, which `resolve` asks for. */
  readonly attempt: number;
  readonly effect: EffectResumability;
  /** Milliseconds that a running attempt's lease still holds; 0 when it has run out; absent when nothing runs. */
  readonly remainingMs?: number;
  /**
   * Milliseconds since the receipt was first claimed. A grant that follows the verdict `did-not-happen` counts as a first
   * claim, since nothing of the attempts before it took effect.
   */
  readonly ageMs: number;
  /** Milliseconds since the receipt last changed its state, counting grants. */
  readonly sinceChangeMs: number;
  readonly error?: string;
  readonly evidence?: ReceiptEvidence;
}

/** One receipt with everything that a person may need to judge it. */
export interface ReceiptDetail extends ReceiptSummary {
  /** The result in the form that `complete` was given; absent unless the receipt is `completed`. */
  readonly result?: string;
  /** The journal of all attempts, by the names of their steps; empty once retention has dropped it. */
  readonly steps: ReadonlyMap<string, string>;
}

/** One page of receipts, in a stable order of the store's own. */
export interface ReceiptPage {
  readonly receipts: readonly ReceiptSummary[];
  /** Pass as `after` for the next page; absent on the last one. */
  readonly next?: string;
}

/** What retention may remove. Running and ambiguous receipts are never touched, however old. */
export interface CollectPolicy {
  /**
   * Age, in milliseconds since completion, at which the result and the journal of a completed receipt are dropped.
   * The key stays, and a late duplicate is answered with `gone`.
   */
  readonly dropResultsAfterMs: number;
  /**
   * Age, in milliseconds since the last change, at which a completed, failed or rejected receipt is removed. A duplicate
   * that comes later executes, so this must outlive the host's longest retry. At least `dropResultsAfterMs`.
   */
  readonly removeKeysAfterMs: number;
  /** Receipts to touch in one call; 1,000 by default. */
  readonly limit?: number;
}

/** What retention did. */
export interface CollectOutcome {
  readonly resultsDropped: number;
  readonly keysRemoved: number;
  /** Whether the limit stopped the work: call again. */
  readonly more: boolean;
}

/**
 * A place to keep receipts.
 *
 * Every verb is one round trip, settles in bounded time, and judges leases on the store's own clock. Every write of an
 * attempt counts only while the receipt is running under exactly that attempt and token; `fenced` is the answer
 * otherwise. Texts come back exactly as they went in, whatever code units they hold. A verb that rejects may or may not
 * have been applied, and can be sent again unchanged. A Holdfast error is a refusal, which sending again cannot heal, unless
 * its field `mayBeApplied` is `true`.
 */
export interface ReceiptStore {
  /** What a write survives. */
  readonly durability: DurabilityClass;

  /** Asks for the right to run the effect, or for what is already known about it. */
  claim(key: ToolCallReceiptKey, request: ClaimRequest): Promise<ClaimOutcome>;

  /** Extends the lease to `leaseMs` from now. A lease that ran out and was not taken over comes back to life. */
  renew(key: ToolCallReceiptKey, claim: ReceiptClaim, leaseMs: number): Promise<FencedOutcome>;

  /** Writes a journal entry and extends the lease, in one write. An entry that exists stays as it is, answered `ok`. */
  step(
    key: ToolCallReceiptKey,
    claim: ReceiptClaim,
    leaseMs: number,
    name: string,
    result: string,
  ): Promise<FencedOutcome>;

  /** Records the result. When fenced, keeps it as evidence and changes nothing else. */
  complete(key: ToolCallReceiptKey, claim: ReceiptClaim, result: string): Promise<SettleOutcome>;

  /** Records that the effect failed, and how. When fenced, keeps the error as evidence and changes nothing else. */
  fail(key: ToolCallReceiptKey, claim: ReceiptClaim, failure: ReceiptFailure): Promise<SettleOutcome>;

  /**
   * Settles an ambiguous receipt, or a running one past its lease, by what was found out. `fenced` when the receipt has
   * moved on from `attempt` or is in any other state.
   */
  resolve(key: ToolCallReceiptKey, attempt: number, verdict: ReceiptVerdict): Promise<FencedOutcome>;

  /** Reads one receipt whole, as of one moment; `undefined` when there is none. Never writes, and claims nothing. */
  read(key: ToolCallReceiptKey): Promise<ReceiptDetail | undefined>;

  /** Reads one page of receipts. */
  list(filter?: ReceiptFilter): Promise<ReceiptPage>;

  /** Applies retention to settled receipts: results first, keys later. */
  collect(policy: CollectPolicy): Promise<CollectOutcome>;
}
