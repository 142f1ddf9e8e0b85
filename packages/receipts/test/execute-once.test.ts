import {
  type EffectContext,
  EffectDidNotHappenError,
  type ExecuteOnceOptions,
  executeOnce,
  ReceiptOptionError,
  toolCallIdempotencyKey,
  toolCallReceiptKeyString,
  VolatileStoreError,
} from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { describe, expect, it, vi } from 'vitest';
import { granted, keyOf, LEASE } from './support/claiming.js';
import { scriptedStore } from './support/scripted-store.js';

const KEY = keyOf('hash');
const never = () => {
  throw new Error('The effect ran.');
};
const resumable = { effect: 'resumable' } as const;

/** A fresh message whose effect does not happen: it only counts. */
function counted<T>(value: T) {
  const contexts: EffectContext[] = [];
  const effect = async (context: EffectContext) => {
    contexts.push(context);
    return value;
  };
  return { effect, contexts };
}

describe('executeOnce', () => {
  it('runs the effect once, and replays its value', async () => {
    const store = scriptedStore();
    const { effect, contexts } = counted({ id: 'message 1' });
    expect(await executeOnce(store, KEY, effect)).toEqual({
      kind: 'executed',
      attempt: 1,
      value: { id: 'message 1' },
      kept: { kind: 'inline' },
    });
    expect(await executeOnce(store, KEY, effect)).toEqual({ kind: 'replayed', attempt: 1, value: { id: 'message 1' } });
    expect(contexts).toHaveLength(1);
  });

  it('needs one claim and one complete, and one claim for a replay', async () => {
    const store = scriptedStore();
    await executeOnce(store, KEY, () => 1);
    expect(store.sent).toEqual(['claim', 'complete']);
    await executeOnce(store, KEY, never);
    expect(store.sent).toEqual(['claim', 'complete', 'claim']);
  });

  it('gives the effect its attempt, its key, a live signal and the idempotency key', async () => {
    const store = scriptedStore();
    await executeOnce(store, KEY, () => Promise.reject(new EffectDidNotHappenError('no network')));
    const { effect, contexts } = counted(1);
    await executeOnce(store, KEY, effect);
    const idempotencyKey = await toolCallIdempotencyKey(KEY);
    expect(contexts[0]).toMatchObject({ attempt: 2, key: KEY, idempotencyKey });
    expect(contexts[0]?.signal.aborted).toBe(false);
  });

  it.each([
    undefined,
    null,
    0,
    '',
    '@holdfast:omitted:x',
    '@holdfast:inline:',
    [],
    { nested: [1, { a: null }] },
    '\u0000\ud800',
  ])('replays %j as it was', async (value) => {
    const store = scriptedStore();
    expect(await executeOnce(store, KEY, () => value)).toMatchObject({ kind: 'executed', kept: { kind: 'inline' } });
    expect(await executeOnce(store, KEY, never)).toEqual({ kind: 'replayed', attempt: 1, value });
  });

  it('uses the serializer that it is given', async () => {
    const store = scriptedStore();
    const options: ExecuteOnceOptions<Map<string, number>> = {
      serialize: (value) => JSON.stringify([...(value as Map<string, number>)]),
      deserialize: (text) => new Map(JSON.parse(text) as [string, number][]),
    };
    await executeOnce(store, KEY, () => new Map([['a', 1]]), options);
    expect(await executeOnce<Map<string, number>>(store, KEY, never, options)).toMatchObject({
      value: new Map([['a', 1]]),
    });
  });

  it.each(['@holdfast:omitted:x', '@holdfast:inline:', '@holdfast:undefined', '@holdfast:'])(
    'does not take the text %s of a serializer for a mark of its own',
    async (value) => {
      const store = scriptedStore();
      const options = { serialize: String, deserialize: String };
      await executeOnce(store, KEY, () => value, options);
      expect(await executeOnce(store, KEY, never, options)).toMatchObject({ kind: 'replayed', value });
    },
  );

  it('reads a result that a person wrote, and says when retention has dropped one', async () => {
    const store = scriptedStore();
    await granted(store.inner, 'a');
    store.advance(LEASE);
    await store.inner.resolve(KEY, 1, { kind: 'happened', result: '{"id":"from the ledger"}' });
    expect(await executeOnce(store, KEY, never)).toMatchObject({ kind: 'replayed', value: { id: 'from the ledger' } });
    await store.inner.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 1_000 });
    expect(await executeOnce(store, KEY, never)).toEqual({ kind: 'gone', attempt: 1, reason: 'retention' });
  });

  it('says that another attempt is live', async () => {
    const store = scriptedStore();
    await granted(store.inner, 'a');
    expect(await executeOnce(store, KEY, never)).toMatchObject({ kind: 'busy', attempt: 1, remainingMs: LEASE });
  });

  it('runs no opaque effect on a volatile store without a yes', async () => {
    const store = createMemoryReceiptStore();
    const refused = executeOnce(store, KEY, never);
    await expect(refused).rejects.toBeInstanceOf(VolatileStoreError);
    await expect(refused).rejects.toMatchObject({ code: 'ERR_HOLDFAST_VOLATILE_STORE' });
    expect((await store.list()).receipts).toEqual([]);
    expect((await executeOnce(store, KEY, () => 1, { allowVolatile: true })).kind).toBe('executed');
    expect((await executeOnce(store, keyOf('other'), () => 1, resumable)).kind).toBe('executed');
  });

  it('refuses a key without one of its parts', async () => {
    const { tenantId: _, ...partial } = KEY;
    await expect(executeOnce(scriptedStore(), partial as typeof KEY, never)).rejects.toMatchObject({
      code: 'ERR_HOLDFAST_RECEIPT_KEY',
    });
  });

  it.each<[keyof ExecuteOnceOptions<unknown>, unknown]>([
    ['effect', 'idempotent'],
    ['leaseMs', 0],
    ['leaseMs', 86_400_001],
    ['maxAttempts', 0],
    ['whenBusy', 'queue'],
    ['waitLimitMs', -1],
    ['maxResultChars', Number.NaN],
    ['maxResends', 1.5],
    ['resendDelayMs', Number.POSITIVE_INFINITY],
    ['resendDelayMs', 2_001],
    ['reconcile', 'unknown'],
    ['classifyError', 'clean'],
    ['describeError', 'failed'],
    ['serialize', JSON],
    ['deserialize', JSON],
    ['digest', 'sha256'],
    ['newToken', 'token'],
    ['now', 0],
    ['signal', { aborted: false }],
    ['signal', { aborted: false, addEventListener: never }],
    ['signal', false],
    ['signal', ''],
    ['offload', false],
    ['offload', { save: never }],
    ['offload', { load: never }],
  ])('refuses %s: %s before it asks the store', async (field, value) => {
    const store = scriptedStore();
    const refused = executeOnce(store, KEY, never, { [field]: value });
    await expect(refused).rejects.toBeInstanceOf(ReceiptOptionError);
    await expect(refused).rejects.toMatchObject({ field, value });
    expect(store.sent).toEqual([]);
  });

  it.each(['signal', 'offload', 'reconcile', 'whenBusy', 'now'])('takes null for no %s', async (field) => {
    expect(await executeOnce(scriptedStore(), KEY, () => 1, { [field]: null })).toMatchObject({ kind: 'executed' });
  });

  it('reads each option once, also an inherited one', async () => {
    const read: string[] = [];
    const defaults: ExecuteOnceOptions<number> = {
      get leaseMs() {
        read.push('leaseMs');
        return 1_000;
      },
      get signal() {
        read.push('signal');
        return AbortSignal.abort('stop');
      },
    };
    expect(await executeOnce(scriptedStore(), KEY, never, Object.create(defaults))).toMatchObject({ kind: 'aborted' });
    expect(read).toEqual(['leaseMs', 'signal']);
  });

  it('refuses an effect that cannot be called, and leaves no receipt of it', async () => {
    const store = scriptedStore();
    const refused = executeOnce(store, KEY, undefined as unknown as typeof never);
    await expect(refused).rejects.toMatchObject({ code: 'ERR_HOLDFAST_RECEIPT_OPTION', field: 'effect' });
    expect(store.sent).toEqual([]);
  });

  it('finds its receipt again when the caller has put another key into the same object', async () => {
    const store = scriptedStore();
    const key = { ...keyOf('first') };
    const outcome = await executeOnce(store, key, (context) => {
      key.argsHash = 'second';
      expect(Reflect.set(context.key, 'argsHash', 'third')).toBe(false);
      return context.key.argsHash;
    });
    expect(outcome).toMatchObject({ kind: 'executed', value: 'first' });
    expect(await executeOnce(store, keyOf('first'), never)).toMatchObject({ kind: 'replayed', value: 'first' });
  });

  it('says what to do about a result that it cannot read, and runs nothing', async () => {
    const store = scriptedStore();
    await granted(store.inner, 'a');
    store.advance(LEASE);
    await store.inner.resolve(KEY, 1, { kind: 'happened', result: 'sent by hand' });
    const refused = executeOnce(store, KEY, never);
    await expect(refused).rejects.toMatchObject({ field: 'deserialize', cause: { name: 'SyntaxError' } });
    await expect(refused).rejects.toThrow(/has happened/);
    const deserialize = (text: string) => text;
    expect(await executeOnce(store, KEY, never, { deserialize })).toMatchObject({ value: 'sent by hand' });
  });

  it('refuses what is no store, such as one that was not awaited, before anything else', async () => {
    const unopened = Promise.resolve(createMemoryReceiptStore());
    for (const store of [unopened, {}, null, undefined] as unknown as ReturnType<typeof scriptedStore>[]) {
      const refused = executeOnce(store, KEY, never, { ...resumable, allowVolatile: true });
      await expect(refused).rejects.toMatchObject({ code: 'ERR_HOLDFAST_RECEIPT_OPTION', field: 'store' });
      await expect(refused).rejects.toThrow(/await its opening/);
    }
  });

  it('refuses a key, a policy and a verdict that are not there', async () => {
    const nothing = undefined as never;
    const store = createMemoryReceiptStore();
    const noKey = { code: 'ERR_HOLDFAST_RECEIPT_KEY', part: 'tenantId' };
    await expect(executeOnce(store, nothing, never, { allowVolatile: true })).rejects.toMatchObject(noKey);
    await expect(store.read(nothing)).rejects.toMatchObject(noKey);
    expect(() => toolCallReceiptKeyString(nothing)).toThrow(expect.objectContaining(noKey));
    await expect(store.collect(nothing)).rejects.toMatchObject({ field: 'dropResultsAfterMs' });
    await expect(store.resolve(KEY, 1, nothing)).rejects.toMatchObject({ field: 'verdict' });
  });

  it('needs a source of tokens', async () => {
    vi.stubGlobal('crypto', undefined);
    try {
      const refused = executeOnce(scriptedStore(), KEY, never);
      await expect(refused).rejects.toMatchObject({ field: 'newToken' });
      await expect(refused).rejects.toThrow(/no crypto.randomUUID/);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('takes a new token when its own was granted and settled without it', async () => {
    const store = scriptedStore();
    const tokens = ['ghost', 'fresh'];
    await store.inner.fail(KEY, await granted(store.inner, 'ghost'), { kind: 'clean', error: 'no' });
    const outcome = await executeOnce(store, KEY, ({ attempt }) => attempt, {
      newToken: () => tokens.shift() as string,
    });
    expect(outcome).toMatchObject({ kind: 'executed', value: 2 });
    const other = keyOf('other');
    await store.inner.fail(other, await granted(store.inner, 'same', {}, other), { kind: 'clean', error: 'no' });
    await expect(executeOnce(store, other, never, { newToken: () => 'same' })).rejects.toMatchObject({
      field: 'newToken',
    });
  });
});
