import { type EffectContext, executeOnce, ReceiptStoreUnavailableError } from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';
import { granted, keyOf, LEASE, request } from './support/claiming.js';
import { type Fault, scriptedStore, type Verb } from './support/scripted-store.js';

const KEY = keyOf('hash');
const never = () => {
  throw new Error('The effect ran.');
};
const quick = { resendDelayMs: 0 };
const always = (fault: Fault) => Array<Fault>(6).fill(fault);

describe('a lost request or answer', () => {
  const cases = (['claim', 'complete'] as const).flatMap((verb) =>
    (['lose the request', 'lose the answer'] as const).map((fault) => [verb, fault] as const),
  );
  it.each(cases)('of %s (%s) neither repeats nor loses the effect', async (verb, fault) => {
    const store = scriptedStore();
    store.breaks(verb, fault, fault);
    let effects = 0;
    expect(await executeOnce(store, KEY, () => ++effects, quick)).toMatchObject({
      kind: 'executed',
      attempt: 1,
      value: 1,
    });
    expect(store.sent.filter((sent) => sent === verb)).toHaveLength(3);
    expect(await executeOnce(store, KEY, never, quick)).toMatchObject({ kind: 'replayed', value: 1 });
  });

  it.each(['lose the request', 'lose the answer'] as const)('of fail (%s) is made up for', async (fault) => {
    const store = scriptedStore();
    store.breaks('fail', fault);
    expect(await executeOnce(store, KEY, never, quick)).toMatchObject({ kind: 'failed', recorded: true });
    expect((await store.claim(KEY, request('next'))).kind).toBe('ambiguous');
  });

  it.each(['lose the request', 'lose the answer'] as const)('of step (%s) leaves one entry', async (fault) => {
    const store = scriptedStore();
    store.breaks('step', fault);
    const outcome = await executeOnce(store, KEY, ({ step }) => step('one', () => 1), {
      ...quick,
      effect: 'resumable',
    });
    expect(outcome).toMatchObject({ kind: 'executed', value: 1 });
    expect(store.sent).toEqual(['claim', 'step', 'step', 'complete']);
  });

  it.each(['lose the request', 'lose the answer'] as const)(
    'of resolve (%s) is seen at the next claim',
    async (fault) => {
      const store = scriptedStore();
      await granted(store.inner, 'dead');
      store.advance(LEASE);
      store.breaks('resolve', fault);
      const reconcile = async () => ({ kind: 'did-not-happen' }) as const;
      expect(await executeOnce(store, KEY, ({ attempt }) => attempt, { ...quick, reconcile })).toMatchObject({
        value: 2,
      });
    },
  );

  it('of a waiting call does not leave it waiting for itself', async () => {
    const store = scriptedStore();
    const other = await granted(store.inner, 'other');
    store.before('claim', async () => {
      // The first request reaches the store only after the other attempt has failed.
      store.breaks('claim', 'lose the answer');
      await store.inner.fail(KEY, other, { kind: 'clean', error: 'no' });
    });
    expect(await executeOnce(store, KEY, ({ attempt }) => attempt, quick)).toMatchObject({
      kind: 'executed',
      value: 2,
    });
  });
});

describe('a store that stays silent', () => {
  it('on the claim: rejects, and nothing has run', async () => {
    const store = scriptedStore();
    store.breaks('claim', ...always('lose the request'));
    const rejected = executeOnce(store, KEY, never, quick);
    await expect(rejected).rejects.toBeInstanceOf(ReceiptStoreUnavailableError);
    await expect(rejected).rejects.toMatchObject({
      code: 'ERR_HOLDFAST_RECEIPT_STORE_UNAVAILABLE',
      verb: 'claim',
      sends: 6,
      cause: { message: 'connection refused' },
    });
    expect(store.sent).toHaveLength(6);
  });

  it('on the completion: gives the value, says that it is not recorded, and stays a call that is running', async () => {
    const store = scriptedStore();
    store.breaks('complete', ...always('lose the request'));
    expect(await executeOnce(store, KEY, () => 'sent', quick)).toMatchObject({
      kind: 'unrecorded',
      attempt: 1,
      value: 'sent',
      cause: { message: 'connection refused' },
    });
    expect((await executeOnce(store, KEY, never, quick)).kind).toBe('busy');
    store.advance(30_000);
    expect((await executeOnce(store, KEY, never, quick)).kind).toBe('ambiguous');
  });

  it('on the failure: says that it is not recorded', async () => {
    const store = scriptedStore();
    store.breaks('fail', ...always('lose the request'));
    expect(await executeOnce(store, KEY, never, quick)).toMatchObject({
      kind: 'failed',
      failure: 'unknown',
      recorded: false,
    });
  });

  it('on a verdict: rejects', async () => {
    const store = scriptedStore();
    await granted(store.inner, 'dead');
    store.advance(LEASE);
    store.breaks('resolve', ...always('lose the request'));
    const reconcile = async () => ({ kind: 'did-not-happen' }) as const;
    await expect(executeOnce(store, KEY, never, { ...quick, reconcile })).rejects.toMatchObject({ verb: 'resolve' });
  });

  it('is asked no more often than the host says', async () => {
    const store = scriptedStore();
    store.breaks('claim', 'lose the request');
    await expect(executeOnce(store, KEY, never, { maxResends: 0 })).rejects.toMatchObject({ sends: 1 });
    expect(store.sent).toEqual(['claim'] satisfies Verb[]);
  });

  const refusal = Object.assign(new Error('full'), { [Symbol.for('holdfast.error')]: true });

  it('is asked again when it refuses to record what has happened', async () => {
    for (const verb of ['complete', 'fail', 'step'] as const) {
      const store = scriptedStore();
      store.before(verb, () => Promise.reject(refusal));
      const effect = verb === 'fail' ? never : ({ step }: EffectContext) => step('one', () => 'done');
      const outcome = await executeOnce<unknown>(store, KEY, effect, { ...quick, effect: 'resumable' });
      expect(outcome).toMatchObject(verb === 'fail' ? { kind: 'failed', recorded: true } : { kind: 'executed' });
    }
  });

  it('is asked again when it says that the claim may have been applied', async () => {
    const store = scriptedStore();
    const timeout = Object.assign(new Error('no answer'), {
      [Symbol.for('holdfast.error')]: true,
      mayBeApplied: true,
    });
    store.before('claim', () => Promise.reject(timeout));
    expect(await executeOnce(store, KEY, () => 'sent', quick)).toMatchObject({ kind: 'executed', attempt: 1 });
    store.before('claim', () => Promise.reject(timeout));
    const given = executeOnce(store, keyOf('other'), never, { maxResends: 0 });
    await expect(given).rejects.toMatchObject({ verb: 'claim', cause: timeout });
  });

  it('is not asked again when it refuses', async () => {
    const store = scriptedStore();
    store.before('claim', () => Promise.reject(refusal));
    await expect(executeOnce(store, KEY, never)).rejects.toBe(refusal);
    expect(store.sent).toEqual(['claim']);
  });
});
