/** How an attempt ends. */

import assert from 'node:assert/strict';
import type { ClaimOutcome } from '@holdfast/receipts';
import {
  already,
  type ContractCase,
  claimKind,
  fenced,
  granted,
  KEY,
  LEASE,
  ok,
  only,
  request,
  resumable,
} from './harness.js';

export const settling: ContractCase[] = [
  {
    name: 'replays the recorded result',
    async run(open) {
      const { store, advance } = open();
      assert.deepEqual(await store.complete(KEY, await granted(store, 'a'), 'done'), ok);
      advance(LEASE * 10);
      for (const token of ['a', 'b']) {
        assert.deepEqual(await store.claim(KEY, request(token)), { kind: 'replay', attempt: 1, result: 'done' });
      }
    },
  },
  {
    name: 'gives texts back unit by unit',
    async run(open) {
      const texts = [
        '',
        'plain',
        '\u0000',
        'a\u0000b',
        '\ud800',
        '\udc00\ud800',
        '😀',
        '\\json:"x"',
        "'; DROP TABLE",
        '\ufeff',
      ];
      for (const text of texts) {
        const { store } = open();
        const claim = await granted(store, `token ${text}`, resumable);
        await store.step(KEY, claim, LEASE, `name ${text}`, text);
        await store.fail(KEY, claim, { kind: 'clean', error: text });
        assert.equal((await only(store)).error, text);
        const next = await granted(store, `next ${text}`, resumable);
        const { steps } = (await store.claim(KEY, request(`next ${text}`, resumable))) as ClaimOutcome & {
          kind: 'execute';
        };
        assert.deepEqual([...steps], [[`name ${text}`, text]]);
        await store.complete(KEY, next, text);
        assert.deepEqual(await store.claim(KEY, request('c')), { kind: 'replay', attempt: 2, result: text });
      }
    },
  },
  {
    name: 'answers a repeated complete with already, and keeps the first result (R8)',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a');
      await store.complete(KEY, claim, 'first');
      assert.deepEqual(await store.complete(KEY, claim, 'second'), already);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'replay', attempt: 1, result: 'first' });
    },
  },
  {
    name: 'answers a repeated fail with already',
    async run(open) {
      for (const kind of ['clean', 'unknown', 'terminal'] as const) {
        const { store } = open();
        const claim = await granted(store, 'a');
        assert.deepEqual(await store.fail(KEY, claim, { kind, error: 'no' }), ok);
        assert.deepEqual(await store.fail(KEY, claim, { kind, error: 'no' }), already);
      }
    },
  },
  {
    name: 'does not let an attempt change its mind',
    async run(open) {
      const one = open();
      const failed = await granted(one.store, 'a');
      await one.store.fail(KEY, failed, { kind: 'clean', error: 'no' });
      assert.deepEqual(await one.store.complete(KEY, failed, 'done'), fenced);
      assert.deepEqual(await one.store.fail(KEY, failed, { kind: 'terminal', error: 'no' }), fenced);
      assert.equal(await claimKind(one.store, 'b'), 'execute');
      const other = open();
      const completed = await granted(other.store, 'a');
      await other.store.complete(KEY, completed, 'done');
      assert.deepEqual(await other.store.fail(KEY, completed, { kind: 'clean', error: 'no' }), fenced);
      assert.equal(await claimKind(other.store, 'b'), 'replay');
    },
  },
  {
    name: 'executes again after a clean failure',
    async run(open) {
      for (const effect of ['opaque', 'resumable'] as const) {
        const { store } = open();
        await store.fail(KEY, await granted(store, 'a', { effect }), { kind: 'clean', error: 'no' });
        assert.equal((await granted(store, 'b', { effect })).attempt, 2);
      }
    },
  },
  {
    name: 'stays ambiguous after an unknown failure, resumable or not, and shows the error',
    async run(open) {
      for (const effect of ['opaque', 'resumable'] as const) {
        const { store } = open();
        await store.fail(KEY, await granted(store, 'a', { effect }), { kind: 'unknown', error: 'timeout' });
        const outcome = await store.claim(KEY, request('b', { effect }));
        assert.equal(outcome.kind, 'ambiguous');
        assert.equal((outcome as ClaimOutcome & { kind: 'ambiguous' }).error, 'timeout');
      }
    },
  },
  {
    name: 'rejects for ever after a terminal failure',
    async run(open) {
      const { store, advance } = open();
      await store.fail(KEY, await granted(store, 'a'), { kind: 'terminal', error: 'card declined' });
      advance(LEASE * 10);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'rejected', attempt: 1, error: 'card declined' });
    },
  },
  {
    name: 'refuses failures and results that it could not keep',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a');
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.fail(KEY, claim, { kind: 'other' as 'clean', error: '' }), refused);
      await assert.rejects(store.fail(KEY, claim, { kind: 'clean', error: undefined as unknown as string }), refused);
      await assert.rejects(store.complete(KEY, claim, 1 as unknown as string), refused);
      assert.equal((await only(store)).status, 'running');
    },
  },
];
