/** One broken store for each case of the conformance suite: it must fail that case, and no other. */

import type { ReceiptRow, ReceiptTransition } from '@holdfast/receipts/store';
import { type Break, FENCED, isMine, isOver, isRunning, replacing } from './breakable-store.js';
import { BROKEN_LOOKS } from './broken-looks.js';
import { BROKEN_WRITES } from './broken-writes.js';

const BROKEN_CLAIMS: Readonly<Record<string, Break>> = {
  // Counts from when it was asked, and not from when it wrote.
  'claims/first': () => ({
    tell: (granted, before) => (before === undefined ? { ...granted, ageMs: granted.ageMs + 1 } : granted),
  }),
  'claims/decision': ({ claim }) => ({
    claim: (row, request, now) =>
      row?.status === 'failed' && row.attempts === 2 && request.effect === 'resumable'
        ? { outcome: { kind: 'ambiguous', attempt: 2, reason: 'It failed twice.' } }
        : claim(row, request, now),
  }),
  'claims/reason-given': ({ claim }) => ({
    claim: (row, request, now) => {
      const { outcome, ...rest } = claim(row, request, now);
      return 'reason' in outcome ? { outcome: { ...outcome, reason: '' } } : { outcome, ...rest };
    },
  }),
  // Loses patience.
  'claims/ambiguous-always': ({ claim }) => ({
    claim: (row, request, now, entry) =>
      entry !== undefined && entry.ambiguities >= 3 && isRunning(row)
        ? claim({ ...row, status: 'failed' }, request, now)
        : claim(row, request, now),
  }),
  'claims/opaque-before': ({ claim }) => ({
    claim: (row, request, now) => claim(row && { ...row, effect: request.effect }, request, now),
  }),
  'claims/opaque-after': ({ claim }) => ({
    claim: (row, request, now) => claim(row, isRunning(row) ? { ...request, effect: row.effect } : request, now),
  }),
  'claims/limit-live': ({ claim }) => ({
    claim: (row, request, now) =>
      isRunning(row) && row.attempts >= request.maxAttempts && row.token !== request.token
        ? { outcome: { kind: 'exhausted', attempts: row.attempts } }
        : claim(row, request, now),
  }),
  'claims/limit-crashes': ({ claim }) => ({
    claim: (row, request, now) => claim(row, isRunning(row) ? { ...request, maxAttempts: 99 } : request, now),
  }),
  'claims/limit-failures': ({ claim }) => ({
    claim: (row, request, now) => claim(row, row?.status === 'failed' ? { ...request, maxAttempts: 99 } : request, now),
  }),
  // Each connection knows only the tokens that it has sent itself.
  'claims/resent': () => ({
    connect: (store) => ({
      store,
      other: Object.assign(Object.create(store), {
        claim: (key, request) => store.claim(key, { ...request, token: `${request.token} through the other one` }),
      } satisfies Partial<typeof store>) as typeof store,
    }),
  }),
  'claims/resent-late': ({ claim }) => ({
    claim: (row, request, now) =>
      claim(isRunning(row) && row.leaseUntil <= now ? { ...row, token: 'forgotten' } : row, request, now),
  }),
  'claims/stale': ({ claim }) => ({
    claim: (row, request, now) =>
      claim(row?.status === 'failed' && !row.resolved ? { ...row, token: 'forgotten' } : row, request, now),
  }),
  'claims/age': () => ({ tell: (granted) => ({ ...granted, ageMs: 0 }) }),
  'claims/age-anew': () => ({ startsAnew: () => false }),
  // Looks for the row of a claim in all tenants.
  'claims/tenants': () => ({
    connect: (store) => {
      const complete: typeof store.complete = (key, claim, result) => {
        const same = ['runId', 'toolName', 'argsHash'] as const;
        const found = [...store.entries.values()].find(
          (entry) =>
            same.every((part) => entry.key[part] === key[part]) && isRunning(entry.row) && isMine(entry.row, claim),
        );
        return store.complete(found?.key ?? key, claim, result);
      };
      return replacing(store, { complete });
    },
  }),
  'claims/keys': () => ({ keyText: (key) => Object.values(key).join(':') }),
  'claims/refuses': ({ claim }) => ({
    claim: (row, request, now) => claim(row, request.leaseMs >= 1 ? request : { ...request, leaseMs: 1 }, now),
  }),
};

const BROKEN_LEASES: Readonly<Record<string, Break>> = {
  'leases/live': ({ claim }) => ({
    claim: (row, request, now) => {
      const done = claim(row, request, now);
      return done.outcome.kind === 'wait' ? { outcome: { ...done.outcome, attempt: 0 } } : done;
    },
  }),
  'leases/edge': ({ claim }) => ({
    claim: (row, request, now) =>
      claim(isRunning(row) && row.leaseUntil === now ? { ...row, leaseUntil: now + 1 } : row, request, now),
  }),
  'leases/takeover-lease': ({ claim }) => ({
    claim: (row, request, now) =>
      claim(row, isOver(row, now) && row.token !== request.token ? { ...request, leaseMs: 40 } : request, now),
  }),
  'leases/resent-lease': ({ claim }) => ({
    claim: (row, request, now) => {
      const done = claim(row, request, now);
      return isRunning(row) && row.token === request.token && !isOver(row, now) ? { outcome: done.outcome } : done;
    },
  }),
  'leases/renew': ({ renew }) => ({
    renew: (row, claim, leaseMs, now) => later(renew(row, claim, leaseMs, now), row, leaseMs),
  }),
  'leases/renew-late': ({ renew }) => ({
    renew: (row, claim, leaseMs, now) => (isOver(row, now) ? FENCED : renew(row, claim, leaseMs, now)),
  }),
  'leases/step-renews': ({ step }) => ({
    step: (row, claim, leaseMs, now) => ({ outcome: step(row, claim, leaseMs, now).outcome }),
  }),
  'leases/complete-late': () => ({
    connect: (store) => {
      const late: typeof store.complete = async (key, claim, result) => {
        const row = store.entry(key)?.row;
        const isLate = isOver(row, store.now()) && isMine(row, claim);
        return isLate ? { kind: 'fenced' } : store.complete(key, claim, result);
      };
      return replacing(store, { complete: late });
    },
  }),
  'leases/fail-late': () => ({
    connect: (store) => {
      const late: typeof store.fail = async (key, claim, failure) => {
        const row = store.entry(key)?.row;
        const isLate = isOver(row, store.now()) && isMine(row, claim);
        return isLate ? { kind: 'fenced' } : store.fail(key, claim, failure);
      };
      return replacing(store, { fail: late });
    },
  }),
  'leases/refuses': ({ renew, step }) => ({
    renew: (row, claim, leaseMs, now) => renew(row, claim, leaseMs >= 1 && leaseMs < 1e9 ? Math.ceil(leaseMs) : 1, now),
    step: (row, claim, leaseMs, now) => step(row, claim, leaseMs >= 1 && leaseMs < 1e9 ? Math.ceil(leaseMs) : 1, now),
  }),
};

/** Counts a renewal from the end of the lease, if it makes the lease longer at all. */
function later<Outcome>(done: ReceiptTransition<Outcome>, row: ReceiptRow | undefined, leaseMs: number) {
  if (done.row === undefined || row === undefined || done.row.leaseUntil < row.leaseUntil) return done;
  return { ...done, row: { ...done.row, leaseUntil: row.leaseUntil + leaseMs } };
}

export const BROKEN_STORES: Readonly<Record<string, Break>> = {
  ...BROKEN_CLAIMS,
  ...BROKEN_LEASES,
  ...BROKEN_WRITES,
  ...BROKEN_LOOKS,
};
