/** What to do about the receipt that was found. Pure: the host reads, writes and owns the clock. */

import { describeValue, HoldfastError } from '@holdfast/kernel';

/**
 * A receipt as the host found it. `absent` covers both "never recorded" and "recorded under a different key".
 * `leaseExpired` must be computed on the store's clock: the clocks of processes drift enough to steal a live lease.
 */
export type ReceiptState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly attempts: number }
  | { readonly kind: 'running'; readonly attempts: number; readonly leaseExpired: boolean };

/**
 * Whether an interrupted effect can be safely resumed.
 *
 * - `resumable`: the host records each step as it completes, so a reclaimed attempt skips what already happened.
 * - `opaque`: one indivisible side effect that leaves no record of whether it landed.
 */
export type EffectResumability = 'resumable' | 'opaque';

/** What to do about the receipt that was found. */
export type ReceiptDecision =
  /** Execute, then complete the receipt under this attempt number. */
  | { readonly kind: 'execute'; readonly attempt: number }
  /** Do not execute. The recorded result is this call's result. */
  | { readonly kind: 'replay' }
  /** Another attempt holds a live lease. Not a failure: come back after a delay that the host chooses. */
  | { readonly kind: 'wait'; readonly reason: string }
  /** The effect may or may not have happened, and nothing here can tell. Do not execute; a human resolves it. */
  | { readonly kind: 'ambiguous'; readonly reason: string };

/** A receipt or an effect that the decision does not know, so that no answer would be safe. `field` names it. */
export class ReceiptStateError extends HoldfastError {
  override readonly name = 'ReceiptStateError';
  readonly code = 'ERR_HOLDFAST_RECEIPT_STATE';
  readonly field: string;
  readonly value: unknown;

  constructor(field: string, value: unknown, expected: string) {
    super(`A receipt decision needs ${field} to be ${expected}, and got ${describeValue(value)}.`);
    this.field = field;
    this.value = value;
  }
}

/**
 * Decides what a found receipt means.
 *
 * | state | `resumable` | `opaque` |
 * |---|---|---|
 * | absent | execute, attempt 1 | execute, attempt 1 |
 * | failed | execute, next attempt | execute, next attempt |
 * | running, lease live | wait | wait |
 * | running, lease expired | execute, next attempt | ambiguous |
 * | completed | replay | replay |
 *
 * An expired lease is not ambiguous in itself: leases expire whenever a worker dies or stalls. It is ambiguous for an
 * effect that left no trail.
 *
 * @throws {ReceiptStateError} `ERR_HOLDFAST_RECEIPT_STATE` for an unknown kind or effect, attempts that are not a
 * whole number from 0, or a `leaseExpired` that is not a boolean.
 */
export function decideToolCallReceipt(input: {
  readonly state: ReceiptState;
  readonly effect: EffectResumability;
}): ReceiptDecision {
  const { state, effect } = input;
  if (effect !== 'resumable' && effect !== 'opaque') {
    throw new ReceiptStateError('effect', effect, "'resumable' or 'opaque'");
  }
  switch (state.kind) {
    case 'absent':
      return { kind: 'execute', attempt: 1 };
    case 'completed':
      return { kind: 'replay' };
    case 'failed':
      return { kind: 'execute', attempt: nextAttempt(state.attempts) };
    case 'running':
      return decideRunning(state, effect);
    default:
      throw new ReceiptStateError(
        'state.kind',
        (state as { kind?: unknown }).kind,
        "'absent', 'completed', 'failed' or 'running'",
      );
  }
}

function decideRunning(state: ReceiptState & { kind: 'running' }, effect: EffectResumability): ReceiptDecision {
  const next = nextAttempt(state.attempts);
  // A stored 0, 1 or 'false' read as a truth value could steal a live lease.
  if (typeof state.leaseExpired !== 'boolean') {
    throw new ReceiptStateError('state.leaseExpired', state.leaseExpired, 'true or false');
  }
  if (!state.leaseExpired) {
    return { kind: 'wait', reason: `Attempt ${state.attempts} holds a live lease on this call.` };
  }
  if (effect === 'resumable') return { kind: 'execute', attempt: next };
  return {
    kind: 'ambiguous',
    reason:
      `The lease of attempt ${state.attempts} expired before it recorded an outcome, and an opaque effect ` +
      'leaves no record of whether it happened.',
  };
}

function nextAttempt(attempts: number): number {
  if (!Number.isSafeInteger(attempts) || attempts < 0 || attempts === Number.MAX_SAFE_INTEGER) {
    throw new ReceiptStateError('state.attempts', attempts, 'a whole number from 0 to 2^53 - 2');
  }
  return attempts + 1;
}
