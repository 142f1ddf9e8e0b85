import type { ReceiptStore } from '@holdfast/receipts';
import { openPostgresReceiptStore, type PostgresReceiptStore } from '@holdfast/receipts-postgres';
import pg from 'pg';
import { expectTypeOf } from 'vitest';

const pool = new pg.Pool();
expectTypeOf(openPostgresReceiptStore(pool)).toEqualTypeOf<Promise<PostgresReceiptStore>>();
expectTypeOf(openPostgresReceiptStore(new pg.Client(), { durability: 'B' })).resolves.toExtend<ReceiptStore>();
const store = await openPostgresReceiptStore(await pool.connect(), { schema: 'agents', migrations: 'check' });
const key = { tenantId: 't', runId: 'r', toolName: 'pay', argsHash: 'h' };
const outcome = await store.executeInTransaction(new pg.Client(), key, () => 17);
expectTypeOf(outcome.kind).not.toEqualTypeOf<string>();
expectTypeOf(outcome.kind).toExtend<
  'executed' | 'replayed' | 'gone' | 'busy' | 'ambiguous' | 'rejected' | 'exhausted' | 'aborted'
>();
if (outcome.kind === 'executed') expectTypeOf(outcome.value).toEqualTypeOf<number>();
// @ts-expect-error class C is no choice
openPostgresReceiptStore(pool, { durability: 'C' });
// @ts-expect-error a URL is not a pool
openPostgresReceiptStore('postgres://localhost');
// @ts-expect-error a lost answer ends a transaction, so nothing is sent again in one
store.executeInTransaction(new pg.Client(), key, () => 17, { maxResends: 3 });
