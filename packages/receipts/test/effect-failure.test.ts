import {
  EffectDidNotHappenError,
  EffectRejectedError,
  type ExecuteOnceOptions,
  executeOnce,
  HoldfastError,
} from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';
import { keyOf } from './support/claiming.js';
import { scriptedStore } from './support/scripted-store.js';

const KEY = keyOf('hash');
const never = () => {
  throw new Error('The effect ran.');
};
const resumable = { effect: 'resumable' } as const;

describe('an effect that throws', () => {
  const failures: [string, unknown, ExecuteOnceOptions<unknown>, string, string][] = [
    ['an error, opaque', new Error('timeout'), {}, 'unknown', 'ambiguous'],
    ['an error, resumable', new Error('timeout'), resumable, 'clean', 'executed'],
    ['EffectDidNotHappenError', new EffectDidNotHappenError('no network'), {}, 'clean', 'executed'],
    ['EffectRejectedError', new EffectRejectedError('card declined'), {}, 'terminal', 'rejected'],
    ['EffectRejectedError, resumable', new EffectRejectedError('card declined'), resumable, 'terminal', 'rejected'],
    ['undefined', undefined, {}, 'unknown', 'ambiguous'],
    [
      'an error that the host calls clean',
      new Error('ECONNREFUSED'),
      { classifyError: () => 'clean' },
      'clean',
      'executed',
    ],
    [
      'an error that the host calls unknown',
      new Error('x'),
      { ...resumable, classifyError: () => 'unknown' },
      'unknown',
      'ambiguous',
    ],
    [
      'an error that the host has no name for',
      new Error('x'),
      { classifyError: () => undefined },
      'unknown',
      'ambiguous',
    ],
  ];
  it.each(failures)('%s', async (_, error, options, failure, after) => {
    const store = scriptedStore();
    const outcome = await executeOnce(store, KEY, () => Promise.reject(error), options);
    expect(outcome).toEqual({ kind: 'failed', attempt: 1, failure, error, recorded: true });
    expect((await executeOnce<unknown>(store, KEY, () => 1, options)).kind).toBe(after);
  });

  it('throws before its first await like after it', async () => {
    expect((await executeOnce(scriptedStore(), KEY, never)).kind).toBe('failed');
  });

  it('is recognised by the code of its error, whichever copy of the package made it', async () => {
    const foreign = Object.defineProperty(
      Object.assign(new Error('x'), { code: 'ERR_HOLDFAST_EFFECT_REJECTED' }),
      Symbol.for('holdfast.error'),
      { value: true },
    );
    expect(HoldfastError.isInstance(foreign)).toBe(true);
    expect(await executeOnce(scriptedStore(), KEY, () => Promise.reject(foreign))).toMatchObject({
      failure: 'terminal',
    });
  });

  it.each<[string, () => never | 'clean']>([
    ['throws', never],
    ['answers nonsense', () => 'retry' as 'clean'],
  ])('is unknown when its classifier %s, and says so', async (_, classifyError) => {
    const outcome = await executeOnce(scriptedStore(), KEY, never, { ...resumable, classifyError });
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'unknown', classifierError: expect.any(Error) });
  });

  it('leaves a text for people, cut and never in the way', async () => {
    const store = scriptedStore();
    const texts: [unknown, ExecuteOnceOptions<unknown>][] = [
      [new TypeError('bad'), {}],
      ['😀'.repeat(4_000), {}],
      [Object.create(null), {}],
      [new Error('secret'), { describeError: () => 'redacted' }],
    ];
    const errors: (string | undefined)[] = [];
    for (const [index, [error, options]] of texts.entries()) {
      await executeOnce(store, keyOf(String(index)), () => Promise.reject(error), options);
      errors.push((await store.inner.list()).receipts[index]?.error);
    }
    expect(errors).toEqual([
      'TypeError: bad',
      '😀'.repeat(2_000),
      'The effect threw a value that cannot be rendered.',
      'redacted',
    ]);
  });

  it('is exhausted after its attempts, and rejected for ever when it said so', async () => {
    const store = scriptedStore();
    const options = { maxAttempts: 2 };
    for (let attempt = 1; attempt <= 2; attempt++) {
      await executeOnce(store, KEY, () => Promise.reject(new EffectDidNotHappenError(`try ${attempt}`)), options);
    }
    expect(await executeOnce(store, KEY, never, options)).toMatchObject({
      kind: 'exhausted',
      attempts: 2,
      error: expect.stringContaining('try 2'),
    });
    await executeOnce(store, keyOf('other'), () => Promise.reject(new EffectRejectedError('card declined')));
    expect(await executeOnce(store, keyOf('other'), never)).toEqual({
      kind: 'rejected',
      attempt: 1,
      error: 'EffectRejectedError: card declined',
    });
  });

  it('has not begun when its idempotency key cannot be made', async () => {
    const store = scriptedStore();
    const digest = () => Promise.reject(new Error('no secret'));
    const outcome = await executeOnce(store, KEY, never, { digest });
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'clean', error: { message: 'no secret' } });
    expect((await executeOnce(store, KEY, () => 1)).kind).toBe('executed');
  });
});
