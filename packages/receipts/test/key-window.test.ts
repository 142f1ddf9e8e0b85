import { type EffectContext, type ExecuteOnceOptions, executeOnce, type ReceiptStore } from '@holdfast/receipts';
import { describe, expect, it, vi } from 'vitest';
import { granted, keyOf } from './support/claiming.js';
import { scriptedStore } from './support/scripted-store.js';

const KEY = keyOf('hash');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LEASE = 30_000;
const resumable = { effect: 'resumable' } as const;
const stripe: ExecuteOnceOptions<unknown> = { ...resumable, providerKeyWindowMs: DAY, resendDelayMs: 0 };
const never = () => expect.unreachable();

/** A store with an abandoned first attempt, `ageMs` after it was claimed. */
async function abandoned(ageMs: number, effect: 'resumable' | 'opaque' = 'resumable') {
  const store = scriptedStore();
  await granted(store.inner, 'dead', { effect });
  store.advance(ageMs);
  return store;
}

describe('providerKeyWindowMs', () => {
  it('lets a takeover run while the provider remembers the key', async () => {
    const store = await abandoned(DAY - LEASE);
    expect(await executeOnce(store, KEY, ({ attempt }) => attempt, stripe)).toMatchObject({
      kind: 'executed',
      value: 2,
    });
    expect(store.sent).toEqual(['claim', 'complete']);
  });

  it('refuses one that may outlive it: the call is ambiguous, and stays so', async () => {
    const store = await abandoned(DAY - LEASE + 1);
    const outcome = await executeOnce(store, KEY, never, stripe);
    expect(outcome).toMatchObject({
      kind: 'ambiguous',
      attempt: 2,
      error: expect.stringMatching(/began 86370001 ms ago/),
    });
    expect(store.sent).toEqual(['claim', 'fail', 'claim']);
    store.advance(LEASE);
    expect((await executeOnce(store, KEY, never, stripe)).kind).toBe('ambiguous');
  });

  it('refuses also what failed by itself before', async () => {
    const store = scriptedStore();
    const failing = executeOnce(store, KEY, () => Promise.reject(new Error('reset')), stripe);
    expect(await failing).toMatchObject({ kind: 'failed', failure: 'clean' });
    store.advance(DAY);
    expect((await executeOnce(store, KEY, never, stripe)).kind).toBe('ambiguous');
  });

  it('lets a verdict lead out, and counts anew from there', async () => {
    const store = await abandoned(2 * DAY);
    await executeOnce(store, KEY, never, stripe);
    await store.resolve(KEY, 2, { kind: 'did-not-happen' });
    store.advance(2 * DAY);
    expect(await executeOnce(store, KEY, ({ attempt }) => attempt, stripe)).toMatchObject({
      kind: 'executed',
      value: 3,
    });
  });

  it('asks the reconciler', async () => {
    const store = await abandoned(2 * DAY);
    const reconcile = vi.fn(async () => ({ kind: 'happened', result: 'in the ledger' }) as const);
    const outcome = await executeOnce<unknown>(store, KEY, never, { ...stripe, reconcile });
    expect(outcome).toMatchObject({ kind: 'replayed', value: 'in the ledger' });
    expect(reconcile).toHaveBeenCalledWith(expect.objectContaining({ attempt: 2 }));
  });

  it.each(['lose the request', 'lose the answer'] as const)('survives a refusal that is lost (%s)', async (fault) => {
    const store = await abandoned(2 * DAY);
    store.breaks('fail', fault, fault);
    expect(await executeOnce(store, KEY, never, stripe)).toMatchObject({ kind: 'ambiguous', attempt: 2 });
  });

  it('rejects when the store cannot be told of the refusal', async () => {
    const store = await abandoned(2 * DAY);
    store.breaks('fail', 'lose the request');
    const refused = executeOnce(store, KEY, never, { ...stripe, maxResends: 0 });
    await expect(refused).rejects.toMatchObject({ code: 'ERR_HOLDFAST_RECEIPT_STORE_UNAVAILABLE', verb: 'fail' });
  });

  it('does not concern first attempts, opaque effects, or providers that never forget', async () => {
    const options = { resendDelayMs: 0, providerKeyWindowMs: DAY };
    let now = 0;
    const longFirst = async ({ step }: EffectContext) => {
      for (let day = 0; day < DAY * 2; day += LEASE - 1, now += LEASE - 1) await step(`at ${now}`, () => 1);
    };
    const patient = { ...options, ...resumable, maxSteps: 10_000, now: () => now };
    expect((await executeOnce(scriptedStore(), KEY, longFirst, patient)).kind).toBe('executed');
    const opaque = scriptedStore();
    await opaque.fail(KEY, await granted(opaque, 'a'), { kind: 'clean', error: 'no' });
    opaque.advance(2 * DAY);
    expect((await executeOnce(opaque, KEY, () => 1, options)).kind).toBe('executed');
    const forever = await abandoned(365 * DAY);
    expect((await executeOnce(forever, KEY, () => 1, resumable)).kind).toBe('executed');
  });

  it('refuses when a store does not say how old the receipt is', async () => {
    const inner = await abandoned(LEASE);
    const claim: ReceiptStore['claim'] = async (...asked) => {
      const { ageMs: _, ...answer } = (await inner.claim(...asked)) as { ageMs: number };
      return answer as never;
    };
    const store = { ...inner, claim };
    expect((await executeOnce(store, KEY, () => 1, { ...resumable, maxResends: 0 })).kind).toBe('executed');
    const other = keyOf('other');
    await granted(inner.inner, 'dead', resumable, other);
    inner.advance(LEASE);
    expect((await executeOnce(store, other, never, stripe)).kind).toBe('ambiguous');
  });

  it('aborts an attempt that goes on past it, and begins no step any more', async () => {
    const store = await abandoned(DAY - LEASE - 1_000);
    let now = 0;
    let seen: EffectContext | undefined;
    const outcome = await executeOnce<unknown>(
      store,
      KEY,
      async (context) => {
        seen = context;
        now += LEASE - 1;
        await context.step('in time', () => 1);
        now += 1_000;
        expect(context.signal.aborted).toBe(false);
        now += 1;
        await context.step('too late', never);
      },
      { ...stripe, now: () => now },
    );
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'clean', error: { reason: 'key-expired', attempt: 2 } });
    expect(seen?.signal.aborted).toBe(true);
  });

  it("only warns with onKeyExpiry: 'warn'", async () => {
    const warned = async (ageMs: number) => {
      const store = await abandoned(ageMs);
      const options = { ...stripe, onKeyExpiry: 'warn', providerKeyWindowMs: DAY } as const;
      return executeOnce<unknown>(store, KEY, ({ keyMayBeForgotten }) => keyMayBeForgotten, options);
    };
    expect(await warned(DAY - LEASE)).toMatchObject({ kind: 'executed', value: false });
    expect(await warned(DAY - LEASE + 1)).toMatchObject({ kind: 'executed', value: true });
  });

  it.each<[string, ExecuteOnceOptions<unknown>]>([
    ['providerKeyWindowMs', { providerKeyWindowMs: 0 }],
    ['providerKeyWindowMs', { providerKeyWindowMs: Number.NaN }],
    ['providerKeyWindowMs', { ...resumable, providerKeyWindowMs: '86400000' as unknown as number }],
    ['onKeyExpiry', { onKeyExpiry: 'ignore' as 'warn' }],
    ['providerKeyWindowMs', { ...resumable, leaseMs: 60_000, maxAttempts: 5, providerKeyWindowMs: 299_999 }],
  ])('refuses a %s that cannot work', async (field, options) => {
    const store = scriptedStore();
    await expect(executeOnce<unknown>(store, KEY, never, options)).rejects.toMatchObject({ field });
    expect(store.sent).toEqual([]);
  });

  it('takes a window that all attempts fit into, or a warning instead', async () => {
    const fits = { ...resumable, leaseMs: 60_000, maxAttempts: 5, providerKeyWindowMs: 300_000 };
    expect((await executeOnce(scriptedStore(), KEY, () => 1, fits)).kind).toBe('executed');
    const warned = { ...fits, providerKeyWindowMs: 1, onKeyExpiry: 'warn' } as const;
    expect((await executeOnce(scriptedStore(), KEY, () => 1, warned)).kind).toBe('executed');
  });
});
