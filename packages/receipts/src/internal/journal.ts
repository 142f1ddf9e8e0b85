/** The steps of one attempt: run once, written down, and skipped by the attempt that takes over. */

import { EffectStepError, ReceiptOptionError } from '../execute-once-errors.js';
import type { ToolCallReceiptKey } from '../receipt-key.js';
import type { ReceiptStore } from '../receipt-store.js';
import type { Grant } from './acquire.js';
import type { Lease } from './lease.js';
import { resend } from './resend.js';
import { decodeValue, encodeValue } from './result-text.js';
import type { Settings } from './settings.js';

export class Journal {
  readonly #store: ReceiptStore;
  readonly #key: ToolCallReceiptKey;
  readonly #grant: Grant;
  readonly #lease: Lease;
  readonly #settings: Settings<unknown>;
  readonly #used = new Set<string>();
  readonly #open = new Set<Promise<unknown>>();
  /** Entries of earlier attempts and of this one, with those under way. */
  #entries: number;
  #closed = false;

  constructor(store: ReceiptStore, key: ToolCallReceiptKey, grant: Grant, lease: Lease, settings: Settings<unknown>) {
    this.#store = store;
    this.#key = key;
    this.#grant = grant;
    this.#lease = lease;
    this.#settings = settings;
    this.#entries = grant.steps.size;
  }

  /** Runs a step, or gives the value that an earlier attempt wrote down. */
  readonly step = async <T>(name: string, run: () => T | Promise<T>): Promise<T> => {
    // A store might refuse such a name, and then the step would have happened and not be written.
    if (typeof name !== 'string') throw new ReceiptOptionError('name', name, 'the text that names a step');
    if (this.#closed) throw new EffectStepError(name, 'late');
    if (this.#used.has(name)) throw new EffectStepError(name, 'repeated');
    this.#used.add(name);
    const written = this.#grant.steps.get(name);
    if (written !== undefined) return this.#resume<T>(name, written);
    if (this.#entries >= this.#settings.maxSteps) throw new EffectStepError(name, 'too-many');
    this.#lease.check();
    const running = this.#run(name, run);
    this.#open.add(running);
    try {
      return await running;
    } finally {
      this.#open.delete(running);
    }
  };

  /** Waits for steps that the effect has left running and lets no more begin: none happens after its attempt has ended. */
  async close(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
    this.#closed = true;
  }

  async #resume<T>(name: string, written: string): Promise<T> {
    const decoded = await decodeValue(written, this.#key, this.#settings);
    if (decoded.kind === 'omitted') throw new EffectStepError(name, 'not-kept');
    return decoded.value as T;
  }

  async #run<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    const value = await this.#counted(run);
    const { text } = await encodeValue(value, this.#key, this.#settings);
    const { leaseMs, now } = this.#settings;
    let sentAt = 0;
    const sent = await resend(
      'step',
      () => {
        sentAt = now();
        return this.#store.step(this.#key, this.#grant.claim, leaseMs, name, text);
      },
      this.#settings,
    );
    if (sent.kind === 'silent') throw new EffectStepError(name, 'not-recorded', sent.cause);
    if (sent.answer.kind === 'fenced') throw this.#lease.lose('fenced');
    this.#lease.extend(sentAt);
    return value;
  }

  /** A part that threw leaves no entry. */
  async #counted<T>(run: () => T | Promise<T>): Promise<T> {
    this.#entries++;
    try {
      return await run();
    } catch (error) {
      this.#entries--;
      throw error;
    }
  }
}
