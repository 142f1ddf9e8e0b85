/** Who may run the effect. */

import assert from 'node:assert/strict';
import type { ClaimOutcome, ToolCallReceiptKey } from '@holdfast/receipts';
import { type ContractCase, claimKind, granted, KEY, LEASE, only, request, resumable } from './harness.js';

export const claims: ContractCase[] = [
  {
    name: 'grants attempt 1 of an unknown key, with an empty journal',
    async run(open) {
      assert.deepEqual(await open().store.claim(KEY, request('a')), { kind: 'execute', attempt: 1, steps: new Map() });
    },
  },
  {
    name: 'of two claims in the same moment grants one (R1)',
    async run(open) {
      const { store } = open();
      const outcomes = await Promise.all([store.claim(KEY, request('a')), store.claim(KEY, request('b'))]);
      assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['execute', 'wait']);
    },
  },
  {
    name: 'of fifty claims in the same moment grants one',
    async run(open) {
      const { store } = open();
      const tokens = Array.from({ length: 50 }, (_, index) => `token ${index}`);
      const kinds = await Promise.all(tokens.map((token) => claimKind(store, token)));
      assert.equal(kinds.filter((kind) => kind === 'execute').length, 1);
      assert.equal(kinds.filter((kind) => kind === 'wait').length, 49);
    },
  },
  {
    name: 'waits for a live lease to its last millisecond, and says how long',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a', resumable);
      advance(LEASE - 1);
      const outcome = await store.claim(KEY, request('b', resumable));
      assert.equal(outcome.kind, 'wait');
      const { remainingMs, attempt, reason } = outcome as ClaimOutcome & { kind: 'wait' };
      assert.deepEqual([remainingMs, attempt], [1, 1]);
      assert.notEqual(reason, '');
      advance(1);
      assert.equal(await claimKind(store, 'b', resumable), 'execute');
    },
  },
  {
    name: 'waits for a live attempt whatever the attempt limit says',
    async run(open) {
      const { store } = open();
      await granted(store, 'a', { maxAttempts: 1 });
      assert.equal(await claimKind(store, 'b', { maxAttempts: 1 }), 'wait');
    },
  },
  {
    name: 'takes over an expired resumable attempt under the next number, once (R3)',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a', resumable);
      advance(LEASE);
      const outcomes = await Promise.all([
        store.claim(KEY, request('b', resumable)),
        store.claim(KEY, request('c', resumable)),
      ]);
      const grants = outcomes.filter(({ kind }) => kind === 'execute');
      assert.deepEqual(grants, [{ kind: 'execute', attempt: 2, steps: new Map() }]);
    },
  },
  {
    name: 'calls an expired opaque attempt ambiguous, each time it is asked',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      for (const token of ['b', 'c', 'd']) {
        const outcome = await store.claim(KEY, request(token));
        assert.equal(outcome.kind, 'ambiguous');
        const { attempt, reason } = outcome as ClaimOutcome & { kind: 'ambiguous' };
        assert.equal(attempt, 1);
        assert.notEqual(reason, '');
      }
    },
  },
  {
    name: 'never takes over an expired attempt when either side is opaque',
    async run(open) {
      const one = open();
      await granted(one.store, 'a');
      one.advance(LEASE);
      assert.equal(await claimKind(one.store, 'b', resumable), 'ambiguous');
      const other = open();
      await granted(other.store, 'a', resumable);
      other.advance(LEASE);
      assert.equal(await claimKind(other.store, 'b'), 'ambiguous');
    },
  },
  {
    name: 'finds its own live attempt again when the answer was lost, with a fresh lease (R7)',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      advance(LEASE - 1);
      assert.deepEqual(await granted(store, 'a'), claim);
      advance(LEASE - 1);
      assert.equal(await claimKind(store, 'b'), 'wait');
    },
  },
  {
    name: 'finds its own attempt again after the lease ran out, with its journal',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      await store.step(KEY, claim, LEASE, 'one', '1');
      advance(LEASE * 5);
      assert.deepEqual(await store.claim(KEY, request('a')), {
        kind: 'execute',
        attempt: 1,
        steps: new Map([['one', '1']]),
      });
      assert.equal(await claimKind(store, 'b'), 'wait');
    },
  },
  {
    name: 'answers stale to the token of a failed attempt, and grants nothing (R9)',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a');
      await store.fail(KEY, claim, { kind: 'clean', error: 'no' });
      assert.deepEqual(await store.claim(KEY, request('a')), { kind: 'stale', attempt: 1 });
      assert.equal((await only(store)).status, 'failed');
      assert.equal((await granted(store, 'b')).attempt, 2);
    },
  },
  {
    name: 'counts crashes towards the attempt limit',
    async run(open) {
      const { store, advance } = open();
      for (const token of ['a', 'b', 'c']) {
        await granted(store, token, resumable);
        advance(LEASE);
      }
      assert.deepEqual(await store.claim(KEY, request('d', resumable)), { kind: 'exhausted', attempts: 3 });
      assert.equal((await granted(store, 'd', { ...resumable, maxAttempts: 4 })).attempt, 4);
    },
  },
  {
    name: 'counts failures towards the attempt limit, and shows the last error',
    async run(open) {
      const { store } = open();
      for (const token of ['a', 'b']) {
        await store.fail(KEY, await granted(store, token), { kind: 'clean', error: `no ${token}` });
      }
      assert.deepEqual(await store.claim(KEY, request('c', { maxAttempts: 2 })), {
        kind: 'exhausted',
        attempts: 2,
        error: 'no b',
      });
    },
  },
  {
    name: 'keeps tenants, runs, tools and arguments apart',
    async run(open) {
      const { store } = open();
      const keys: ToolCallReceiptKey[] = [
        KEY,
        { ...KEY, tenantId: 'other' },
        { ...KEY, runId: 'other' },
        { ...KEY, toolName: 'other' },
        { ...KEY, argsHash: 'other' },
        { ...KEY, tenantId: 'tenant\u0000' },
        { ...KEY, tenantId: 'tenant\ud800' },
        { ...KEY, tenantId: 'tenant\ufffd' },
        { ...KEY, tenantId: '\\json:"x"' },
        { ...KEY, tenantId: '' },
      ];
      for (const [index, key] of keys.entries()) await granted(store, `token ${index}`, {}, key);
      const { receipts } = await store.list();
      const texts = (list: readonly ToolCallReceiptKey[]) => list.map((key) => JSON.stringify(key)).sort();
      assert.deepEqual(texts(receipts.map(({ key }) => key)), texts(keys));
    },
  },
  {
    name: 'refuses requests that it could not keep',
    async run(open) {
      const { store } = open();
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.claim(KEY, request('')), refused);
      await assert.rejects(store.claim(KEY, request('a', { leaseMs: Number.NaN })), refused);
      await assert.rejects(store.claim(KEY, request('a', { leaseMs: 0 })), refused);
      await assert.rejects(store.claim(KEY, request('a', { leaseMs: 86_400_001 })), refused);
      await assert.rejects(store.claim(KEY, request('a', { maxAttempts: 0 })), refused);
      await assert.rejects(store.claim(KEY, request('a', { effect: 'other' as 'opaque' })), refused);
      const { argsHash: _, ...partial } = KEY;
      await assert.rejects(store.claim(partial as ToolCallReceiptKey, request('a')), {
        code: 'ERR_HOLDFAST_RECEIPT_KEY',
      });
      assert.deepEqual(await store.list(), { receipts: [] });
    },
  },
];
