/** What retention removes. */

import assert from 'node:assert/strict';
import { already, type ContractCase, fenced, granted, KEY, keyOf, LEASE, oneOfEach, request } from './harness.js';

export const collecting: ContractCase[] = [
  {
    name: 'drops results first and keys later, by age since the last change',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      await store.step(KEY, claim, LEASE, 'one', '1');
      await store.complete(KEY, claim, 'done');
      const policy = { dropResultsAfterMs: 100, removeKeysAfterMs: 300 };
      const nothing = { resultsDropped: 0, keysRemoved: 0, more: false };
      advance(99);
      assert.deepEqual(await store.collect(policy), nothing);
      advance(1);
      assert.deepEqual(await store.collect(policy), { resultsDropped: 1, keysRemoved: 0, more: false });
      assert.deepEqual(await store.collect(policy), nothing);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'gone', attempt: 1 });
      assert.deepEqual(await store.complete(KEY, claim, 'again'), already);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'gone', attempt: 1 });
      advance(199);
      assert.deepEqual(await store.collect(policy), nothing);
      advance(1);
      assert.deepEqual(await store.collect(policy), { resultsDropped: 0, keysRemoved: 1, more: false });
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'execute', attempt: 1, steps: new Map() });
    },
  },
  {
    name: 'never touches running or ambiguous receipts, however old',
    async run(open) {
      const opened = open();
      const { store, advance } = opened;
      await oneOfEach(opened);
      advance(1_000 * LEASE);
      const outcome = await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 });
      assert.deepEqual(outcome, { resultsDropped: 0, keysRemoved: 4, more: false });
      const left = (await store.list()).receipts.map(({ key }) => key.argsHash).sort();
      assert.deepEqual(left, ['abandoned', 'ambiguous', 'expired', 'running']);
    },
  },
  {
    name: 'fences a zombie whose key was removed and claimed anew',
    async run(open) {
      const { store, advance } = open();
      const old = await granted(store, 'a');
      await store.complete(KEY, old, 'old');
      advance(1);
      await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 });
      await granted(store, 'b');
      assert.deepEqual(await store.complete(KEY, old, 'old'), fenced);
      assert.deepEqual(await store.renew(KEY, old, LEASE), fenced);
    },
  },
  {
    name: 'stops at the limit and says so',
    async run(open) {
      const { store, advance } = open();
      for (let index = 0; index < 5; index++) {
        const key = keyOf(String(index));
        await store.complete(key, await granted(store, `${index}`, {}, key), 'done');
      }
      advance(1);
      const policy = { dropResultsAfterMs: 0, removeKeysAfterMs: 0, limit: 3 };
      assert.deepEqual(await store.collect(policy), { resultsDropped: 0, keysRemoved: 3, more: true });
      assert.deepEqual(await store.collect(policy), { resultsDropped: 0, keysRemoved: 2, more: false });
    },
  },
  {
    name: 'refuses policies that would forget keys before results, or without an age',
    async run(open) {
      const { store } = open();
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.collect({ dropResultsAfterMs: 2, removeKeysAfterMs: 1 }), refused);
      await assert.rejects(store.collect({ dropResultsAfterMs: Number.NaN, removeKeysAfterMs: 1 }), refused);
      await assert.rejects(store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: Number.NaN }), refused);
      await assert.rejects(store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0, limit: 0 }), refused);
    },
  },
];
