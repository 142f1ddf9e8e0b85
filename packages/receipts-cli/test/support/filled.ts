/** One receipt in each state that a command may meet. */

import type { ClaimRequest, ReceiptClaim, ReceiptStore, ToolCallReceiptKey } from '@holdfast/receipts';

export const HOSTILE = 'no \u001b[31mroute\u001b]0;title\u0007 \u009b2J \u202e\u200b\u2028 end\n\r';
export const SECRET = '{"iban":"DE00 secret"}';

export function keyOf(argsHash: string, more: Partial<ToolCallReceiptKey> = {}): ToolCallReceiptKey {
  return { tenantId: 'acme', runId: 'run 7', toolName: 'send_email', argsHash, ...more };
}

export const words = ({ tenantId, runId, toolName, argsHash }: ToolCallReceiptKey) => [
  tenantId,
  runId,
  toolName,
  argsHash,
];

async function granted(store: ReceiptStore, key: ToolCallReceiptKey, more: Partial<ClaimRequest> = {}) {
  const request = { effect: 'opaque', token: 'token', leaseMs: 3_600_000, maxAttempts: 9, ...more } as const;
  const outcome = await store.claim(key, request);
  if (outcome.kind !== 'execute') throw new Error(`The claim was answered with ${outcome.kind}.`);
  const claim: ReceiptClaim = { attempt: outcome.attempt, token: request.token };
  return claim;
}

/** `unknown` is on attempt 2, `done` has a result and a step, `late` has evidence of a result. */
export async function fill(store: ReceiptStore): Promise<void> {
  const [unknown, done, late] = [keyOf('unknown'), keyOf('done'), keyOf('late')];
  await store.fail(unknown, await granted(store, unknown), { kind: 'clean', error: 'not yet' });
  await store.fail(unknown, await granted(store, unknown, { token: 'b' }), {
    kind: 'unknown',
    error: HOSTILE,
  });
  const claim = await granted(store, done, { effect: 'resumable' });
  await store.step(done, claim, 3_600_000, `step ${HOSTILE}`, SECRET);
  await store.complete(done, claim, SECRET);
  const zombie = await granted(store, late);
  await store.fail(late, zombie, { kind: 'clean', error: 'no' });
  await store.complete(late, zombie, SECRET);
  await granted(store, keyOf('running', { tenantId: 'other' }));
}
