import type { PostgresClient, PostgresQuery } from '@holdfast/receipts-postgres';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import { describe, expect, it } from 'vitest';
import { granted, hasServer, keyOf, newSchema, openPool, request, rewriting } from './support/databases.js';

const KEY = keyOf('paid');
/** A lock of this test's own, at which a claim waits between two readings of its receipt. */
const GATE = process.pid;

describe.skipIf(!hasServer)('a call that is completed while another claim looks at it', () => {
  const pool = openPool({ max: 8 });

  it('is replayed with its result, also between two readings of the function', async () => {
    const schema = pool.dropsLater(newSchema());
    const gated = rewriting(pool, (text) =>
      text.replace('SELECT * INTO r', `PERFORM pg_advisory_xact_lock_shared(${GATE}); SELECT * INTO r`),
    );
    const store = await openPostgresReceiptStore(gated, { schema });
    const claim = await granted(store, 'holder');
    const gate = await pool.connect();
    await gate.query('SELECT pg_advisory_lock($1)', [GATE]);
    const other = store.claim(keyOf('hash'), request('other'));
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted`;
    while ((await gate.query(waiting)).rows.length === 0);
    await store.complete(keyOf('hash'), claim, '"result"');
    await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
    gate.release();
    expect(await other).toEqual({ kind: 'replay', attempt: 1, result: '"result"' });
  });

  it('is replayed with its result, also after waiting in vain for the transaction that held it', async () => {
    const schema = pool.dropsLater(newSchema());
    const holder = await pool.connect();
    let ended: Promise<unknown> | undefined;
    // The transaction ends when the claim has given up waiting and goes to see what is there.
    const late: PostgresClient = {
      query: async (query: PostgresQuery) => {
        if (query.text.includes('AS receipt')) {
          ended ??= holder.query('COMMIT');
          await ended;
        }
        return pool.query(query);
      },
    };
    const store = await openPostgresReceiptStore(late, { schema, lockTimeoutMs: 10 });
    await holder.query('BEGIN');
    await store.executeInTransaction(holder, KEY, () => 'result');
    expect(await store.claim(KEY, request('other'))).toEqual({ kind: 'replay', attempt: 1, result: '"result"' });
    expect(ended).toBeDefined();
    holder.release();
  });
});
