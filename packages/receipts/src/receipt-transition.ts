/**
 * What every verb does to a receipt, as pure functions: the one truth that all stores share. A store reads the row,
 * applies the transition, and writes `row` if there is one, all in one transaction.
 */

import { ReceiptOptionError } from './execute-once-errors.js';
import { decideToolCallReceipt, type EffectResumability, type ReceiptState } from './receipt-decision.js';
import type { ReceiptRow } from './receipt-row.js';
import type {
  ClaimOutcome,
  ClaimRequest,
  FencedOutcome,
  ReceiptClaim,
  ReceiptEvidence,
  ReceiptFailure,
  ReceiptVerdict,
  SettleOutcome,
} from './receipt-store.js';
import { checkClaimRequest, checkLeaseMs } from './store-requests.js';

/** The answer of a verb, and the row to write if the verb changes anything. */
export interface ReceiptTransition<Outcome> {
  readonly outcome: Outcome;
  /** The whole row as it shall be; absent when nothing is to be written. */
  readonly row?: ReceiptRow;
  /** Present on a grant from which the receipt's `ageMs` counts. */
  readonly anew?: true;
}

/** The answer to a claim as the row alone gives it: `execute` still lacks its `steps` and its `ageMs`. */
export type ClaimAnswer =
  | Exclude<ClaimOutcome, { readonly kind: 'execute' }>
  | { readonly kind: 'execute'; readonly attempt: number };

/**
 * Decides a claim on `row` (`undefined` when the key has none) at `now`, in milliseconds of the store's clock. Equals
 * `decideToolCallReceipt` wherever that has an answer; beyond it, knows tokens, the attempt limit and stored verdicts.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an unusable request.
 */
export function applyClaim(
  row: ReceiptRow | undefined,
  request: ClaimRequest,
  now: number,
): ReceiptTransition<ClaimAnswer> {
  checkClaimRequest(request);
  if (row === undefined) return grant(row, request, 1, now);
  const settled = settledAnswer(row);
  if (settled !== undefined) return { outcome: settled };
  if (row.token === request.token) return claimAgain(row, request, now);
  const decision = decideToolCallReceipt({ state: stateOf(row, now), effect: commonEffect(row, request) });
  switch (decision.kind) {
    case 'execute':
      return decision.attempt > request.maxAttempts
        ? { outcome: { kind: 'exhausted', attempts: row.attempts, ...errorOf(row) } }
        : grant(row, request, decision.attempt, now);
    case 'wait': {
      const remainingMs = row.leaseUntil - now;
      return { outcome: { kind: 'wait', attempt: row.attempts, remainingMs, reason: decision.reason } };
    }
    case 'ambiguous':
      return { outcome: ambiguous(row, decision.reason) };
    case 'replay':
      throw new TypeError('A receipt that is not completed cannot replay.');
  }
}

/** Extends the lease of a running attempt. Also the gate and the lease of `step`; the store adds the entry when `ok`. */
export function applyRenew(
  row: ReceiptRow | undefined,
  claim: ReceiptClaim,
  leaseMs: number,
  now: number,
): ReceiptTransition<FencedOutcome> {
  checkLeaseMs(leaseMs);
  if (row === undefined || row.status !== 'running' || !isHolder(row, claim)) return { outcome: { kind: 'fenced' } };
  return { outcome: { kind: 'ok' }, row: { ...row, leaseUntil: now + leaseMs } };
}

/**
 * Records the result of a running attempt.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for a result that is not text.
 */
export function applyComplete(
  row: ReceiptRow | undefined,
  claim: ReceiptClaim,
  result: string,
): ReceiptTransition<SettleOutcome> {
  checkText('result', result);
  return applySettle(row, claim, { status: 'completed', result, error: null }, { kind: 'completed', text: result });
}

/** The status that each kind of failure stores. */
const FAILURE_STATUS = { clean: 'failed', unknown: 'ambiguous', terminal: 'rejected' } as const;

/**
 * Records the failure of a running attempt.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an unknown kind or an error that is not text.
 */
export function applyFail(
  row: ReceiptRow | undefined,
  claim: ReceiptClaim,
  failure: ReceiptFailure,
): ReceiptTransition<SettleOutcome> {
  const { kind, error } = failure;
  checkText('error', error);
  if (!Object.hasOwn(FAILURE_STATUS, kind)) {
    throw new ReceiptOptionError('kind', kind, "'clean', 'unknown' or 'terminal'");
  }
  const status = FAILURE_STATUS[kind];
  return applySettle(row, claim, { status, result: null, error }, { kind: 'failed', text: error });
}

/**
 * Settles an ambiguous receipt, or a running one past its lease, by a verdict from outside.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an unknown verdict, or a result or error that is not text.
 */
export function applyResolve(
  row: ReceiptRow | undefined,
  attempt: number,
  verdict: ReceiptVerdict,
  now: number,
): ReceiptTransition<FencedOutcome> {
  checkVerdict(verdict);
  const open = row?.status === 'ambiguous' || (row?.status === 'running' && row.leaseUntil <= now);
  if (row === undefined || !open || row.attempts !== attempt) return { outcome: { kind: 'fenced' } };
  const outcome = { kind: 'ok' } as const;
  const resolved = true;
  switch (verdict.kind) {
    case 'happened':
      return { outcome, row: { ...row, status: 'completed', result: verdict.result, error: null, resolved } };
    case 'did-not-happen':
      return { outcome, row: { ...row, status: 'failed', resolved } };
    case 'give-up':
      return { outcome, row: { ...row, status: 'rejected', error: verdict.error, resolved } };
  }
}

function checkText(field: string, value: unknown): void {
  if (typeof value !== 'string') throw new ReceiptOptionError(field, value, 'a text');
}

function checkVerdict(verdict: ReceiptVerdict): void {
  if (verdict?.kind === 'happened') checkText('result', verdict.result);
  else if (verdict?.kind === 'give-up') checkText('error', verdict.error);
  else if (verdict?.kind !== 'did-not-happen') {
    const { kind } = (verdict ?? {}) as { readonly kind?: unknown };
    throw new ReceiptOptionError('verdict', kind, "'happened', 'did-not-happen' or 'give-up'");
  }
}

/** The answers that do not depend on the clock, the token or the request. */
function settledAnswer(row: ReceiptRow): ClaimAnswer | undefined {
  const attempt = row.attempts;
  switch (row.status) {
    case 'completed':
      return row.result === null ? { kind: 'gone', attempt } : { kind: 'replay', attempt, result: row.result };
    case 'rejected':
      return { kind: 'rejected', attempt, error: row.error ?? '' };
    case 'ambiguous':
      return ambiguous(row, `Attempt ${attempt} reported that it does not know whether the effect happened.`);
    default:
      return undefined;
  }
}

/** The same request once more: its own attempt while that runs, nothing once it has failed. */
function claimAgain(row: ReceiptRow, request: ClaimRequest, now: number): ReceiptTransition<ClaimAnswer> {
  const attempt = row.attempts;
  if (row.status === 'failed') return { outcome: { kind: 'stale', attempt } };
  return { outcome: { kind: 'execute', attempt }, row: { ...row, leaseUntil: now + request.leaseMs } };
}

function grant(
  row: ReceiptRow | undefined,
  request: ClaimRequest,
  attempt: number,
  now: number,
): ReceiptTransition<ClaimAnswer> {
  const nothingBefore = row === undefined || (row.status === 'failed' && row.resolved);
  const granted: ReceiptTransition<ClaimAnswer> = {
    outcome: { kind: 'execute', attempt },
    row: {
      status: 'running',
      attempts: attempt,
      effect: request.effect,
      token: request.token,
      leaseUntil: now + request.leaseMs,
      result: null,
      error: null,
      evidence: row?.evidence ?? null,
      resolved: false,
    },
  };
  return nothingBefore ? { ...granted, anew: true } : granted;
}

type Settlement = Pick<ReceiptRow, 'status' | 'result' | 'error'>;

function applySettle(
  row: ReceiptRow | undefined,
  claim: ReceiptClaim,
  settlement: Settlement,
  ending: Omit<ReceiptEvidence, 'attempt'>,
): ReceiptTransition<SettleOutcome> {
  if (row === undefined) return { outcome: { kind: 'fenced' } };
  if (isHolder(row, claim)) {
    const { status, result, error } = settlement;
    if (row.status === 'running') return { outcome: { kind: 'ok' }, row: { ...row, status, result, error } };
    if (row.status === status && !row.resolved) return { outcome: { kind: 'already' } };
  }
  const evidence = { attempt: claim.attempt, ...ending };
  const kept = isBetterEvidence(row, claim, evidence) ? { row: { ...row, evidence } } : {};
  return { outcome: { kind: 'fenced' }, ...kept };
}

/**
 * A claim that never was granted says nothing. One slot is kept: that an effect happened tells more than that an attempt
 * failed, and a later attempt more than an earlier one.
 */
function isBetterEvidence(row: ReceiptRow, claim: ReceiptClaim, evidence: ReceiptEvidence): boolean {
  const granted = claim.attempt < row.attempts || isHolder(row, claim);
  if (!granted) return false;
  const kept = row.evidence;
  if (kept === null) return true;
  if (kept.kind !== evidence.kind) return evidence.kind === 'completed';
  return evidence.attempt > kept.attempt;
}

function isHolder(row: ReceiptRow, claim: ReceiptClaim): boolean {
  return row.attempts === claim.attempt && row.token === claim.token;
}

/** An attempt that ran as opaque left no journal, whatever the next caller says; and the other way round. */
function commonEffect(row: ReceiptRow, request: ClaimRequest): EffectResumability {
  return row.effect === 'resumable' ? request.effect : 'opaque';
}

function stateOf(row: ReceiptRow, now: number): ReceiptState {
  return row.status === 'failed'
    ? { kind: 'failed', attempts: row.attempts }
    : { kind: 'running', attempts: row.attempts, leaseExpired: row.leaseUntil <= now };
}

function ambiguous(row: ReceiptRow, reason: string): ClaimAnswer {
  const evidence = row.evidence === null ? {} : { evidence: row.evidence };
  return { kind: 'ambiguous', attempt: row.attempts, reason, ...errorOf(row), ...evidence };
}

function errorOf(row: ReceiptRow): { readonly error?: string } {
  return row.error === null ? {} : { error: row.error };
}
