/** What a person or a reconciler may say. */

import assert from 'node:assert/strict';
import { type ContractCase, claimKind, fenced, granted, KEY, LEASE, ok, only, request, resumable } from './harness.js';

export const resolving: ContractCase[] = [
  {
    name: 'settles an ambiguous call by each verdict, stored or derived',
    async run(open) {
      for (const reported of [true, false]) {
        for (const verdict of ['happened', 'did-not-happen', 'give-up'] as const) {
          const { store, advance } = open();
          const claim = await granted(store, 'a');
          if (reported) await store.fail(KEY, claim, { kind: 'unknown', error: 'timeout' });
          else advance(LEASE);
          const said = { kind: verdict, result: 'seen in the ledger', error: 'stop' };
          assert.deepEqual(await store.resolve(KEY, 1, said), ok);
          const outcome = await store.claim(KEY, request('b'));
          const expected = {
            happened: { kind: 'replay', attempt: 1, result: 'seen in the ledger' },
            'did-not-happen': { kind: 'execute', attempt: 2, steps: new Map() },
            'give-up': { kind: 'rejected', attempt: 1, error: 'stop' },
          };
          assert.deepEqual(outcome, expected[verdict]);
        }
      }
    },
  },
  {
    name: 'settles an abandoned resumable attempt too',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a', resumable);
      advance(LEASE);
      assert.deepEqual(await store.resolve(KEY, 1, { kind: 'give-up', error: 'stop' }), ok);
      assert.equal(await claimKind(store, 'b', resumable), 'rejected');
    },
  },
  {
    name: 'does not resolve a live, completed, failed or rejected call, or another attempt',
    async run(open) {
      const live = open();
      const claim = await granted(live.store, 'a');
      assert.deepEqual(await live.store.resolve(KEY, 1, { kind: 'did-not-happen' }), fenced);
      live.advance(LEASE);
      assert.deepEqual(await live.store.resolve(KEY, 2, { kind: 'did-not-happen' }), fenced);
      assert.deepEqual(await live.store.resolve(KEY, 0, { kind: 'did-not-happen' }), fenced);
      await live.store.complete(KEY, claim, 'done');
      assert.deepEqual(await live.store.resolve(KEY, 1, { kind: 'happened', result: 'x' }), fenced);
      assert.deepEqual(await live.store.claim(KEY, request('b')), { kind: 'replay', attempt: 1, result: 'done' });
      for (const kind of ['clean', 'terminal'] as const) {
        const { store } = open();
        await store.fail(KEY, await granted(store, 'a'), { kind, error: 'no' });
        assert.deepEqual(await store.resolve(KEY, 1, { kind: 'happened', result: 'x' }), fenced);
      }
    },
  },
  {
    name: 'of a verdict and a zombie lets the first win, and keeps the other as evidence (R10)',
    async run(open) {
      for (const verdict of [
        { kind: 'did-not-happen' },
        { kind: 'happened', result: 'human' },
        { kind: 'give-up', error: 'human' },
      ] as const) {
        const { store, advance } = open();
        const zombie = await granted(store, 'a');
        advance(LEASE);
        await store.resolve(KEY, 1, verdict);
        assert.deepEqual(await store.complete(KEY, zombie, 'zombie'), fenced);
        const { evidence, status } = await only(store);
        assert.deepEqual(evidence, { attempt: 1, kind: 'completed', text: 'zombie' });
        assert.equal(
          status,
          { 'did-not-happen': 'failed', happened: 'completed', 'give-up': 'rejected' }[verdict.kind],
        );
        assert.deepEqual(await store.renew(KEY, zombie, LEASE), fenced);
      }
    },
  },
  {
    name: 'of two verdicts lets the first win (R11)',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      const verdicts = [{ kind: 'did-not-happen' }, { kind: 'happened', result: 'x' }] as const;
      const outcomes = await Promise.all(verdicts.map((verdict) => store.resolve(KEY, 1, verdict)));
      assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['fenced', 'ok']);
    },
  },
  {
    name: 'does not apply a late verdict to a newer attempt (R12)',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      await store.resolve(KEY, 1, { kind: 'did-not-happen' });
      await granted(store, 'b');
      advance(LEASE);
      assert.deepEqual(await store.resolve(KEY, 1, { kind: 'did-not-happen' }), fenced);
      assert.equal(await claimKind(store, 'c'), 'ambiguous');
    },
  },
  {
    name: 'answers stale to the token of the attempt that was said not to have happened',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      await store.resolve(KEY, 1, { kind: 'did-not-happen' });
      assert.equal(await claimKind(store, 'a'), 'stale');
    },
  },
  {
    name: 'refuses verdicts that it could not keep',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.resolve(KEY, 1, { kind: 'maybe' as 'did-not-happen' }), refused);
      await assert.rejects(
        store.resolve(KEY, 1, { kind: 'happened' } as { kind: 'happened'; result: string }),
        refused,
      );
      assert.equal(await claimKind(store, 'b'), 'ambiguous');
    },
  },
];
