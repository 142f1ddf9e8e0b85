/** The store of one running case, with what the cases say most often. */

import { runtime } from '@holdfast/kernel';
import { type ToolCallReceiptKey, toolCallReceiptKeyString } from '../receipt-key.js';
import type {
  ClaimOutcome,
  ClaimRequest,
  FailureKind,
  ReceiptClaim,
  ReceiptStore,
  ReceiptSummary,
} from '../receipt-store.js';
import { ConformanceError, equal, holds, matches } from './expect.js';
import type { OpenedStore } from './opened-store.js';

/** A lease that a case lets run out. */
export const SHORT = 40;
/** By how far a clock that can be moved is moved so that a lease of {@link SHORT} is over. */
export const PAST = 2 * SHORT;
/** A lease that outlives every case. */
export const LONG = 3_600_000;
/** Longest wait for a lease of {@link SHORT} to end, on a store whose clock nobody can move. */
const PATIENCE_MS = 10_000;
const POLL_MS = 5;

export const OPTION = 'ERR_HOLDFAST_RECEIPT_OPTION';
export const ok = { kind: 'ok' } as const;
export const fenced = { kind: 'fenced' } as const;
export const already = { kind: 'already' } as const;
export const resumable = { effect: 'resumable' } as const;

export function keyOf(argsHash: string, more: Partial<ToolCallReceiptKey> = {}): ToolCallReceiptKey {
  return { tenantId: 'tenant', runId: 'run', toolName: 'send_email', argsHash, ...more };
}

export const KEY: ToolCallReceiptKey = keyOf('hash');

export function request(token: string, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return { effect: 'opaque', token, leaseMs: LONG, maxAttempts: 9, ...more };
}

function isSameKey(one: ToolCallReceiptKey, other: ToolCallReceiptKey): boolean {
  return toolCallReceiptKeyString(one) === toolCallReceiptKeyString(other);
}

export type Granted = ClaimOutcome & { readonly kind: 'execute' };

export class Trial {
  readonly store: ReceiptStore;
  readonly other: ReceiptStore;
  /** Moves the clock, on a store where it can be moved. */
  readonly advance: ((ms: number) => Promise<void>) | undefined;

  constructor(opened: OpenedStore) {
    this.store = opened.store;
    this.other = opened.other;
    this.advance = opened.advance && (async (ms) => opened.advance?.(ms));
  }

  claim(token: string, more: Partial<ClaimRequest> = {}, key = KEY): Promise<ClaimOutcome> {
    return this.store.claim(key, request(token, more));
  }

  /** Claims, and insists on the answer's kind. */
  async answers(kind: ClaimOutcome['kind'], token: string, more: Partial<ClaimRequest> = {}, key = KEY): Promise<void> {
    matches(`the claim of ${token}`, await this.claim(token, more, key), { kind });
  }

  /** Claims, and insists on a grant. */
  async granted(token: string, more: Partial<ClaimRequest> = {}, key = KEY): Promise<ReceiptClaim> {
    return { attempt: (await this.grant(token, more, key)).attempt, token };
  }

  /** Claims, and insists on a grant; gives the whole answer. */
  async grant(token: string, more: Partial<ClaimRequest> = {}, key = KEY): Promise<Granted> {
    const outcome = await this.claim(token, more, key);
    if (outcome.kind !== 'execute') throw new ConformanceError(`the claim of ${token}`, { kind: 'execute' }, outcome);
    return outcome;
  }

  /** Claims for a moment, and lets that pass: the attempt is abandoned. */
  async abandoned(token: string, more: Partial<ClaimRequest> = {}, key = KEY): Promise<ReceiptClaim> {
    const claim = await this.granted(token, { leaseMs: SHORT, ...more }, key);
    await this.lapse(key);
    return claim;
  }

  /** An abandoned resumable attempt, and the live one that took it over. */
  async takenOver(): Promise<{ readonly zombie: ReceiptClaim; readonly holder: ReceiptClaim }> {
    const zombie = await this.abandoned('zombie', resumable);
    return { zombie, holder: await this.granted('holder', resumable) };
  }

  async completed(result: string, key = KEY, token = 'completer'): Promise<ReceiptClaim> {
    const claim = await this.granted(token, {}, key);
    equal('the completion', await this.store.complete(key, claim, result), ok);
    return claim;
  }

  async failed(kind: FailureKind, error: string, key = KEY, token = 'failing'): Promise<ReceiptClaim> {
    const claim = await this.granted(token, {}, key);
    equal('the failure', await this.store.fail(key, claim, { kind, error }), ok);
    return claim;
  }

  /** Lets the leases of {@link SHORT} on these keys end. */
  async lapse(...keys: readonly ToolCallReceiptKey[]): Promise<void> {
    if (this.advance !== undefined) return this.advance(PAST);
    for (const key of keys) {
      await this.until(async () => (await this.summary(key)).status !== 'running', 'the end of the lease');
    }
  }

  /** Asks again until it is so; once, when nothing changes before the clock is moved. */
  async until(condition: () => Promise<boolean>, what: string): Promise<void> {
    const patience = this.advance === undefined ? PATIENCE_MS : 0;
    const end = runtime.performance.now() + patience;
    while (!(await condition())) {
      holds(what, runtime.performance.now() < end, `to be seen within ${patience} ms`, 'nothing');
      await new Promise<void>((resolve) => void runtime.setTimeout(resolve, POLL_MS));
    }
  }

  /** The journal as an attempt finds it that takes this one over. */
  async journalAfter(claim: ReceiptClaim, key = KEY): Promise<ReadonlyMap<string, string>> {
    equal('the renewal', await this.store.renew(key, claim, SHORT), ok);
    await this.lapse(key);
    return (await this.grant('reader', resumable, key)).steps;
  }

  /** Every receipt that the store lists. */
  async receipts(): Promise<readonly ReceiptSummary[]> {
    return (await this.store.list({ limit: 1_000 })).receipts;
  }

  /** The listed receipt of a key. */
  async summary(key = KEY): Promise<ReceiptSummary> {
    const found = (await this.receipts()).filter((receipt) => isSameKey(receipt.key, key));
    equal('receipts listed under this key', found.length, 1);
    return found[0] as ReceiptSummary;
  }

  /** How long the lease of the running attempt still holds. */
  async remaining(key = KEY): Promise<number> {
    const outcome = await this.claim('somebody who looks', resumable, key);
    if (outcome.kind !== 'wait') throw new ConformanceError('a claim beside a live lease', { kind: 'wait' }, outcome);
    return outcome.remainingMs;
  }
}
