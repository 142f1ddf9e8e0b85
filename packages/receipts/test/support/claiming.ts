/** Keys, requests and grants as tests write them. */

import type { ClaimRequest, ReceiptClaim, ReceiptStore, ToolCallReceiptKey } from '@holdfast/receipts';

export const LEASE = 1_000;

export function keyOf(argsHash: string, tenantId = 'tenant'): ToolCallReceiptKey {
  return { tenantId, runId: 'run', toolName: 'send_email', argsHash };
}

export function request(token: string, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return { effect: 'opaque', token, leaseMs: LEASE, maxAttempts: 3, ...more };
}

/** Claims and insists on a grant. */
export async function granted(
  store: ReceiptStore,
  token: string,
  more: Partial<ClaimRequest> = {},
  key = keyOf('hash'),
): Promise<ReceiptClaim> {
  const outcome = await store.claim(key, request(token, more));
  if (outcome.kind !== 'execute') throw new Error(`The claim of ${token} was answered ${outcome.kind}.`);
  return { attempt: outcome.attempt, token };
}
