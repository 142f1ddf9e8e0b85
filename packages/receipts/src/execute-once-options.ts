/** What `executeOnce` is given: the effect, its context, and the options with their defaults. */

import type { AbortSignalLike } from '@holdfast/kernel';
import type { DigestFn } from './args-hash.js';
import type { EffectResumability } from './receipt-decision.js';
import type { ToolCallReceiptKey } from './receipt-key.js';
import type { FailureKind, ReceiptEvidence } from './receipt-store.js';

/** The runtime's own `AbortSignal`, ready for `fetch`, where the types of the runtime are known; its shape elsewhere. */
export type EffectSignal = typeof globalThis extends { readonly AbortSignal: { readonly prototype: infer Signal } }
  ? Signal
  : AbortSignalLike;

/** What an effect is given while it runs. */
export interface EffectContext {
  readonly key: ToolCallReceiptKey;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /**
   * Aborts when the lease is lost or the host's own signal aborts, and never once the effect and its steps have ended.
   * An effect that goes on regardless may overlap with the next attempt.
   */
  readonly signal: EffectSignal;
  /** Names the call to a provider that deduplicates. The same for every attempt; see {@link toolCallIdempotencyKey}. */
  readonly idempotencyKey: string;
  /**
   * Whether the provider may have forgotten the key by now, so that it would take a repeated call for a new one. Only with
   * `onKeyExpiry: 'warn'`: look at the provider's before you repeat.
   */
  readonly keyMayBeForgotten: boolean;
  /**
   * Runs one part of a resumable effect and writes its value to the journal; an attempt that takes over gets the value
   * from there instead of running it. A part that threw is not written. Values return through the `serialize` and
   * `deserialize` options, and `name` is used once per attempt. The call does not end before each step that began has
   * settled, also when the effect does not wait for it.
   *
   * @throws {LeaseLostError} `ERR_HOLDFAST_LEASE_LOST` before `run` when the lease is lost, or after it when the entry
   * was refused.
   * @throws {EffectStepError} `ERR_HOLDFAST_EFFECT_STEP` for a name that this attempt has used, a step begun after
   * the effect has ended, one entry more than `maxSteps`, an entry whose value was not kept, or an entry that the store
   * could not be told.
   * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for a name that is not text, before `run`.
   */
  step<T>(name: string, run: () => T | Promise<T>): Promise<T>;
}

/**
 * The side effect. What it returns is recorded; what it throws is classified by `classifyError`. Its lease is renewed
 * for as long as it runs, so give it a time limit of its own: one that never settles holds the key until the process
 * ends.
 */
export type Effect<T> = (context: EffectContext) => T | Promise<T>;

/** What a host's reconciler is asked about: an attempt of which nobody knows whether it took effect. */
export interface ReconcileQuestion {
  readonly key: ToolCallReceiptKey;
  readonly attempt: number;
  readonly reason: string;
  /** The key under which the attempt called the provider. */
  readonly idempotencyKey: string;
  /** What the attempt reported, if it reported. */
  readonly error?: string;
  /** What a fenced attempt reported late. */
  readonly evidence?: ReceiptEvidence;
  /** The host's signal, when one was given. */
  readonly signal?: AbortSignalLike;
}

/** What the reconciler found. `did-not-happen` also promises that the attempt cannot take effect any more. */
export type Reconciliation<T> =
  | { readonly kind: 'happened'; readonly result: T }
  | { readonly kind: 'did-not-happen' }
  | { readonly kind: 'unknown' };

/**
 * Keeps results that are too large for the store. Retention drops the reference and cannot tell: let what was saved expire
 * by itself, no sooner than results are dropped.
 */
export interface ResultOffload {
  /** Saves the text and returns a reference to it, at most 4,000 characters. */
  save(text: string, key: ToolCallReceiptKey): Promise<string>;
  /** Returns the text that `reference` stands for. A rejection rejects `executeOnce`; nothing is executed for it. */
  load(reference: string, key: ToolCallReceiptKey): Promise<string>;
}

/** Options of {@link executeOnce}. */
export interface ExecuteOnceOptions<T> {
  /** Default `'opaque'`: an interrupted attempt is never repeated on a guess. */
  readonly effect?: EffectResumability;
  /** Lease of an attempt, renewed at a third of it while the effect runs. Default 30,000 ms; at most 24 hours. */
  readonly leaseMs?: number;
  /** Attempts after which a claim is answered `exhausted`. Crashes count. Default 5. */
  readonly maxAttempts?: number;
  /**
   * How long the provider remembers an idempotency key, in milliseconds from its first use: 24 hours for Stripe's API v1.
   * A resumable effect may repeat a part that was interrupted, and after this time the provider would take the repeat for
   * a new call. An opaque effect is repeated only when it certainly did not happen, so this does not concern it. At least
   * `leaseMs` × `maxAttempts`, or else the last takeover could not come in time. Default: providers never forget.
   * @see https://docs.stripe.com/api/idempotent_requests
   */
  readonly providerKeyWindowMs?: number;
  /**
   * What becomes of a later attempt that may outlive `providerKeyWindowMs`. `'refuse'` (default): it does not begin and the
   * call is `ambiguous`, or its signal aborts when the time is over. `'warn'`: it runs, and is told by
   * `keyMayBeForgotten`.
   */
  readonly onKeyExpiry?: 'refuse' | 'warn';
  /** While another attempt is live: `'return'` (default) answers `busy` at once, `'wait'` waits for its result. */
  readonly whenBusy?: 'wait' | 'return';
  /** Longest wait for another attempt. Default 60,000 ms. */
  readonly waitLimitMs?: number;
  /** Asked about an ambiguous attempt, once per attempt. Its rejection rejects `executeOnce`. */
  readonly reconcile?: (question: ReconcileQuestion) => Promise<Reconciliation<T>>;
  /**
   * Says what a thrown value means. `undefined` leaves it to the default: {@link EffectDidNotHappenError} is `clean`,
   * {@link EffectRejectedError} is `terminal`, anything else is `unknown` for an opaque effect and `clean` for a
   * resumable one.
   */
  readonly classifyError?: (error: unknown) => FailureKind | undefined;
  /**
   * Renders a thrown value for the receipt, where people read it; at most 4,000 characters are kept. Default: its name
   * and message.
   */
  readonly describeError?: (error: unknown) => string;
  /** Stops waiting, and aborts the effect's signal. */
  readonly signal?: AbortSignalLike;
  /** Largest serialised result, or journal entry, kept in the store. Default 262,144 characters. */
  readonly maxResultChars?: number;
  /** Most journal entries of one receipt, over all its attempts. A step beyond them does not run. Default 1,000. */
  readonly maxSteps?: number;
  /** Takes what is larger. Without it such a result is not kept: the receipt is, and replays answer `gone`. */
  readonly offload?: ResultOffload;
  /** Lets an opaque effect run on a store of durability class C. Default `false`. */
  readonly allowVolatile?: boolean;
  /** Turns values into text. Default `JSON.stringify`, by which a replay gives `{}` for a `Map` and `null` for `NaN`. */
  readonly serialize?: (value: unknown) => string | undefined;
  /** Turns the text back. Default `JSON.parse`. */
  readonly deserialize?: (text: string) => unknown;
  /**
   * Hashes the idempotency key. Default {@link sha256Digest}; {@link hmacSha256Digest} hides what it was made of. Give every
   * attempt of a run the same, also across a change of the secret: under another key the provider takes a retry for a new
   * call.
   */
  readonly digest?: DigestFn;
  /** Makes a token that no other call has. Default `globalThis.crypto.randomUUID`. */
  readonly newToken?: () => string;
  /** A monotonic clock in milliseconds. Default `performance.now`. */
  readonly now?: () => number;
  /** How often a store verb that threw is sent again. Default 5. */
  readonly maxResends?: number;
  /** Pause before the first resend, doubled each time up to 2,000 ms. Default 50 ms; at most 2,000 ms. */
  readonly resendDelayMs?: number;
}
