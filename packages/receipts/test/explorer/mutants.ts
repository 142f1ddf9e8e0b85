/** The transitions with one guard taken away, each of which must be found out. */

import type { ReceiptClaim } from '@holdfast/receipts';
import type { ReceiptRow, ReceiptTransition } from '@holdfast/receipts/store';
import { REAL, type Transitions } from './rules.js';

type Row = ReceiptRow | undefined;

const holderOf = (row: Row, claim: ReceiptClaim): ReceiptClaim =>
  row === undefined ? claim : { attempt: row.attempts, token: row.token };
const asRunning = (row: Row): Row => row && { ...row, status: 'running' };
const over = (row: Row): Row => row && { ...row, leaseUntil: Math.min(row.leaseUntil, 0) };

/** Makes a claim see another row than there is. */
const seeing = (look: (row: Row, token: string) => Row): Partial<Transitions> => ({
  claim: (row, request, now) => REAL.claim(look(row, request.token), request, now),
});
/** Makes the holder's verbs see another row, or another claim. */
const seeingBy = (look: (row: Row, claim: ReceiptClaim) => readonly [Row, ReceiptClaim]) => ({
  complete: { complete: (row, claim, result) => REAL.complete(...look(row, claim), result) } as Partial<Transitions>,
  fail: { fail: (row, claim, failure) => REAL.fail(...look(row, claim), failure) } as Partial<Transitions>,
  renew: { renew: (row, claim, leaseMs, now) => REAL.renew(...look(row, claim), leaseMs, now) } as Partial<Transitions>,
  step: { step: (row, claim, leaseMs, now) => REAL.step(...look(row, claim), leaseMs, now) } as Partial<Transitions>,
});
/** Changes the row that a transition writes. */
function writing<Outcome>(done: ReceiptTransition<Outcome>, change: (row: ReceiptRow) => ReceiptRow) {
  return done.row === undefined ? done : { ...done, row: change(done.row) };
}

const noFence = seeingBy((row, claim) => [row, holderOf(row, claim)]);
const noStatus = seeingBy((row, claim) => [asRunning(row), claim]);

/** Found by the explorer. */
export const MUTANTS: Readonly<Record<string, Partial<Transitions>>> = {
  'a completed call is claimed again': seeing((row) => (row?.status === 'completed' ? asRunning(over(row)) : row)),
  'a rejected call is claimed again': seeing((row) =>
    row?.status === 'rejected' ? { ...row, status: 'failed' } : row,
  ),
  'a reported unknown is claimed again': seeing((row) =>
    row?.status === 'ambiguous' ? { ...row, status: 'failed' } : row,
  ),
  'a claim does not know its own token': seeing((row) => row && { ...row, token: 'nobody' }),
  'a failed token is granted again': seeing((row) => (row?.status === 'failed' ? { ...row, token: 'nobody' } : row)),
  'a claim does not look at the lease': seeing((row, token) => (row?.token === token ? row : over(row))),
  'a claim takes every effect for resumable': {
    claim: (row, request, now) => {
      const done = REAL.claim(row && { ...row, effect: 'resumable' }, { ...request, effect: 'resumable' }, now);
      return writing(done, (written) => ({ ...written, effect: request.effect }));
    },
  },
  'a claim looks only at the effect before': {
    claim: (row, request, now) => {
      const done = REAL.claim(row, row === undefined ? request : { ...request, effect: row.effect }, now);
      return writing(done, (written) => ({ ...written, effect: request.effect }));
    },
  },
  'a claim looks only at its own effect': {
    claim: (row, request, now) => REAL.claim(row && { ...row, effect: request.effect }, request, now),
  },
  'a claim does not look at the attempt limit': {
    claim: (row, request, now) => REAL.claim(row, { ...request, maxAttempts: 99 }, now),
  },
  'a grant does not count': {
    claim: (row, request, now) => {
      const done = REAL.claim(row, request, now);
      if (row === undefined || done.outcome.kind !== 'execute') return done;
      return {
        outcome: { ...done.outcome, attempt: row.attempts },
        row: { ...(done.row ?? row), attempts: row.attempts },
      };
    },
  },
  'a grant forgets the evidence': {
    claim: (row, request, now) => writing(REAL.claim(row, request, now), (written) => ({ ...written, evidence: null })),
  },
  'a grant stays marked as settled by a person': {
    claim: (row, request, now) =>
      writing(REAL.claim(row, request, now), (written) => ({ ...written, resolved: row?.resolved ?? false })),
  },
  'complete is not fenced': noFence.complete,
  'fail is not fenced': noFence.fail,
  'renew is not fenced': noFence.renew,
  'step is not fenced': noFence.step,
  'complete does not look at the status': noStatus.complete,
  'fail does not look at the status': noStatus.fail,
  'renew does not look at the status': noStatus.renew,
  'step does not look at the status': noStatus.step,
  'complete does not know that it was sent before': {
    complete: (row, claim, result) => {
      const done = REAL.complete(row, claim, result);
      return done.outcome.kind === 'already' ? { outcome: { kind: 'fenced' } } : done;
    },
  },
  'fail does not know that it was sent before': {
    fail: (row, claim, failure) => {
      const done = REAL.fail(row, claim, failure);
      return done.outcome.kind === 'already' ? { outcome: { kind: 'fenced' } } : done;
    },
  },
  'complete takes the verdict of a person for its own': {
    complete: (row, claim, result) => REAL.complete(row && { ...row, resolved: false }, claim, result),
  },
  'no evidence is kept': {
    complete: (row, claim, result) => {
      const done = REAL.complete(row, claim, result);
      return done.outcome.kind === 'fenced' ? { outcome: done.outcome } : done;
    },
  },
  'an error is kept before a result': {
    complete: (row, claim, result) =>
      row?.evidence?.kind === 'failed' ? { outcome: { kind: 'fenced' } } : REAL.complete(row, claim, result),
  },
  'a verdict does not look at the attempt': {
    resolve: (row, _, verdict, now) => REAL.resolve(row, row?.attempts ?? 0, verdict, now),
  },
  'a verdict does not look at the lease': {
    resolve: (row, attempt, verdict, now) => REAL.resolve(over(row), attempt, verdict, now),
  },
  'a verdict does not look at the status': {
    resolve: (row, attempt, verdict, now) =>
      REAL.resolve(row && { ...row, status: 'ambiguous' }, attempt, verdict, now),
  },
  'a verdict leaves no mark': {
    resolve: (row, attempt, verdict, now) =>
      writing(REAL.resolve(row, attempt, verdict, now), (written) => ({ ...written, resolved: false })),
  },
  'a verdict changes nothing': {
    resolve: (row, attempt, verdict, now) => ({ outcome: REAL.resolve(row, attempt, verdict, now).outcome }),
  },
};

/**
 * What no sequence of real callers shows, since an attempt and its token change together, writers invent no attempts, and
 * the explorer's clock does not measure. Each is the broken store of the conformance case that finds it.
 */
export const FOUND_BY_CONFORMANCE: Readonly<Record<string, string>> = {
  'complete does not look at the attempt': 'fencing/complete-attempt',
  'complete does not look at the token': 'fencing/complete-token',
  'fail does not look at the attempt': 'fencing/fail-attempt',
  'fail does not look at the token': 'fencing/fail-token',
  'renew does not look at the attempt': 'fencing/renew-attempt',
  'renew does not look at the token': 'fencing/renew-token',
  'step does not look at the attempt': 'fencing/step-attempt',
  'step does not look at the token': 'fencing/step-token',
  'evidence is kept from attempts that never were': 'evidence/forged',
  'evidence of an earlier attempt replaces that of a later one': 'evidence/rank',
  'a claim that is sent again keeps its old lease': 'leases/resent-lease',
  'a renewal counts from the end of the lease': 'leases/renew',
  'the age does not begin anew after a verdict': 'claims/age-anew',
  'a lease ends a millisecond late': 'leases/edge',
};
