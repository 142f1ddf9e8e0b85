import type { ReceiptStore } from '@holdfast/receipts';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import Libsql from 'libsql';
import { expectTypeOf } from 'vitest';

const database = new Libsql(':memory:');
expectTypeOf(openSqliteReceiptStore(database)).toEqualTypeOf<ReceiptStore>();
expectTypeOf(openSqliteReceiptStore(database, { durability: 'B', busyTimeoutMs: 1 })).toEqualTypeOf<ReceiptStore>();
// @ts-expect-error class C is what a database in memory is, and cannot be asked for
openSqliteReceiptStore(database, { durability: 'C' });
// @ts-expect-error a path is not a database
openSqliteReceiptStore('receipts.db');
