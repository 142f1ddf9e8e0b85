/** One granted attempt: run the effect under its lease, then tell the store how it ended. */

import type { Effect, EffectContext, EffectSignal } from '../execute-once-options.js';
import type { EffectEnding, ExecuteOnceOutcome } from '../execute-once-outcome.js';
import { toolCallIdempotencyKey } from '../idempotency-key.js';
import type { ToolCallReceiptKey } from '../receipt-key.js';
import type { ReceiptStore } from '../receipt-store.js';
import type { Grant } from './acquire.js';
import { type Classification, classify } from './classify.js';
import { Journal } from './journal.js';
import { mayOutliveKey } from './key-window.js';
import { Lease } from './lease.js';
import { resend } from './resend.js';
import { encodeValue } from './result-text.js';
import { errorText, type Settings } from './settings.js';

export class Attempt<T> {
  readonly #store: ReceiptStore;
  readonly #key: ToolCallReceiptKey;
  readonly #grant: Grant;
  readonly #settings: Settings<T>;
  readonly #lease: Lease;
  readonly #journal: Journal;
  #started = false;

  constructor(store: ReceiptStore, key: ToolCallReceiptKey, grant: Grant, settings: Settings<T>) {
    this.#store = store;
    this.#key = key;
    this.#grant = grant;
    this.#settings = settings;
    this.#lease = new Lease(store, key, grant, settings);
    this.#journal = new Journal(store, key, grant, this.#lease, settings);
  }

  /** Runs the effect and settles the receipt. The lease is renewed until the store has answered. */
  async run(effect: Effect<T>): Promise<ExecuteOnceOutcome<T>> {
    try {
      const ending = await this.#runEffect(effect);
      await this.#journal.close();
      this.#lease.settle();
      return ending.kind === 'returned' ? await this.#complete(ending) : await this.#fail(ending);
    } finally {
      this.#lease.end();
    }
  }

  async #runEffect(effect: Effect<T>): Promise<EffectEnding<T>> {
    try {
      this.#lease.begin();
      const context = await this.#context();
      this.#lease.check();
      this.#started = true;
      return { kind: 'returned', value: await effect(context) };
    } catch (error) {
      return { kind: 'threw', error };
    }
  }

  async #context(): Promise<EffectContext> {
    const idempotencyKey = await toolCallIdempotencyKey(this.#key, this.#settings.digest);
    const { attempt } = this.#grant.claim;
    const keyMayBeForgotten = mayOutliveKey(this.#grant, this.#settings);
    const lease = this.#lease;
    return {
      key: this.#key,
      attempt,
      get signal() {
        // The controller is the runtime's own, so its signal is too.
        return lease.signal as EffectSignal;
      },
      idempotencyKey,
      keyMayBeForgotten,
      step: this.#journal.step,
    };
  }

  async #complete(ending: EffectEnding<T> & { readonly kind: 'returned' }): Promise<ExecuteOnceOutcome<T>> {
    const { claim } = this.#grant;
    const { attempt } = claim;
    const { value } = ending;
    const { text, kept } = await encodeValue(value, this.#key, this.#settings);
    const sent = await resend('complete', () => this.#store.complete(this.#key, claim, text), this.#settings);
    if (sent.kind === 'silent') return { kind: 'unrecorded', attempt, value, cause: sent.cause };
    if (sent.answer.kind === 'fenced') return { kind: 'lost', attempt, effect: ending };
    return { kind: 'executed', attempt, value, kept };
  }

  async #fail(ending: EffectEnding<T> & { readonly kind: 'threw' }): Promise<ExecuteOnceOutcome<T>> {
    const { claim } = this.#grant;
    const { attempt } = claim;
    const { error } = ending;
    const classification: Classification = this.#started ? classify(error, this.#settings) : { failure: 'clean' };
    const failure = { kind: classification.failure, error: errorText(error, this.#settings) };
    const sent = await resend('fail', () => this.#store.fail(this.#key, claim, failure), this.#settings);
    if (sent.kind === 'answered' && sent.answer.kind === 'fenced') return { kind: 'lost', attempt, effect: ending };
    const recorded = sent.kind === 'answered';
    const { signal } = this.#settings;
    if (recorded && !this.#started && signal?.aborted) return { kind: 'aborted', reason: signal.reason };
    return { kind: 'failed', attempt, error, recorded, ...classification };
  }
}
