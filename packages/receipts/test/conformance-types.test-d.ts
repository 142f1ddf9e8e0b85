import { strict as nodeAssert } from 'node:assert';
import { describe as nodeDescribe, it as nodeIt } from 'node:test';
import type { ReceiptStore } from '@holdfast/receipts';
import {
  type ConformanceCase,
  type OpenedStore,
  RECEIPT_STORE_CASES,
  receiptStoreConformance,
} from '@holdfast/receipts/conformance';
import { describe, it } from 'vitest';

declare const store: ReceiptStore;

// The functions of each runner fit as they are, and a store may be opened at once or later.
receiptStoreConformance({ describe, it }, () => ({ store, other: store }));
receiptStoreConformance({ describe: nodeDescribe, it: nodeIt }, async () => ({ store, other: store }));

RECEIPT_STORE_CASES satisfies readonly ConformanceCase[];
const closing: OpenedStore = {
  store,
  other: store,
  advance: async (ms: number) => nodeAssert(ms),
  close: async () => {},
};
void closing;

// @ts-expect-error without a second connection half of the races prove nothing
receiptStoreConformance({ describe, it }, () => ({ store }));
