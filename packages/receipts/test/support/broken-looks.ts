/** Stores that list, collect or race wrongly, each in one place. */

import type { ReceiptRow } from '@holdfast/receipts/store';
import { type Break, isOver, replacing } from './breakable-store.js';

const isLive = (row: ReceiptRow | undefined, now: number) => row?.status === 'running' && row.leaseUntil > now;

const READING: Readonly<Record<string, Break>> = {
  // Reads the stored status only.
  'reading/status': () => ({
    detail: (detail, entry) =>
      detail && { ...detail, status: entry?.row.status === 'running' ? 'running' : detail.status },
  }),
  // Counts the age from the last change.
  'reading/ages': () => ({ detail: (detail) => detail && { ...detail, ageMs: detail.sinceChangeMs } }),
  // Takes the error for a result.
  'reading/result': () => ({
    detail: (detail) => (detail?.error === undefined ? detail : { ...detail, result: detail.error }),
  }),
  'reading/journal': () => ({
    detail: (detail) => (detail?.status === 'completed' ? { ...detail, steps: new Map() } : detail),
  }),
  // Looks in all tenants.
  'reading/absent': () => ({
    detail: (detail, _, store, { runId, toolName, argsHash }) => {
      const found = [...store.entries.values()].find(
        ({ key }) => key.runId === runId && key.toolName === toolName && key.argsHash === argsHash,
      );
      return detail ?? (found && store.detailOf(found));
    },
  }),
  // Takes a look for a sign of life.
  'reading/untouched': () => ({
    detail: (detail, entry, store) => {
      if (detail?.status === 'expired' && entry !== undefined && detail.error === undefined)
        entry.row = { ...entry.row, leaseUntil: store.now() + 1_000 };
      return detail;
    },
  }),
  'reading/refuses': () => ({
    connect: (store) => {
      const read: typeof store.read = (key) => store.read({ ...key, argsHash: String(key.argsHash) });
      return replacing(store, { read });
    },
  }),
};

const LISTING: Readonly<Record<string, Break>> = {
  // Lists by the stored status only.
  'listing/status': ({ selects }) => ({
    selects: (filter, receipt, entry) =>
      selects(filter, receipt, entry) && !(filter.status === 'ambiguous' && entry.row.status !== 'ambiguous'),
  }),
  'listing/summary': () => ({ show: (receipt) => ({ ...receipt, effect: 'opaque' }) }),
  'listing/over': () => ({
    show: (receipt, { row }, now) =>
      receipt.remainingMs === undefined ? receipt : { ...receipt, remainingMs: row.leaseUntil - now },
  }),
  // A renewal counts as a change.
  'listing/ages': () => ({ isChange: () => true }),
  'listing/pages': ({ selects }) => ({
    selects: ({ runId: _, ...filter }, receipt, entry) => selects(filter, receipt, entry),
  }),
  'listing/moving': () => ({ countsPages: true }),
  'listing/refuses': ({ checkFilter }) => ({
    checkFilter: (filter) => checkFilter({ ...filter, limit: Math.min(filter.limit ?? 100, 1_000) }),
  }),
};

const COLLECTING: Readonly<Record<string, Break>> = {
  // Counts results that have gone before.
  'collecting/results': ({ drops }) => ({
    drops: (row, age, policy) => drops({ ...row, result: row.result ?? '' }, age, policy),
  }),
  'collecting/gone-resent': ({ complete }) => ({
    complete: (row, claim, result) =>
      row?.status === 'completed' && row.result === null
        ? { outcome: { kind: 'fenced' } }
        : complete(row, claim, result),
  }),
  // Goes on counting the attempts of a key that it has removed.
  'collecting/keys': ({ claim, removed }) => {
    let [last, at] = [0, ''];
    return {
      removed: (store, entry) => {
        if (entry.row.status === 'completed') [last, at] = [entry.row.attempts, entry.key.argsHash];
        removed(store, entry);
      },
      claim: (row, request, now, entry) => {
        const done = claim(row, request, now, entry);
        if (row !== undefined || at !== 'completed' || done.outcome.kind !== 'execute') return done;
        return { ...done, outcome: { ...done.outcome, attempt: last + 1 } };
      },
    };
  },
  'collecting/ages': () => ({ collectAge: ({ createdAt }, now) => now - createdAt }),
  'collecting/spares': ({ removes }) => ({
    removes: (row, age, policy, now) =>
      removes(row, age, policy, now) || (isOver(row, now) && row.effect === 'resumable'),
  }),
  'collecting/limit': () => ({ says: () => false }),
  'collecting/journal': () => ({ removed: () => {} }),
  'collecting/refuses': ({ checkPolicy }) => ({
    checkPolicy: (policy) => checkPolicy({ ...policy, dropResultsAfterMs: Math.max(0, policy.dropResultsAfterMs) }),
  }),
};

const RACES: Readonly<Record<string, Break>> = {
  'races/first-claims': () => ({ pauses: (verb, row) => verb === 'claim' && row === undefined }),
  'races/takeovers': () => ({ pauses: (verb, row, now) => verb === 'claim' && isOver(row, now) }),
  'races/renew-takeover': () => ({ pauses: (verb, row, now) => verb === 'renew' && isOver(row, now) }),
  'races/complete-takeover': () => ({ pauses: (verb, row, now) => verb === 'complete' && isOver(row, now) }),
  'races/step-takeover': () => ({ pauses: (verb, row, now) => verb === 'step' && isOver(row, now) }),
  'races/settlements': () => ({ pauses: (verb, row, now) => verb === 'complete' && isLive(row, now) }),
  'races/verdicts': () => ({ pauses: (verb) => verb === 'resolve' }),
  // Reads the whole journal, adds the entry, and writes the whole journal.
  'races/steps': ({ journalText }) => ({
    connect: (store) => {
      const step: typeof store.step = async (key, claim, leaseMs, name, result) => {
        const id = journalText(key);
        const read = new Map(store.journals.get(id));
        const outcome = await store.step(key, claim, leaseMs, name, result);
        if (outcome.kind === 'ok' && !read.has(name)) store.journals.set(id, read.set(name, result));
        return outcome;
      };
      return replacing(store, { step });
    },
  }),
  'races/renew-complete': () => ({ pauses: (verb, row, now) => verb === 'renew' && isLive(row, now) }),
  'races/collect-claim': () => ({ pauses: (verb) => verb === 'collect' }),
};

export const BROKEN_LOOKS: Readonly<Record<string, Break>> = { ...READING, ...LISTING, ...COLLECTING, ...RACES };
