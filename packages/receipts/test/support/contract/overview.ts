/** What a person sees. */

import assert from 'node:assert/strict';
import type { ReceiptSummary } from '@holdfast/receipts';
import { type ContractCase, granted, KEY, keyOf, LEASE, oneOfEach, only } from './harness.js';

export const overview: ContractCase[] = [
  {
    name: 'lists receipts by the state they are in',
    async run(open) {
      const opened = open();
      const { store, advance } = opened;
      await oneOfEach(opened);
      const hashes = async (status: ReceiptSummary['status']) =>
        (await store.list({ status })).receipts.map(({ key }) => key.argsHash).sort();
      for (const status of ['expired', 'running', 'completed', 'gone', 'failed', 'rejected'] as const) {
        assert.deepEqual(await hashes(status), [status]);
      }
      assert.deepEqual(await hashes('ambiguous'), ['abandoned', 'ambiguous']);
      advance(LEASE);
      assert.deepEqual(await hashes('running'), []);
      assert.deepEqual(await hashes('ambiguous'), ['abandoned', 'ambiguous', 'running']);
    },
  },
  {
    name: 'says of a receipt what a person needs to resolve it',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a', { effect: 'resumable' });
      advance(300);
      await store.fail(KEY, { attempt: 1, token: 'a' }, { kind: 'clean', error: 'no' });
      advance(200);
      await granted(store, 'b');
      advance(250);
      assert.deepEqual(await store.list(), {
        receipts: [
          {
            key: KEY,
            status: 'running',
            attempt: 2,
            effect: 'opaque',
            remainingMs: 750,
            ageMs: 750,
            sinceChangeMs: 250,
          },
        ],
      });
      await store.renew(KEY, { attempt: 2, token: 'b' }, LEASE);
      assert.equal((await only(store)).sinceChangeMs, 250);
      advance(2 * LEASE);
      assert.equal((await only(store)).remainingMs, 0);
    },
  },
  {
    name: 'lists by tenant and run, page by page, each receipt once',
    async run(open) {
      const { store } = open();
      for (let index = 0; index < 7; index++) {
        for (const tenant of ['t', 'u']) await granted(store, `${tenant}${index}`, {}, keyOf(String(index), tenant));
      }
      const seen: string[] = [];
      let after: string | undefined;
      let pages = 0;
      do {
        const page = await store.list({ tenantId: 't', runId: 'run', limit: 3, ...(after !== undefined && { after }) });
        seen.push(...page.receipts.map(({ key }) => `${key.tenantId}${key.argsHash}`));
        after = page.next;
        pages++;
      } while (after !== undefined);
      assert.deepEqual(seen.sort(), ['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
      assert.equal(pages, 3);
      assert.deepEqual(await store.list({ runId: 'other' }), { receipts: [] });
      assert.equal((await store.list({ tenantId: 't', limit: 7 })).next, undefined);
    },
  },
  {
    name: 'refuses filters that it does not understand',
    async run(open) {
      const { store } = open();
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.list({ limit: 0 }), refused);
      await assert.rejects(store.list({ limit: 1_001 }), refused);
      await assert.rejects(store.list({ after: 'x' }), refused);
      await assert.rejects(store.list({ status: 'toString' as 'running' }), refused);
    },
  },
];
