/** Who may write. */

import assert from 'node:assert/strict';
import type { ClaimOutcome } from '@holdfast/receipts';
import {
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
  takenOver,
} from './harness.js';

export const fencing: ContractCase[] = [
  {
    name: 'fences complete, fail, renew and step of an attempt that was taken over (R4, R5, R15)',
    async run(open) {
      const { store, zombie, holder } = await takenOver(open);
      assert.deepEqual(await store.renew(KEY, zombie, LEASE), fenced);
      assert.deepEqual(await store.step(KEY, zombie, LEASE, 'one', '1'), fenced);
      assert.deepEqual(await store.complete(KEY, zombie, 'zombie'), fenced);
      assert.deepEqual(await store.fail(KEY, zombie, { kind: 'terminal', error: 'zombie' }), fenced);
      const again = await store.claim(KEY, request('b', resumable));
      assert.deepEqual(again, { kind: 'execute', attempt: 2, steps: new Map() });
      assert.deepEqual(await store.complete(KEY, holder, 'holder'), ok);
      assert.deepEqual(await store.claim(KEY, request('c')), { kind: 'replay', attempt: 2, result: 'holder' });
    },
  },
  {
    name: 'fences a writer with the right attempt and the wrong token, and the other way round',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a', resumable);
      for (const wrong of [
        { attempt: claim.attempt, token: 'b' },
        { attempt: claim.attempt + 1, token: 'a' },
      ]) {
        assert.deepEqual(await store.renew(KEY, wrong, LEASE), fenced);
        assert.deepEqual(await store.step(KEY, wrong, LEASE, 'one', '1'), fenced);
        assert.deepEqual(await store.complete(KEY, wrong, 'x'), fenced);
        assert.deepEqual(await store.fail(KEY, wrong, { kind: 'clean', error: 'x' }), fenced);
      }
      assert.deepEqual(await store.claim(KEY, request('a', resumable)), {
        kind: 'execute',
        attempt: 1,
        steps: new Map(),
      });
      assert.equal((await only(store)).evidence, undefined);
    },
  },
  {
    name: 'fences every write to a key that has no receipt, and creates none',
    async run(open) {
      const { store } = open();
      const claim = { attempt: 1, token: 'a' };
      assert.deepEqual(await store.renew(KEY, claim, LEASE), fenced);
      assert.deepEqual(await store.step(KEY, claim, LEASE, 'one', '1'), fenced);
      assert.deepEqual(await store.complete(KEY, claim, 'x'), fenced);
      assert.deepEqual(await store.fail(KEY, claim, { kind: 'clean', error: 'x' }), fenced);
      assert.deepEqual(await store.resolve(KEY, 1, { kind: 'did-not-happen' }), fenced);
      assert.deepEqual(await store.list(), { receipts: [] });
    },
  },
  {
    name: 'fences renewal and steps of a settled attempt',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a');
      await store.complete(KEY, claim, 'done');
      assert.deepEqual(await store.renew(KEY, claim, LEASE), fenced);
      assert.deepEqual(await store.step(KEY, claim, LEASE, 'one', '1'), fenced);
    },
  },
  {
    name: 'accepts the late result of an attempt that nobody took over, which heals it (R6)',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      advance(LEASE * 100);
      assert.equal(await claimKind(store, 'b'), 'ambiguous');
      assert.deepEqual(await store.complete(KEY, claim, 'late'), ok);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'replay', attempt: 1, result: 'late' });
    },
  },
  {
    name: 'keeps the late result of a fenced attempt as evidence',
    async run(open) {
      const { store, advance, zombie } = await takenOver(open);
      await store.fail(KEY, zombie, { kind: 'clean', error: 'first news' });
      assert.deepEqual((await only(store)).evidence, { attempt: 1, kind: 'failed', text: 'first news' });
      await store.complete(KEY, zombie, 'receipt 17');
      const evidence = { attempt: 1, kind: 'completed', text: 'receipt 17' };
      assert.deepEqual((await only(store)).evidence, evidence);
      await store.fail(KEY, zombie, { kind: 'clean', error: 'less' });
      assert.deepEqual((await only(store)).evidence, evidence);
      advance(LEASE);
      const outcome = await store.claim(KEY, request('c', { effect: 'opaque' }));
      assert.equal(outcome.kind, 'ambiguous');
      assert.deepEqual((outcome as ClaimOutcome & { kind: 'ambiguous' }).evidence, evidence);
      assert.equal((await granted(store, 'd', resumable)).attempt, 3);
      assert.deepEqual((await only(store)).evidence, evidence);
    },
  },
  {
    name: 'renews a lease from now on',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      advance(LEASE - 1);
      assert.deepEqual(await store.renew(KEY, claim, LEASE), ok);
      advance(LEASE - 1);
      assert.equal(await claimKind(store, 'b'), 'wait');
      advance(1);
      assert.equal(await claimKind(store, 'b'), 'ambiguous');
      assert.deepEqual(await store.renew(KEY, claim, LEASE), ok);
      assert.equal(await claimKind(store, 'b'), 'wait');
      await assert.rejects(store.renew(KEY, claim, Number.NaN), { code: 'ERR_HOLDFAST_RECEIPT_OPTION' });
    },
  },
  {
    name: 'renews the lease with every step, and keeps the first entry of a name',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a', resumable);
      advance(LEASE - 1);
      assert.deepEqual(await store.step(KEY, claim, LEASE, 'one', '1'), ok);
      assert.deepEqual(await store.step(KEY, claim, LEASE, '__proto__', '2'), ok);
      assert.deepEqual(await store.step(KEY, claim, LEASE, 'one', 'other'), ok);
      advance(LEASE - 1);
      assert.equal(await claimKind(store, 'b', resumable), 'wait');
      advance(1);
      assert.deepEqual(await store.claim(KEY, request('b', resumable)), {
        kind: 'execute',
        attempt: 2,
        steps: new Map([
          ['__proto__', '2'],
          ['one', '1'],
        ]),
      });
    },
  },
];
