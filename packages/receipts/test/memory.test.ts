import { receiptStoreConformance } from '@holdfast/receipts/conformance';
import { createMemoryReceiptStore, MemoryStoreFullError } from '@holdfast/receipts/memory';
import { describe, expect, it, vi } from 'vitest';
import { granted, keyOf, request } from './support/claiming.js';

function open() {
  let now = 5_000;
  const store = createMemoryReceiptStore({ now: () => now });
  const advance = (ms: number) => {
    now += ms;
  };
  return { store, advance };
}

describe('the memory store', () => {
  receiptStoreConformance({ describe, it }, () => {
    const { store, advance } = open();
    return { store, other: store, advance };
  });
});

describe('the memory store, on a clock that nobody moves', () => {
  receiptStoreConformance({ describe, it }, () => {
    const store = createMemoryReceiptStore();
    return { store, other: store };
  });
});

describe('createMemoryReceiptStore', () => {
  it('is of durability class C', () => {
    expect(createMemoryReceiptStore().durability).toBe('C');
  });

  it('uses the monotonic clock of the runtime', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    try {
      const store = createMemoryReceiptStore();
      await granted(store, 'a', { effect: 'resumable' });
      vi.setSystemTime(Date.now() + 3_600_000);
      expect((await store.claim(keyOf('hash'), request('b', { effect: 'resumable' }))).kind).toBe('wait');
      vi.advanceTimersByTime(1_000);
      expect((await store.claim(keyOf('hash'), request('b', { effect: 'resumable' }))).kind).toBe('execute');
    } finally {
      vi.useRealTimers();
    }
  });

  it('refuses a new key when it is full, and forgets none', async () => {
    let now = 0;
    const store = createMemoryReceiptStore({ maxReceipts: 2, now: () => now });
    await store.complete(keyOf('1'), await granted(store, 'a', {}, keyOf('1')), 'done');
    await granted(store, 'b', {}, keyOf('2'));
    const refused = store.claim(keyOf('3'), request('c'));
    await expect(refused).rejects.toBeInstanceOf(MemoryStoreFullError);
    await expect(refused).rejects.toMatchObject({ code: 'ERR_HOLDFAST_MEMORY_STORE_FULL', maxReceipts: 2 });
    expect((await store.claim(keyOf('1'), request('c'))).kind).toBe('replay');
    now += 1;
    await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 });
    expect((await store.claim(keyOf('3'), request('c'))).kind).toBe('execute');
  });

  it('drops the journal with the result', async () => {
    const { store } = open();
    const claim = await granted(store, 'a', { effect: 'resumable' });
    await store.step(keyOf('hash'), claim, 1_000, 'one', '1');
    await store.complete(keyOf('hash'), claim, 'done');
    expect((await store.read(keyOf('hash')))?.steps).toEqual(new Map([['one', '1']]));
    await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 1_000 });
    expect(await store.read(keyOf('hash'))).toMatchObject({ status: 'gone', steps: new Map() });
  });

  it('holds 100,000 receipts by default, and refuses a limit that is none', () => {
    expect(() => createMemoryReceiptStore({ maxReceipts: 0 })).toThrow(/whole number from 1/);
    expect(() => createMemoryReceiptStore({ maxReceipts: Number.NaN })).toThrow(/maxReceipts/);
  });

  it('takes no cursor but its own', async () => {
    const { store } = open();
    await granted(store, 'a');
    for (const after of ['', '-1.0', ' 0', '1e0', '9', 'one']) {
      await expect(store.list({ after })).rejects.toMatchObject({ field: 'after', value: after });
    }
  });

  it('hands out its own copies', async () => {
    const { store } = open();
    const key = { ...keyOf('hash') };
    const claim = await granted(store, 'a', { effect: 'resumable' }, key);
    const again = await store.claim(key, request('a', { effect: 'resumable' }));
    (key as { argsHash: string }).argsHash = 'other';
    if (again.kind === 'execute') (again.steps as Map<string, string>).set('forged', '1');
    expect(await store.step(keyOf('hash'), claim, 1_000, 'one', '1')).toEqual({ kind: 'ok' });
    expect(await store.claim(keyOf('hash'), request('a'))).toMatchObject({ steps: new Map([['one', '1']]) });
    expect((await store.list()).receipts[0]?.key).toEqual(keyOf('hash'));
  });
});
