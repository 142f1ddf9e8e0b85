/** What the cases of the contract share: a store on a clock that stands still, keys, requests and claims. */

import assert from 'node:assert/strict';
import type {
  ClaimOutcome,
  ClaimRequest,
  ReceiptClaim,
  ReceiptStore,
  ReceiptSummary,
  ToolCallReceiptKey,
} from '@holdfast/receipts';

/** An empty store on a clock that stands still until it is moved. */
export interface StoreUnderTest {
  readonly store: ReceiptStore;
  advance(ms: number): void;
}

export interface ContractCase {
  readonly name: string;
  run(open: () => StoreUnderTest): Promise<void>;
}

export const LEASE = 1_000;

export function keyOf(argsHash: string, tenantId = 'tenant'): ToolCallReceiptKey {
  return { tenantId, runId: 'run', toolName: 'send_email', argsHash };
}

export function request(token: string, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return { effect: 'opaque', token, leaseMs: LEASE, maxAttempts: 3, ...more };
}

export const KEY = keyOf('hash');
export const resumable = { effect: 'resumable' } as const;

/** Claims and insists on a grant. */
export async function granted(
  store: ReceiptStore,
  token: string,
  more: Partial<ClaimRequest> = {},
  key = KEY,
): Promise<ReceiptClaim> {
  const outcome = await store.claim(key, request(token, more));
  assert.equal(outcome.kind, 'execute');
  return { attempt: (outcome as ClaimOutcome & { kind: 'execute' }).attempt, token };
}

export async function claimKind(store: ReceiptStore, token: string, more: Partial<ClaimRequest> = {}): Promise<string> {
  return (await store.claim(KEY, request(token, more))).kind;
}

export async function only(store: ReceiptStore): Promise<ReceiptSummary> {
  const { receipts } = await store.list();
  assert.equal(receipts.length, 1);
  return receipts[0] as ReceiptSummary;
}

/** Attempt 1 of a resumable effect whose lease ran out, and attempt 2 that took over. */
export async function takenOver(open: () => StoreUnderTest) {
  const { store, advance } = open();
  const zombie = await granted(store, 'a', resumable);
  advance(LEASE);
  const holder = await granted(store, 'b', resumable);
  return { store, advance, zombie, holder };
}

export const ok = { kind: 'ok' };
export const fenced = { kind: 'fenced' };
export const already = { kind: 'already' };

/** One receipt in each state; the hash of each is its status. */
export async function oneOfEach({ store, advance }: StoreUnderTest): Promise<void> {
  const claim = (status: string, more: Partial<ClaimRequest> = {}) => granted(store, status, more, keyOf(status));
  await store.complete(keyOf('gone'), await claim('gone'), 'old');
  advance(10 * LEASE);
  await store.collect({ dropResultsAfterMs: LEASE, removeKeysAfterMs: 100 * LEASE });
  await claim('expired', resumable);
  await claim('abandoned');
  advance(LEASE);
  await store.fail(keyOf('ambiguous'), await claim('ambiguous'), { kind: 'unknown', error: 'timeout' });
  await store.fail(keyOf('failed'), await claim('failed'), { kind: 'clean', error: 'no' });
  await store.fail(keyOf('rejected'), await claim('rejected'), { kind: 'terminal', error: 'never' });
  await store.complete(keyOf('completed'), await claim('completed'), 'done');
  await claim('running');
}
