/** Checks that every store makes of what it is asked, with the defaults filled in. */

import { ReceiptOptionError } from './execute-once-errors.js';
import type { ClaimRequest, CollectPolicy, ReceiptFilter, ReceiptStatus } from './receipt-store.js';

/** Longest lease: 24 hours. */
const MAX_LEASE_MS = 86_400_000;

/**
 * Refuses a lease that is not a whole number of milliseconds from 1 to 24 hours.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION`
 */
export function checkLeaseMs(leaseMs: number): void {
  if (!isWhole(leaseMs, 1, MAX_LEASE_MS)) {
    throw new ReceiptOptionError('leaseMs', leaseMs, `a whole number of milliseconds from 1 to ${MAX_LEASE_MS}`);
  }
}

/**
 * Refuses a claim without a token, with an unknown effect, or with an unusable lease or attempt limit.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION`
 */
export function checkClaimRequest(request: ClaimRequest): void {
  checkLeaseMs(request.leaseMs);
  if (!isWhole(request.maxAttempts, 1, Number.MAX_SAFE_INTEGER)) {
    throw new ReceiptOptionError('maxAttempts', request.maxAttempts, 'a whole number from 1');
  }
  if (request.effect !== 'opaque' && request.effect !== 'resumable') {
    throw new ReceiptOptionError('effect', request.effect, "'opaque' or 'resumable'");
  }
  if (typeof request.token !== 'string' || request.token === '') {
    throw new ReceiptOptionError('token', request.token, 'a text that no other call has');
  }
}

/** Every name a status has; the compiler keeps it whole. */
const STATUSES: Readonly<Record<ReceiptStatus, true>> = {
  running: true,
  expired: true,
  ambiguous: true,
  completed: true,
  gone: true,
  failed: true,
  rejected: true,
};

/**
 * Fills in the page size of a filter: 100 by default.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for a tenant, a run or a cursor that is not text, an unknown
 * status, or a limit outside 1 to 1,000.
 */
export function checkReceiptFilter(filter: ReceiptFilter): ReceiptFilter & { readonly limit: number } {
  const limit = filter.limit ?? 100;
  if (!isWhole(limit, 1, 1_000)) throw new ReceiptOptionError('limit', limit, 'a whole number from 1 to 1,000');
  for (const field of ['tenantId', 'runId', 'after'] as const) {
    const text: unknown = filter[field];
    if (text !== undefined && typeof text !== 'string') throw new ReceiptOptionError(field, text, 'a text');
  }
  const { status } = filter;
  if (status !== undefined && !Object.hasOwn(STATUSES, status)) {
    throw new ReceiptOptionError('status', status, `one of ${Object.keys(STATUSES).join(', ')}`);
  }
  return { ...filter, limit };
}

/**
 * Fills in the limit of a policy: 1,000 by default.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an age that is not a number from 0, keys that would go
 * before their results, or a limit outside 1 to 100,000.
 */
export function checkCollectPolicy(policy: CollectPolicy): Required<CollectPolicy> {
  const { dropResultsAfterMs, removeKeysAfterMs, limit = 1_000 } = policy ?? ({} as CollectPolicy);
  if (!isAge(dropResultsAfterMs, 0)) {
    throw new ReceiptOptionError('dropResultsAfterMs', dropResultsAfterMs, 'a number of milliseconds from 0');
  }
  if (!isAge(removeKeysAfterMs, dropResultsAfterMs)) {
    throw new ReceiptOptionError('removeKeysAfterMs', removeKeysAfterMs, 'a number, at least dropResultsAfterMs');
  }
  if (!isWhole(limit, 1, 100_000)) throw new ReceiptOptionError('limit', limit, 'a whole number from 1 to 100,000');
  return { dropResultsAfterMs, removeKeysAfterMs, limit };
}

/** `null`, which is how JSON writes infinity, would compare like 0, and every key would go at once. */
function isAge(value: unknown, lowest: number): value is number {
  return typeof value === 'number' && value >= lowest;
}

/** Whether a value is an integer between the bounds, both included. */
export function isWhole(value: unknown, lowest: number, highest: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= lowest && (value as number) <= highest;
}
