import { executeOnce, type Reconciliation, toolCallIdempotencyKey } from '@holdfast/receipts';
import { describe, expect, it, vi } from 'vitest';
import { granted, keyOf, LEASE } from './support/claiming.js';
import { scriptedStore } from './support/scripted-store.js';

const KEY = keyOf('hash');
const never = () => {
  throw new Error('The effect ran.');
};

describe('reconcile', () => {
  async function abandoned() {
    const store = scriptedStore();
    await granted(store.inner, 'dead');
    store.advance(LEASE);
    return store;
  }

  it('is asked about an abandoned attempt, and its answer settles the receipt', async () => {
    const store = await abandoned();
    const reconcile = vi.fn(
      async (): Promise<Reconciliation<{ id: number }>> => ({ kind: 'happened', result: { id: 17 } }),
    );
    const outcome = await executeOnce<{ id: number }>(store, KEY, never, { reconcile });
    expect(outcome).toEqual({ kind: 'replayed', attempt: 1, value: { id: 17 } });
    expect(reconcile.mock.calls).toEqual([
      [{ key: KEY, attempt: 1, reason: expect.any(String), idempotencyKey: await toolCallIdempotencyKey(KEY) }],
    ]);
    await executeOnce<{ id: number }>(store, KEY, never, { reconcile });
    expect(reconcile).toHaveBeenCalledTimes(1);
  });

  it('lets the effect run when it did not happen, under the next attempt', async () => {
    const store = await abandoned();
    const reconcile = async () => ({ kind: 'did-not-happen' }) as const;
    expect(await executeOnce(store, KEY, ({ attempt }) => attempt, { reconcile })).toMatchObject({ value: 2 });
    expect(store.sent).toEqual(['claim', 'resolve', 'claim', 'complete']);
  });

  it('leaves the call ambiguous when it does not know either', async () => {
    const store = await abandoned();
    const reconcile = async () => ({ kind: 'unknown' }) as const;
    expect(await executeOnce(store, KEY, never, { reconcile })).toMatchObject({ kind: 'ambiguous', attempt: 1 });
    expect(store.sent).toEqual(['claim']);
  });

  it('is told what the attempt reported', async () => {
    const store = scriptedStore();
    const { signal } = new AbortController();
    await executeOnce(store, KEY, () => Promise.reject(new Error('socket hang up')));
    const reconcile = vi.fn(async () => ({ kind: 'unknown' }) as const);
    await executeOnce(store, KEY, never, { reconcile, signal });
    expect(reconcile).toHaveBeenCalledWith(expect.objectContaining({ error: 'Error: socket hang up', signal }));
  });

  it('does not overrule whoever was faster', async () => {
    const store = await abandoned();
    store.before('resolve', () => store.inner.complete(KEY, { attempt: 1, token: 'dead' }, '"alive after all"'));
    const reconcile = async () => ({ kind: 'did-not-happen' }) as const;
    expect(await executeOnce(store, KEY, never, { reconcile })).toMatchObject({
      kind: 'replayed',
      value: 'alive after all',
    });
  });

  it('is asked once per attempt', async () => {
    const store = await abandoned();
    // The worker wakes up before the verdict arrives, renews its lease, and dies again.
    store.before('resolve', async () => {
      await store.inner.renew(KEY, { attempt: 1, token: 'dead' }, 1);
      store.before('claim', () => store.advance(1));
    });
    const reconcile = vi.fn(async () => ({ kind: 'did-not-happen' }) as const);
    expect(await executeOnce(store, KEY, never, { reconcile })).toMatchObject({ kind: 'ambiguous', attempt: 1 });
    expect(store.sent).toEqual(['claim', 'resolve', 'claim']);
    expect(reconcile).toHaveBeenCalledTimes(1);
  });

  it('rejects the call when it rejects or answers nonsense, and nothing runs', async () => {
    const store = await abandoned();
    await expect(
      executeOnce(store, KEY, never, { reconcile: () => Promise.reject(new Error('ledger down')) }),
    ).rejects.toThrow('ledger down');
    for (const answer of [{ kind: 'perhaps' }, undefined, null]) {
      const reconcile = async () => answer as unknown as Reconciliation<never>;
      await expect(executeOnce(store, KEY, never, { reconcile })).rejects.toMatchObject({ field: 'reconcile' });
    }
    expect((await executeOnce(store, KEY, never)).kind).toBe('ambiguous');
  });
});
