/** From a key to a granted attempt, or to the reason why nothing runs. */

import { HoldfastError } from '@holdfast/kernel';
import { ReceiptOptionError, ReceiptStoreUnavailableError } from '../execute-once-errors.js';
import type { ReconcileQuestion, Reconciliation } from '../execute-once-options.js';
import type { ExecuteOnceOutcome } from '../execute-once-outcome.js';
import { toolCallIdempotencyKey } from '../idempotency-key.js';
import type { ToolCallReceiptKey } from '../receipt-key.js';
import type { ClaimOutcome, ReceiptClaim, ReceiptStore, ReceiptVerdict } from '../receipt-store.js';
import { mayOutliveKey, outlivedText } from './key-window.js';
import { pause, resend } from './resend.js';
import { decodeValue, encodeValue } from './result-text.js';
import type { Settings } from './settings.js';

/** The right to run the effect. */
export interface Grant {
  readonly kind: 'granted';
  readonly claim: ReceiptClaim;
  readonly steps: ReadonlyMap<string, string>;
  /** How old the receipt was when the claim was granted. */
  readonly ageMs: number;
  /** When the claim that was granted was sent, on the caller's clock. */
  readonly sentAt: number;
}

const FIRST_POLL_MS = 25;
const LAST_POLL_MS = 1_000;

/** One is an accident. More come of tokens that are used again, or of a store that takes new ones for used ones. */
const MAX_STALE_TOKENS = 5;

type Ambiguous = ClaimOutcome & { readonly kind: 'ambiguous' };

/**
 * One `executeOnce` call before its effect. It keeps one token, so whichever of its claims the store grants, resent,
 * delayed or polled, the next one finds that grant.
 */
export class Acquisition<T> {
  readonly #store: ReceiptStore;
  readonly #key: ToolCallReceiptKey;
  readonly #settings: Settings<T>;
  readonly #waitUntil: number;
  #token: string;
  #staleTokens = 0;
  #pollMs = FIRST_POLL_MS;
  #reconciledAttempt = 0;
  #sentAt = 0;

  constructor(store: ReceiptStore, key: ToolCallReceiptKey, settings: Settings<T>) {
    this.#store = store;
    this.#key = key;
    this.#settings = settings;
    this.#token = settings.newToken();
    const now = settings.now();
    // Nothing would ever be due by such a clock, or all of it at once.
    if (!Number.isFinite(now)) throw new ReceiptOptionError('now', now, 'a function that gives milliseconds');
    this.#waitUntil = now + settings.waitLimitMs;
  }

  /** Claims until there is an answer to act on. */
  async run(): Promise<Grant | ExecuteOnceOutcome<T>> {
    for (;;) {
      const { signal } = this.#settings;
      if (signal?.aborted) return { kind: 'aborted', reason: signal.reason };
      const claimed = await this.#claim();
      switch (claimed.kind) {
        case 'execute': {
          const grant = this.#granted(claimed);
          if (!(await this.#refused(grant))) return grant;
          break;
        }
        case 'replay':
          return this.#replayed(claimed);
        case 'gone':
          return { kind: 'gone', attempt: claimed.attempt, reason: 'retention' };
        case 'wait':
          if (!(await this.#waited(claimed.remainingMs))) return { ...claimed, kind: 'busy' };
          break;
        case 'ambiguous':
          if (!(await this.#reconciled(claimed))) return claimed;
          break;
        case 'stale':
          this.#renewToken();
          break;
        default:
          return claimed;
      }
    }
  }

  #claim(): Promise<ClaimOutcome> {
    const { effect, leaseMs, maxAttempts, now } = this.#settings;
    const request = { effect, leaseMs, maxAttempts, token: this.#token };
    return this.#ask('claim', () => {
      this.#sentAt = now();
      return this.#store.claim(this.#key, request);
    });
  }

  #granted(claimed: ClaimOutcome & { readonly kind: 'execute' }): Grant {
    const { attempt, steps, ageMs } = claimed;
    return { kind: 'granted', claim: { attempt, token: this.#token }, steps, ageMs, sentAt: this.#sentAt };
  }

  /** Gives back an attempt that may repeat what the provider has forgotten. `true` means: claim again, and see. */
  async #refused(grant: Grant): Promise<boolean> {
    if (this.#settings.onKeyExpiry === 'warn' || !mayOutliveKey(grant, this.#settings)) return false;
    const failure = { kind: 'unknown', error: outlivedText(grant, this.#settings) } as const;
    await this.#ask('fail', () => this.#store.fail(this.#key, grant.claim, failure));
    return true;
  }

  async #replayed(claimed: ClaimOutcome & { readonly kind: 'replay' }): Promise<ExecuteOnceOutcome<T>> {
    const { attempt, result } = claimed;
    const decoded = await decodeValue(result, this.#key, this.#settings);
    if (decoded.kind === 'omitted') return { kind: 'gone', attempt, reason: 'omitted' };
    return { kind: 'replayed', attempt, value: decoded.value as T };
  }

  /** Pauses before the next look, if the call may still wait. */
  async #waited(remainingMs: number): Promise<boolean> {
    const { whenBusy, now, signal } = this.#settings;
    const left = this.#waitUntil - now();
    if (whenBusy === 'return' || left <= 0) return false;
    await pause(Math.max(1, Math.min(this.#pollMs, remainingMs, left)), signal);
    this.#pollMs = Math.min(this.#pollMs * 2, LAST_POLL_MS);
    return true;
  }

  /** Asks the host about the attempt, and tells the store. `true` means: claim again. */
  async #reconciled(claimed: Ambiguous): Promise<boolean> {
    const { reconcile } = this.#settings;
    if (reconcile === undefined || claimed.attempt === this.#reconciledAttempt) return false;
    this.#reconciledAttempt = claimed.attempt;
    const verdict = await this.#verdictOf(await reconcile(await this.#question(claimed)));
    if (verdict === undefined) return false;
    // Fenced means that somebody was faster; the next claim sees what they did.
    await this.#ask('resolve', () => this.#store.resolve(this.#key, claimed.attempt, verdict));
    return true;
  }

  async #question({ kind: _, ...known }: Ambiguous): Promise<ReconcileQuestion> {
    const { digest, signal } = this.#settings;
    const idempotencyKey = await toolCallIdempotencyKey(this.#key, digest);
    return { key: this.#key, idempotencyKey, ...known, ...(signal && { signal }) };
  }

  async #verdictOf(found: Reconciliation<T>): Promise<ReceiptVerdict | undefined> {
    switch (found?.kind) {
      case 'happened':
        return { kind: 'happened', result: (await encodeValue(found.result, this.#key, this.#settings)).text };
      case 'did-not-happen':
        return found;
      case 'unknown':
        return undefined;
      default: {
        const { kind } = (found ?? {}) as { readonly kind?: unknown };
        throw new ReceiptOptionError('reconcile', kind, "a function giving 'happened', 'did-not-happen' or 'unknown'");
      }
    }
  }

  /** A delayed duplicate of this call was granted and has been settled meanwhile: go on under a new name. */
  #renewToken(): void {
    const token = this.#settings.newToken();
    if (token === this.#token || ++this.#staleTokens > MAX_STALE_TOKENS) {
      throw new ReceiptOptionError('newToken', token, 'a function that gives a text each time that no call had before');
    }
    this.#token = token;
  }

  async #ask<Answer extends { readonly kind: string }>(
    verb: ReceiptStoreUnavailableError['verb'],
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    // Nothing has run, so the caller may hear of a refusal at once. After the effect even a refusal is worth a resend.
    const sent = await resend(verb, send, this.#settings, isRefusal);
    if (sent.kind === 'answered') return sent.answer;
    if (isRefusal(sent.cause)) throw sent.cause;
    throw new ReceiptStoreUnavailableError(verb, sent.sends, sent.cause);
  }
}

/**
 * Whether the store says that sending again cannot help. A claim that may have been granted is sent again all the same: left
 * alone, it would look interrupted.
 */
function isRefusal(cause: unknown): boolean {
  if (!HoldfastError.isInstance(cause)) return false;
  const { mayBeApplied } = cause as { readonly mayBeApplied?: unknown };
  return mayBeApplied !== true;
}
