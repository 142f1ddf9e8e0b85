/** The lease of one granted attempt, as its holder sees it. */

import { type AbortSignalLike, runtime } from '@holdfast/kernel';
import { LeaseLostError } from '../execute-once-errors.js';
import type { ToolCallReceiptKey } from '../receipt-key.js';
import type { ReceiptClaim, ReceiptStore } from '../receipt-store.js';
import type { Grant } from './acquire.js';
import { keyLeftMs } from './key-window.js';
import type { Settings } from './settings.js';

type AbortController = InstanceType<typeof runtime.AbortController>;

/**
 * Renews the lease at a third of its length, and aborts its signal when the lease is lost: when the store says
 * `fenced`, or when the deadline passes. The deadline runs on this process's monotonic clock from before the request
 * was sent, so it is never later than the store's.
 */
export class Lease {
  readonly #store: ReceiptStore;
  readonly #key: ToolCallReceiptKey;
  readonly #claim: ReceiptClaim;
  readonly #settings: Settings<unknown>;
  /** When the provider may forget the idempotency key; no renewal moves it. */
  readonly #keyEnd: number;
  #deadline: number;
  #timer: unknown;
  #controller: AbortController | undefined;
  #renewing = false;
  #lost: LeaseLostError | undefined;
  #settling = false;
  #ended = false;

  constructor(store: ReceiptStore, key: ToolCallReceiptKey, grant: Grant, settings: Settings<unknown>) {
    this.#store = store;
    this.#key = key;
    this.#claim = grant.claim;
    this.#settings = settings;
    const keyLeft = settings.onKeyExpiry === 'warn' ? Number.POSITIVE_INFINITY : keyLeftMs(grant, settings);
    this.#keyEnd = grant.sentAt + keyLeft;
    // An attempt whose key does not last for a lease is not begun.
    this.#deadline = grant.sentAt + settings.leaseMs;
  }

  /** From here on the lease is renewed, and the host's signal aborts. */
  begin(): void {
    const { signal } = this.#settings;
    this.#schedule();
    if (signal?.aborted) this.#abortWithHost();
    signal?.addEventListener('abort', this.#abortWithHost);
  }

  get signal(): AbortSignalLike {
    return this.#aborter().signal;
  }

  /**
   * Throws unless the attempt may begin something now. Looks at the clock itself: timers are late after the process
   * was paused.
   */
  check(): void {
    if (this.#lost === undefined && this.#settings.now() >= this.#deadline) this.#expire();
    if (this.#lost !== undefined) throw this.#lost;
    if (this.#controller?.signal.aborted) throw this.#controller.signal.reason;
  }

  /** The store confirmed a request sent at `sentAt` that renewed the lease. */
  extend(sentAt: number): void {
    this.#deadline = Math.min(Math.max(this.#deadline, sentAt + this.#settings.leaseMs), this.#keyEnd);
  }

  /** Aborts the signal for good. */
  lose(reason: LeaseLostError['reason']): LeaseLostError {
    this.#lost ??= new LeaseLostError(this.#claim.attempt, reason);
    runtime.clearTimeout(this.#timer);
    this.#abort(this.#lost);
    return this.#lost;
  }

  /**
   * The effect has ended, and only its recording is left. The lease is kept for that, and nothing aborts any more: a
   * renewal that crosses the recording is fenced, and must not set off what an effect does to undo itself.
   */
  settle(): void {
    this.#settling = true;
  }

  /** The attempt is settled: no more renewals. */
  end(): void {
    this.#ended = true;
    runtime.clearTimeout(this.#timer);
    try {
      this.#settings.signal?.removeEventListener('abort', this.#abortWithHost);
    } catch {
      // What became of the call must be told, whatever the host's signal does.
    }
  }

  readonly #abortWithHost = (): void => {
    this.#abort(this.#settings.signal?.reason);
  };

  #abort(reason: unknown): void {
    if (!this.#settling) this.#aborter().abort(reason);
  }

  /** Made when it is first used: few effects look at their signal, and it costs as much as all else of a lease. */
  #aborter(): AbortController {
    this.#controller ??= new runtime.AbortController();
    return this.#controller;
  }

  #expire(): void {
    this.lose(this.#settings.now() >= this.#keyEnd ? 'key-expired' : 'expired');
  }

  #schedule(): void {
    const { leaseMs, now } = this.#settings;
    const delay = Math.min(leaseMs / 3, this.#deadline - now());
    this.#timer = runtime.setTimeout(() => this.#beat(), Math.max(0, delay));
  }

  #beat(): void {
    if (this.#settings.now() >= this.#deadline) {
      this.#expire();
      return;
    }
    if (!this.#renewing) void this.#renew();
    this.#schedule();
  }

  async #renew(): Promise<void> {
    this.#renewing = true;
    const sentAt = this.#settings.now();
    try {
      const { kind } = await this.#store.renew(this.#key, this.#claim, this.#settings.leaseMs);
      if (kind === 'ok') this.extend(sentAt);
      else if (!this.#ended && this.#lost === undefined) this.lose('fenced');
    } catch {
      // The next beat asks again; a store that stays silent runs into the deadline.
    } finally {
      this.#renewing = false;
    }
  }
}
