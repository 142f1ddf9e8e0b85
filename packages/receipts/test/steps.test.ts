import {
  type EffectContext,
  EffectDidNotHappenError,
  EffectStepError,
  type ExecuteOnceOptions,
  executeOnce,
  LeaseLostError,
} from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';
import { granted, keyOf } from './support/claiming.js';
import { type ScriptedStore, scriptedStore } from './support/scripted-store.js';

const KEY = keyOf('hash');
const resumable = { effect: 'resumable' } as const;

/** Runs one attempt that does its work and then dies, as far as the store can see. */
async function crashes(
  store: ScriptedStore,
  work: (context: EffectContext) => Promise<unknown>,
  options: ExecuteOnceOptions<unknown> = {},
) {
  store.breaks('complete', 'lose the request');
  const outcome = await executeOnce<unknown>(store, KEY, work, { ...resumable, maxResends: 0, ...options });
  expect(outcome.kind).toBe('unrecorded');
  store.advance(30_000);
}

const attempt = <T>(
  store: ScriptedStore,
  work: (context: EffectContext) => Promise<T>,
  options: ExecuteOnceOptions<T> = {},
) => executeOnce(store, KEY, work, { ...resumable, ...options });

describe('context.step', () => {
  it('runs a step once over all attempts, and gives its value to each', async () => {
    const store = scriptedStore();
    const ran: string[] = [];
    const work = async ({ step, attempt: number }: EffectContext) => {
      const one = await step('one', () => ran.push(`one by ${number}`));
      const two = await step('two', async () => {
        ran.push(`two by ${number}`);
        if (number === 1) throw new Error('no');
        return { one };
      });
      return two;
    };
    expect(await attempt(store, work)).toMatchObject({ kind: 'failed', failure: 'clean' });
    expect(await attempt(store, work)).toMatchObject({ kind: 'executed', value: { one: 1 }, attempt: 2 });
    expect(ran).toEqual(['one by 1', 'two by 1', 'two by 2']);
  });

  it.each([undefined, null, 'text', '@holdfast:undefined', { a: [1] }])(
    'gives %j back after a crash',
    async (value) => {
      const store = scriptedStore();
      await crashes(store, ({ step }) => step('__proto__', () => value));
      const outcome = await attempt(store, ({ step }) =>
        step('__proto__', () => Promise.reject(new Error('ran again'))),
      );
      expect(outcome).toMatchObject({ kind: 'executed', value });
    },
  );

  it('extends the lease with every entry', async () => {
    const store = scriptedStore();
    let now = 0;
    const outcome = await attempt(
      store,
      async ({ step, signal }) => {
        for (const name of ['a', 'b', 'c']) {
          now += 29_999;
          await step(name, () => 1);
        }
        return signal.aborted;
      },
      { now: () => now },
    );
    expect(outcome).toMatchObject({ kind: 'executed', value: false });
  });

  it('does not begin after the deadline, though no timer has fired', async () => {
    const store = scriptedStore();
    let now = 0;
    let began = false;
    const outcome = await attempt(
      store,
      async ({ step }) => {
        // The process was paused, or its event loop blocked, for as long as the lease.
        now += 30_000;
        await step('one', () => {
          began = true;
        });
      },
      { now: () => now },
    );
    expect(began).toBe(false);
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'clean', error: { reason: 'expired' } });
  });

  it('is refused when the attempt was taken over', async () => {
    const store = scriptedStore();
    const outcome = await attempt(store, async ({ step }) => {
      store.advance(60_000);
      await granted(store.inner, 'other', resumable);
      const refused = step('one', () => 1);
      await expect(refused).rejects.toBeInstanceOf(LeaseLostError);
      await step('two', () => expect.unreachable());
    });
    expect(outcome).toMatchObject({ kind: 'lost', effect: { kind: 'threw', error: { reason: 'fenced' } } });
    expect(store.sent).toEqual(['claim', 'step', 'fail']);
  });

  it('does not begin after the host has aborted', async () => {
    const store = scriptedStore();
    const controller = new AbortController();
    const outcome = await attempt(
      store,
      async ({ step }) => {
        controller.abort(new EffectDidNotHappenError('shutting down'));
        await step('one', () => expect.unreachable());
      },
      { signal: controller.signal },
    );
    expect(outcome).toMatchObject({ kind: 'failed', error: { message: 'shutting down' } });
  });

  it('takes a name once per attempt', async () => {
    const store = scriptedStore();
    const outcome = await attempt(store, async ({ step }) => {
      await step('one', () => 1);
      await step('one', () => expect.unreachable());
    });
    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: 'clean',
      error: { code: 'ERR_HOLDFAST_EFFECT_STEP', step: 'one', reason: 'repeated' },
    });
  });

  it('runs no more than the limit says, over all attempts', async () => {
    const store = scriptedStore();
    await crashes(store, ({ step }) => step('one', () => 1), { maxSteps: 2 });
    const ran: string[] = [];
    const work = async ({ step }: EffectContext) => {
      await step('one', () => expect.unreachable());
      await step('thrown', () => Promise.reject(new Error('leaves no entry'))).catch(() => undefined);
      await step('two', () => ran.push('two'));
      await step('three', () => ran.push('three'));
    };
    expect(await attempt(store, work, { maxSteps: 2 })).toMatchObject({
      kind: 'failed',
      failure: 'clean',
      error: { code: 'ERR_HOLDFAST_EFFECT_STEP', step: 'three', reason: 'too-many' },
    });
    expect(ran).toEqual(['two']);
    expect(await attempt(store, work, { maxSteps: 3 })).toMatchObject({ kind: 'executed' });
  });

  it('counts those that run side by side, up to 1,000 by default', async () => {
    const store = scriptedStore();
    const outcome = await attempt(store, async ({ step }) => {
      const steps = Array.from({ length: 1_001 }, (_, index) => step(`step ${index}`, () => index));
      return (await Promise.allSettled(steps)).filter(({ status }) => status === 'rejected').length;
    });
    expect(outcome).toMatchObject({ kind: 'executed', value: 1 });
    expect(store.sent.filter((verb) => verb === 'step')).toHaveLength(1_000);
  });

  it('takes no name that a store might not keep, and runs nothing under it', async () => {
    const store = scriptedStore();
    const outcome = await attempt(store, ({ step }) => step(1 as unknown as string, () => expect.unreachable()));
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'ERR_HOLDFAST_RECEIPT_OPTION', field: 'name' } });
  });

  it('is unknown when it happened and the store could not be told', async () => {
    const store = scriptedStore();
    store.breaks('step', 'lose the request');
    const outcome = await attempt(store, ({ step }) => step('one', () => 1), { maxResends: 0 });
    expect(outcome).toMatchObject({
      failure: 'unknown',
      error: { reason: 'not-recorded', cause: { message: 'connection refused' } },
    });
    expect((await attempt(store, () => expect.unreachable())).kind).toBe('ambiguous');
  });

  it('is offloaded when it is large, and cannot be resumed when it was not kept', async () => {
    const store = scriptedStore();
    const large = 'x'.repeat(100);
    const blobs = new Map([['blob', '']]);
    const offload = {
      save: async (text: string) => {
        blobs.set('blob', text);
        return 'blob';
      },
      load: async (reference: string) => blobs.get(reference) as string,
    };
    const work = async ({ step }: EffectContext) => {
      const kept = await step('kept', () => large);
      return kept.length;
    };
    await crashes(store, work, { maxResultChars: 50, offload });
    expect(await attempt(store, work, { maxResultChars: 50, offload })).toMatchObject({ kind: 'executed', value: 100 });
    const other = scriptedStore();
    await crashes(other, work, { maxResultChars: 50 });
    const outcome = await attempt(other, work, { maxResultChars: 50 });
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'unknown', error: { reason: 'not-kept' } });
    expect((outcome as { error?: unknown }).error).toBeInstanceOf(EffectStepError);
  });

  it('is waited for when the effect ends before it, and refused after', async () => {
    const store = scriptedStore();
    let finish = () => {};
    let context: EffectContext | undefined;
    const outcome = attempt(store, async (given) => {
      context = given;
      void given.step(
        'slow',
        () =>
          new Promise<void>((resolve) => {
            finish = resolve;
          }),
      );
      store.before('step', () => expect(store.sent).toEqual(['claim', 'step']));
      setImmediate(() => finish());
      return 'early';
    });
    expect(await outcome).toMatchObject({ kind: 'executed', value: 'early' });
    expect(store.sent).toEqual(['claim', 'step', 'complete']);
    await expect(context?.step('late', () => expect.unreachable())).rejects.toMatchObject({ reason: 'late' });
  });

  it('is waited for when the effect throws before it: no next attempt may overlap with it', async () => {
    const store = scriptedStore();
    let finish = () => {};
    const outcome = attempt(store, async ({ step }) => {
      const slow = step(
        'slow',
        () =>
          new Promise<void>((resolve) => {
            finish = resolve;
          }),
      );
      setImmediate(() => finish());
      await Promise.all([slow, Promise.reject(new Error('no'))]);
    });
    expect(await outcome).toMatchObject({ kind: 'failed', failure: 'clean' });
    expect(store.sent).toEqual(['claim', 'step', 'fail']);
  });
});
