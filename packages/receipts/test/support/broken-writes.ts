/** Stores that settle, fence, resolve or remember wrongly, each in one place. */

import type { ReceiptClaim, ReceiptEvidence } from '@holdfast/receipts';
import type { ReceiptRow, ReceiptTransition } from '@holdfast/receipts/store';
import { type Break, FENCED, isMine, isRunning, type Parts } from './breakable-store.js';

const OK = { kind: 'ok' } as const;

const isZombie = (row: ReceiptRow | undefined, claim: ReceiptClaim): row is ReceiptRow =>
  isRunning(row) && claim.attempt < row.attempts && claim.token !== row.token;
const isStranger = (row: ReceiptRow | undefined, claim: ReceiptClaim): row is ReceiptRow =>
  isRunning(row) && claim.attempt === row.attempts && claim.token !== row.token;
const isMisnumbered = (row: ReceiptRow | undefined, claim: ReceiptClaim): row is ReceiptRow =>
  isRunning(row) && claim.attempt !== row.attempts && claim.token === row.token;
const hasEnded = (row: ReceiptRow | undefined, claim: ReceiptClaim): row is ReceiptRow =>
  row !== undefined && row.status !== 'running' && !row.resolved && isMine(row, claim);

type Who = (row: ReceiptRow | undefined, claim: ReceiptClaim) => row is ReceiptRow;

/** Lets somebody complete as if it were the holder. */
const letsComplete =
  (who: Who): Break =>
  ({ complete }) => ({
    complete: (row, claim, result) => complete(row, who(row, claim) ? holderOf(row) : claim, result),
  });
const letsFail =
  (who: Who): Break =>
  ({ fail }) => ({ fail: (row, claim, failure) => fail(row, who(row, claim) ? holderOf(row) : claim, failure) });
const letsRenew =
  (who: Who): Break =>
  ({ renew }) => ({
    renew: (row, claim, leaseMs, now) => renew(row, who(row, claim) ? holderOf(row) : claim, leaseMs, now),
  });
const letsStep =
  (who: Who): Break =>
  ({ step }) => ({
    step: (row, claim, leaseMs, now) => step(row, who(row, claim) ? holderOf(row) : claim, leaseMs, now),
  });

const holderOf = ({ attempts, token }: ReceiptRow): ReceiptClaim => ({ attempt: attempts, token });

/** Tells a zombie that its ending counted, though only the evidence is kept. */
const saysOk = <Outcome>(done: ReceiptTransition<Outcome>, lies: boolean): ReceiptTransition<Outcome | typeof OK> =>
  lies ? { ...done, outcome: OK } : done;

const FENCING: Readonly<Record<string, Break>> = {
  'fencing/complete-taken-over': ({ complete }) => ({
    complete: (row, claim, result) => saysOk(complete(row, claim, result), isZombie(row, claim)),
  }),
  'fencing/fail-taken-over': ({ fail }) => ({
    fail: (row, claim, failure) => saysOk(fail(row, claim, failure), isZombie(row, claim)),
  }),
  'fencing/renew-taken-over': letsRenew(isZombie),
  'fencing/step-taken-over': letsStep(isZombie),
  'fencing/complete-token': letsComplete(isStranger),
  'fencing/fail-token': letsFail(isStranger),
  'fencing/renew-token': letsRenew(isStranger),
  'fencing/step-token': letsStep(isStranger),
  'fencing/complete-attempt': letsComplete(isMisnumbered),
  'fencing/fail-attempt': letsFail(isMisnumbered),
  'fencing/renew-attempt': letsRenew(isMisnumbered),
  'fencing/step-attempt': letsStep(isMisnumbered),
  'fencing/renew-ended': ({ renew }) => ({
    renew: (row, claim, leaseMs, now) => (hasEnded(row, claim) ? { outcome: OK } : renew(row, claim, leaseMs, now)),
  }),
  'fencing/step-ended': ({ step }) => ({
    step: (row, claim, leaseMs, now) => (hasEnded(row, claim) ? { outcome: OK } : step(row, claim, leaseMs, now)),
  }),
  'fencing/absent': ({ renew, claim: grant }) => ({
    renew: (row, claim, leaseMs, now) => {
      if (row !== undefined) return renew(row, claim, leaseMs, now);
      const revived = grant(row, { effect: 'opaque', token: claim.token, leaseMs, maxAttempts: 1 }, now).row;
      return { outcome: OK, ...(revived && { row: revived }) };
    },
  }),
};

const SETTLING: Readonly<Record<string, Break>> = {
  'settling/replay': ({ claim }) => ({
    claim: (row, request, now) =>
      row?.status === 'completed' && row.token === request.token
        ? claim({ ...row, status: 'running' }, request, now)
        : claim(row, request, now),
  }),
  // Writes the second result over the first.
  'settling/complete-resent': ({ complete }) => ({
    complete: (row, claim, result) => {
      const done = complete(row, claim, result);
      return done.outcome.kind === 'already' && row?.result ? { ...done, row: { ...row, result } } : done;
    },
  }),
  'settling/fail-resent': ({ fail }) => ({
    fail: (row, claim, failure) => {
      const done = fail(row, claim, failure);
      return done.outcome.kind === 'already' ? FENCED : done;
    },
  }),
  'settling/completed-stays': ({ fail }) => ({
    fail: (row, claim, failure) =>
      row?.status === 'completed' && failure.kind === 'unknown'
        ? fail({ ...row, status: 'running' }, claim, failure)
        : fail(row, claim, failure),
  }),
  'settling/failed-stays': ({ fail }) => ({
    fail: (row, claim, failure) =>
      row?.status === 'rejected' && failure.kind === 'clean'
        ? fail({ ...row, status: 'running' }, claim, failure)
        : fail(row, claim, failure),
  }),
  // Takes a resumable effect over although its attempt said that it does not know.
  'settling/unknown': ({ claim }) => ({
    claim: (row, request, now) =>
      row?.status === 'ambiguous' && row.effect === 'resumable' && request.effect === 'resumable'
        ? claim({ ...row, status: 'running', leaseUntil: now }, request, now)
        : claim(row, request, now),
  }),
  // Forgets a rejection after ten months.
  'settling/terminal': ({ claim }) => ({
    claim: (row, request, now, entry) =>
      row?.status === 'rejected' && entry !== undefined && now - entry.changedAt > 86_400_000 * 300
        ? claim({ ...row, status: 'failed' }, request, now)
        : claim(row, request, now),
  }),
  'settling/refuses': ({ complete }) => ({
    complete: (row, claim, result) => complete(row, claim, String(result)),
  }),
};

const EVIDENCE: Readonly<Record<string, Break>> = {
  'evidence/kept': ({ fail }) => ({
    fail: (row, claim, failure) => (isZombie(row, claim) ? FENCED : fail(row, claim, failure)),
  }),
  'evidence/own-word': ({ complete }) => ({
    complete: (row, claim, result) =>
      row?.status === 'ambiguous' && isMine(row, claim) ? FENCED : complete(row, claim, result),
  }),
  // Keeps whatever came last.
  'evidence/rank': ({ complete }) => ({
    complete: (row, claim, result) => complete(isZombie(row, claim) ? { ...row, evidence: null } : row, claim, result),
  }),
  'evidence/told': ({ claim }) => ({
    claim: (row, request, now) => claim(isRunning(row) ? { ...row, evidence: null } : row, request, now),
  }),
  'evidence/kept-on': ({ claim }) => ({
    claim: (row, request, now) => claim(row?.status === 'failed' ? { ...row, evidence: null } : row, request, now),
  }),
  'evidence/forged': ({ complete }) => ({
    complete: (row, claim, result) => {
      const done = complete(row, claim, result);
      if (!isStranger(row, claim)) return done;
      const evidence: ReceiptEvidence = { attempt: claim.attempt, kind: 'completed', text: result };
      return { ...done, row: { ...row, evidence } };
    },
  }),
};

const JOURNAL: Readonly<Record<string, Break>> = {
  // Keeps the journal of one attempt only.
  'journal/taken-over': () => ({
    journal: (steps, before, after) => {
      const takesOver = isRunning(before) && after.attempts > before.attempts;
      if (takesOver && before.attempts === 2) for (const name of [...steps.keys()].slice(0, 1)) steps.delete(name);
    },
  }),
  'journal/after-failure': () => ({
    journal: (steps, _, after) => {
      if (after.status === 'failed' && !after.resolved) steps.clear();
    },
  }),
  'journal/claim-resent': () => ({
    tell: (granted, before, { row }) =>
      before?.attempts === row.attempts ? { ...granted, steps: new Map() } : granted,
  }),
  'journal/step-resent': () => ({ append: (steps, name, result) => void steps.set(name, result) }),
  'journal/apart': ({ journalText }) => ({ journalText: (key) => journalText({ ...key, toolName: 'any' }) }),
  'journal/many': ({ append }) => ({
    append: (steps, name, result) => {
      if (steps.size < 50) append(steps, name, result);
    },
  }),
};

/** What a database without lone surrogates makes of a text. */
const flat = (text: string) =>
  typeof text !== 'string'
    ? text
    : text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');

const TEXTS: Readonly<Record<string, Break>> = {
  'texts/results': ({ complete }) => ({
    complete: (row, claim, result) =>
      isRunning(row) && isMine(row, claim) ? complete(row, claim, flat(result)) : complete(row, claim, result),
  }),
  'texts/errors': ({ fail }) => ({
    fail: (row, claim, failure) => fail(row, claim, { ...failure, error: flat(failure.error) }),
  }),
  'texts/steps': ({ append }) => ({ append: (steps, name, result) => append(steps, flat(name), result) }),
  'texts/evidence': ({ complete }) => ({
    complete: (row, claim, result) => complete(row, claim, row?.status === 'failed' ? flat(result) : result),
  }),
  'texts/verdicts': ({ resolve }) => ({
    resolve: (row, attempt, verdict, now) =>
      resolve(row, attempt, verdict.kind === 'happened' ? { ...verdict, result: flat(verdict.result) } : verdict, now),
  }),
  'texts/tokens': ({ claim }) => ({
    claim: (row, request, now) =>
      claim(row && flat(row.token) === flat(request.token) ? { ...row, token: request.token } : row, request, now),
  }),
  'texts/keys': ({ keyText }) => ({
    keyText: (key) =>
      keyText(
        Object.fromEntries(Object.entries(key).map(([part, text]) => [part, flat(text)])) as unknown as typeof key,
      ),
  }),
};

const RESOLVING: Readonly<Record<string, Break>> = {
  'resolving/happened': ({ resolve }) => ({ resolve: countingUp(resolve, 'happened') }),
  // Grants the attempt after the verdict without a lease.
  'resolving/did-not-happen': ({ claim }) => ({
    claim: (row, request, now) => {
      const done = claim(row, request, now);
      const anew = row?.status === 'failed' && row.resolved && done.row !== undefined;
      return anew ? { ...done, row: { ...(done.row as ReceiptRow), leaseUntil: now } } : done;
    },
  }),
  'resolving/give-up': ({ resolve }) => ({ resolve: countingUp(resolve, 'give-up') }),
  'resolving/abandoned': ({ resolve }) => ({
    resolve: (row, attempt, verdict, now) =>
      isRunning(row) && row.effect === 'resumable' ? FENCED : resolve(row, attempt, verdict, now),
  }),
  'resolving/live': ({ resolve }) => ({
    resolve: (row, attempt, verdict, now) => resolve(row && { ...row, leaseUntil: now }, attempt, verdict, now),
  }),
  'resolving/settled': ({ resolve }) => ({
    resolve: (row, attempt, verdict, now) => {
      const settled = row !== undefined && row.status !== 'running' && !row.resolved;
      return resolve(settled ? { ...row, status: 'ambiguous' } : row, attempt, verdict, now);
    },
  }),
  'resolving/attempt': ({ resolve }) => ({
    resolve: (row, _, verdict, now) => resolve(row, row?.attempts ?? 0, verdict, now),
  }),
  // Lets a second verdict overrule the first.
  'resolving/first': ({ resolve }) => ({
    resolve: (row, attempt, verdict, now) =>
      resolve(
        row?.resolved && verdict.kind === 'give-up' ? { ...row, status: 'ambiguous' } : row,
        attempt,
        verdict,
        now,
      ),
  }),
  'resolving/zombie': ({ complete }) => ({
    complete: (row, claim, result) =>
      complete(row?.status === 'failed' && row.resolved ? { ...row, status: 'running' } : row, claim, result),
  }),
  'resolving/stale': ({ claim }) => ({
    claim: (row, request, now) =>
      claim(row?.status === 'failed' && row.resolved ? { ...row, token: 'forgotten' } : row, request, now),
  }),
  'resolving/journal': () => ({
    journal: (steps, _, after) => {
      if (after.status === 'failed' && after.resolved) steps.clear();
    },
  }),
  'resolving/refuses': ({ resolve }) => ({
    resolve: (row, attempt, verdict, now) =>
      resolve(row, attempt, (verdict.kind as string) === 'maybe' ? { kind: 'did-not-happen' } : verdict, now),
  }),
};

/** Counts a reported unknown that somebody settled as one more attempt. */
function countingUp(resolve: Parts['resolve'], kind: string): Parts['resolve'] {
  return (row, attempt, verdict, now) => {
    const done = resolve(row, attempt, verdict, now);
    const counts = verdict.kind === kind && row?.status === 'ambiguous' && done.row !== undefined;
    return counts ? { ...done, row: { ...(done.row as ReceiptRow), attempts: row.attempts + 1 } } : done;
  };
}

export const BROKEN_WRITES: Readonly<Record<string, Break>> = {
  ...FENCING,
  ...SETTLING,
  ...EVIDENCE,
  ...JOURNAL,
  ...TEXTS,
  ...RESOLVING,
};
