import { type ExecuteOnceOutcome, executeOnce } from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';
import { keyOf } from './support/claiming.js';
import { scriptedStore } from './support/scripted-store.js';

const KEY = keyOf('hash');
const never = () => {
  throw new Error('The effect ran.');
};

describe('a result that the store cannot keep', () => {
  const large = 'x'.repeat(300_000);

  it('does not fail the receipt: later calls hear that it is gone', async () => {
    const store = scriptedStore();
    const outcome = await executeOnce(store, KEY, () => large);
    expect(outcome).toMatchObject({ kind: 'executed', value: large, kept: { kind: 'omitted', reason: 'too-large' } });
    expect(await executeOnce(store, KEY, never)).toEqual({ kind: 'gone', attempt: 1, reason: 'omitted' });
  });

  it('is kept up to the limit, to the character', async () => {
    const store = scriptedStore();
    const kept = async (length: number) => {
      const outcome = await executeOnce(store, keyOf(String(length)), () => 'x'.repeat(length), { maxResultChars: 12 });
      return (outcome as ExecuteOnceOutcome<string> & { kind: 'executed' }).kept.kind;
    };
    expect([await kept(10), await kept(11)]).toEqual(['inline', 'omitted']);
    expect(await executeOnce(store, keyOf('262142'), () => 'x'.repeat(262_142))).toMatchObject({
      kept: { kind: 'inline' },
    });
    expect(await executeOnce(store, keyOf('262143'), () => 'x'.repeat(262_143))).toMatchObject({
      kept: { kind: 'omitted' },
    });
  });

  it('goes to the offload hook, and comes back from it', async () => {
    const store = scriptedStore();
    const blobs = new Map<string, string>();
    const offload = {
      save: async (text: string) => {
        blobs.set('blob 1', text);
        return 'blob 1';
      },
      load: async (reference: string) => blobs.get(reference) as string,
    };
    const options = { maxResultChars: 10, offload };
    expect(await executeOnce(store, KEY, () => large, options)).toMatchObject({ kept: { kind: 'offloaded' } });
    expect(await executeOnce(store, KEY, never, options)).toMatchObject({ kind: 'replayed', value: large });
    await expect(executeOnce(store, KEY, never)).rejects.toMatchObject({ field: 'offload' });
  });

  it('is not kept when the hook fails, and the outcome says why', async () => {
    const cause = new Error('bucket is gone');
    const load = async () => '';
    const failing = { save: () => Promise.reject(cause), load };
    const outcome = await executeOnce(scriptedStore(), KEY, () => large, { offload: failing });
    expect(outcome).toMatchObject({ kind: 'executed', kept: { kind: 'omitted', reason: 'offload-failed', cause } });
    const rambling = { save: async () => 'x'.repeat(4_001), load };
    expect(await executeOnce(scriptedStore(), KEY, () => large, { offload: rambling })).toMatchObject({
      kept: { kind: 'omitted', reason: 'offload-failed', cause: { field: 'offload.save' } },
    });
  });

  it.each<[string, unknown]>([
    ['a bigint', 10n],
    ['a function', () => 1],
    ['a cycle', Object.assign([] as unknown[], { 0: [] as unknown[] }).map((_, __, all) => all)],
  ])('may be %s, which has happened all the same', async (_, value) => {
    const store = scriptedStore();
    if (Array.isArray(value)) value.push(value);
    expect(await executeOnce(store, KEY, () => value)).toMatchObject({
      kind: 'executed',
      kept: { kind: 'omitted', reason: 'not-serializable' },
    });
    expect((await executeOnce(store, KEY, never)).kind).toBe('gone');
  });
});
