import {
  type Effect,
  type ExecuteOnceOptions,
  executeOnce,
  ReceiptOptionError,
  type ReceiptStore,
  ReceiptStoreAnswerError,
  VolatileStoreError,
} from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';
import { keyOf } from './support/claiming.js';
import { type ScriptedStore, scriptedStore, type Verb } from './support/scripted-store.js';

const KEY = keyOf('hash');
const ANSWERS = [undefined, null, 'ok', {}, { kind: 'granted' }, { kind: 'toString' }];
const QUICK = { resendDelayMs: 0, maxResends: 2 };

/** A store whose answer to one verb is not of the contract, though it does what it is asked. */
function answering(verb: Verb, answer: unknown): ScriptedStore {
  const store = scriptedStore();
  const send = store[verb].bind(store) as (...values: unknown[]) => Promise<unknown>;
  const wrong = async (...values: unknown[]) => {
    await send(...values);
    return answer;
  };
  return { ...store, [verb]: wrong };
}

function counted() {
  const effect = { runs: 0, run: () => ++effect.runs };
  return effect;
}

describe.each(ANSWERS.map((answer) => [JSON.stringify(answer), answer]))('the answer %s of a store', (_, answer) => {
  it('to a claim is refused, and nothing runs', async () => {
    const effect = counted();
    const refused = executeOnce(answering('claim', answer), KEY, effect.run, QUICK);
    await expect(refused).rejects.toBeInstanceOf(ReceiptStoreAnswerError);
    await expect(refused).rejects.toMatchObject({ verb: 'claim', message: expect.stringContaining('conformance') });
    expect(effect.runs).toBe(0);
  });

  it('to a completion is no record of the value, which the caller gets', async () => {
    const effect = counted();
    expect(await executeOnce(answering('complete', answer), KEY, effect.run, QUICK)).toMatchObject({
      kind: 'unrecorded',
      value: 1,
      cause: { code: 'ERR_HOLDFAST_RECEIPT_STORE_ANSWER', verb: 'complete' },
    });
    expect(effect.runs).toBe(1);
  });

  it('to a failure is no record of it', async () => {
    const error = new Error('refused');
    const effect = () => {
      throw error;
    };
    const outcome = await executeOnce(answering('fail', answer), KEY, effect, QUICK);
    expect(outcome).toMatchObject({ kind: 'failed', error, recorded: false });
  });

  it('to a step leaves it unrecorded', async () => {
    const effect: Effect<number> = ({ step }) => step('one', () => 1);
    const outcome = await executeOnce(answering('step', answer), KEY, effect, { ...QUICK, effect: 'resumable' });
    expect(outcome).toMatchObject({ kind: 'failed', error: { reason: 'not-recorded' }, failure: 'unknown' });
  });

  it('to a verdict is refused', async () => {
    const store = answering('resolve', answer);
    await store.claim(KEY, { effect: 'opaque', token: 'a', leaseMs: 10, maxAttempts: 5 });
    store.advance(10);
    const reconcile = async () => ({ kind: 'did-not-happen' }) as const;
    const refused = executeOnce(store, KEY, () => 1, { ...QUICK, reconcile });
    await expect(refused).rejects.toMatchObject({ code: 'ERR_HOLDFAST_RECEIPT_STORE_ANSWER', verb: 'resolve' });
  });
});

describe('a store or a host that is not as it should be', () => {
  it('is not asked for ever when it takes each new token for a used one', async () => {
    const store = scriptedStore();
    const stale: ReceiptStore = {
      ...store,
      claim: async (...values) => {
        await store.claim(...values);
        return { kind: 'stale', attempt: 1 };
      },
    };
    await expect(executeOnce(stale, KEY, () => 1)).rejects.toMatchObject({ field: 'newToken' });
    expect(store.sent.length).toBeGreaterThan(1);
    expect(store.sent.length).toBeLessThan(10);
  });

  it.each([undefined, 'c', 'a', 0])('is volatile when it says that its durability is %s', async (durability) => {
    const store = { ...scriptedStore(), durability } as unknown as ReceiptStore;
    const effect = counted();
    await expect(executeOnce(store, KEY, effect.run)).rejects.toBeInstanceOf(VolatileStoreError);
    expect(effect.runs).toBe(0);
    expect(await executeOnce(store, KEY, effect.run, { allowVolatile: true })).toMatchObject({ kind: 'executed' });
  });

  it('does not say yes with a text', async () => {
    const options = { allowVolatile: 'false' } as unknown as ExecuteOnceOptions<number>;
    const store = { ...scriptedStore(), durability: 'C' } as const;
    await expect(executeOnce(store, KEY, () => 1, options)).rejects.toMatchObject({ field: 'allowVolatile' });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '5', undefined])('has no clock that gives %s', async (time) => {
    const store = scriptedStore();
    const refused = executeOnce(store, KEY, () => 1, { now: () => time as number });
    await expect(refused).rejects.toBeInstanceOf(ReceiptOptionError);
    expect(store.sent).toEqual([]);
  });

  const fault = new Error('no listeners here');
  const broken = (method: 'addEventListener' | 'removeEventListener') => ({
    aborted: false,
    reason: undefined,
    addEventListener: () => {},
    removeEventListener: () => {},
    [method]: () => {
      throw fault;
    },
  });

  it('fails clean when its signal takes no listener', async () => {
    const store = scriptedStore();
    const effect = counted();
    const signal = broken('addEventListener');
    const outcome = await executeOnce(store, KEY, effect.run, { signal });
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'clean', error: fault, recorded: true });
    expect(await executeOnce(store, KEY, effect.run)).toMatchObject({ kind: 'executed', attempt: 2 });
    expect(effect.runs).toBe(1);
  });

  it('hears what happened when its signal lets no listener go', async () => {
    const signal = broken('removeEventListener');
    expect(await executeOnce(scriptedStore(), KEY, () => 7, { signal })).toMatchObject({ kind: 'executed', value: 7 });
  });
});
