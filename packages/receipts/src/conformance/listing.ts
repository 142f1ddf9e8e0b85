/** What a person sees. */

import type { ReceiptFilter, ReceiptStatus, ReceiptSummary } from '../receipt-store.js';
import { cases } from './case.js';
import { everyStatus } from './every-state.js';
import { equal, holds, matches, refuses } from './expect.js';
import { KEY, keyOf, LONG, OPTION, PAST, resumable, SHORT, type Trial } from './trial.js';

export const listing = cases('listing', {
  status: [
    'lists receipts by the state they are in',
    async (trial) => {
      const made = await everyStatus(trial);
      for (const status of new Set(Object.values(made))) {
        const expected = Object.keys(made).filter((name) => made[name] === status);
        equal(`the ${status} receipts`, await listedHashes(trial, { status }), expected.sort());
        for (const receipt of (await trial.store.list({ status })).receipts)
          equal('its status', receipt.status, status);
      }
    },
  ],

  summary: [
    'says of a receipt what a person needs to resolve it',
    async (trial) => {
      await trial.failed('clean', 'no', KEY, 'a');
      matches('the failed receipt', await trial.summary(), { status: 'failed', error: 'no', effect: 'opaque' });
      const { attempt } = await trial.granted('b', resumable);
      const running = await trial.summary();
      matches('the running receipt', running, { key: KEY, status: 'running', attempt, effect: 'resumable' });
      equal('its error', running.error, undefined);
      const { remainingMs } = running;
      holds(
        'its lease',
        remainingMs !== undefined && remainingMs > 0 && remainingMs <= LONG,
        `above 0, up to ${LONG}`,
        remainingMs,
      );
      await trial.completed('done', keyOf('other'));
      equal('the lease of a completed one', (await trial.summary(keyOf('other'))).remainingMs, undefined);
    },
  ],

  over: [
    'shows an attempt past its lease with nothing left of it',
    async (trial) => {
      await trial.abandoned('a');
      equal('the rest of the lease', (await trial.summary()).remainingMs, 0);
    },
  ],

  ages: [
    'counts the age from the first claim, and the time since the state last changed, which renewals do not',
    async (trial) => {
      await trial.abandoned('a', resumable);
      const claim = await trial.granted('b', resumable);
      await trial.advance?.(7);
      await trial.store.renew(KEY, claim, LONG);
      await trial.store.step(KEY, claim, LONG, 'one', '1');
      const { ageMs, sinceChangeMs } = await trial.summary();
      holds('the age', ageMs >= SHORT, `at least ${SHORT}`, ageMs);
      holds('the time since the takeover', sinceChangeMs <= ageMs - SHORT, `at most ${ageMs - SHORT}`, sinceChangeMs);
      if (trial.advance !== undefined) equal('the ages', [ageMs, sinceChangeMs], [PAST + 7, 7]);
    },
  ],

  pages: [
    'lists by tenant and run, page by page, each receipt once',
    async (trial) => {
      for (let index = 0; index < 7; index++) {
        for (const tenantId of ['t', 'u']) {
          for (const runId of ['r', 's']) await trial.granted('a', {}, keyOf(String(index), { tenantId, runId }));
        }
      }
      const pages = await pagesOf(trial, { tenantId: 't', runId: 'r', limit: 3 });
      equal(
        'the sizes of the pages',
        pages.map((page) => page.length),
        [3, 3, 1],
      );
      const seen = pages.flat().map(({ key }) => `${key.tenantId}${key.runId}${key.argsHash}`);
      equal(
        'the receipts',
        seen.sort(),
        Array.from({ length: 7 }, (_, index) => `tr${index}`),
      );
      equal('the receipts of one run', (await listedHashes(trial, { runId: 's' })).length, 14);
      equal('the receipts of nobody', await trial.store.list({ tenantId: 'v' }), { receipts: [] });
      equal(
        'what follows a last page that is full',
        (await trial.store.list({ tenantId: 't', runId: 'r', limit: 7 })).next,
        undefined,
      );
    },
  ],

  moving: [
    'lists each receipt that stays as it is once, while others come and go between the pages',
    async (trial) => {
      const { store } = trial;
      for (let index = 10; index < 20; index++) await trial.failed('unknown', 'timeout', keyOf(String(index)));
      const filter = { status: 'ambiguous', limit: 3 } as const;
      const first = await store.list(filter);
      for (const { key, attempt } of first.receipts.slice(0, 2))
        await store.resolve(key, attempt, { kind: 'did-not-happen' });
      for (const hash of ['00', '15 and a half', '99']) await trial.failed('unknown', 'timeout', keyOf(hash));
      const rest = await pagesOf(trial, { ...filter, ...(first.next !== undefined && { after: first.next }) });
      const seen = [...first.receipts, ...rest.flat()].map(({ key }) => key.argsHash);
      equal('how often each is listed', seen.length, new Set(seen).size);
      const stayed = Array.from({ length: 10 }, (_, index) => String(10 + index));
      equal('those that stayed', seen.filter((hash) => stayed.includes(hash)).sort(), stayed);
    },
  ],

  refuses: [
    'refuses filters that it does not understand',
    async ({ store }) => {
      for (const limit of [0, 1_001, 1.5]) await refuses(`a limit of ${limit}`, () => store.list({ limit }), OPTION);
      await refuses('a cursor of nobody', () => store.list({ after: 'x' }), OPTION);
      for (const filter of [{ after: 5 }, { tenantId: null }, { tenantId: 'tenant', runId: 7 }] as object[]) {
        await refuses(JSON.stringify(filter), () => store.list(filter), OPTION);
      }
      await refuses('a status of no kind', () => store.list({ status: 'toString' as ReceiptStatus }), OPTION);
    },
  ],
});

async function listedHashes(trial: Trial, filter: ReceiptFilter): Promise<string[]> {
  return (await trial.store.list({ limit: 1_000, ...filter })).receipts.map(({ key }) => key.argsHash).sort();
}

async function pagesOf({ store }: Trial, filter: ReceiptFilter): Promise<(readonly ReceiptSummary[])[]> {
  const pages: (readonly ReceiptSummary[])[] = [];
  let after = filter.after;
  for (;;) {
    const page = await store.list({ ...filter, ...(after !== undefined && { after }) });
    pages.push(page.receipts);
    if (page.next === undefined) return pages;
    holds('the cursor', page.next !== after, 'another one on each page', page.next);
    after = page.next;
  }
}
