import { ConformanceError, RECEIPT_STORE_CASES, receiptStoreConformance } from '@holdfast/receipts/conformance';
import { describe, expect, it } from 'vitest';
import { openBroken } from './support/breakable-store.js';
import { BROKEN_STORES } from './support/broken-stores.js';

describe('the store that the broken ones are made of', () => {
  receiptStoreConformance({ describe, it }, () => openBroken(() => ({})));
});

describe('a broken store', () => {
  it('is there for every case, and for no other', () => {
    expect(Object.keys(BROKEN_STORES).sort()).toEqual(RECEIPT_STORE_CASES.map(({ id }) => id).sort());
  });

  for (const [id, change] of Object.entries(BROKEN_STORES)) {
    it(`fails ${id}, and nothing else`, async () => {
      const failed: string[] = [];
      for (const each of RECEIPT_STORE_CASES) {
        await each
          .run(() => openBroken(change))
          .catch((error: unknown) => {
            if (!ConformanceError.isInstance(error)) throw error;
            failed.push(each.id);
          });
      }
      expect(failed).toEqual([id]);
    });
  }
});
