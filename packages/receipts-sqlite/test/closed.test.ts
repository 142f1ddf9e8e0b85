import { executeOnce } from '@holdfast/receipts';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { expect, it } from 'vitest';
import { hasNodeSqlite, openLibsql, openNodeSqlite } from './support/databases.js';

const key = { tenantId: 'acme', runId: 'run', toolName: 'send', argsHash: 'hash' };
const closed = { code: 'ERR_HOLDFAST_SQLITE_CLOSED' };

const drivers = { libsql: openLibsql, ...(hasNodeSqlite && { 'node:sqlite': openNodeSqlite }) };

it.each(Object.entries(drivers))(
  'says that the database is closed, where libsql would end the process: %s',
  async (_, open) => {
    const database = open(':memory:');
    const store = openSqliteReceiptStore(database);
    const close = () => {
      database.close();
      return 'sent';
    };
    const options = { allowVolatile: true, resendDelayMs: 0 };
    expect(await executeOnce(store, key, close, options)).toMatchObject({
      kind: 'unrecorded',
      value: 'sent',
      cause: closed,
    });
    await expect(executeOnce(store, { ...key, runId: 'next' }, () => 'sent', options)).rejects.toMatchObject(closed);
    const claim = { attempt: 1, token: 'token' };
    await expect(store.renew(key, claim, 1_000)).rejects.toMatchObject(closed);
    await expect(store.step(key, claim, 1_000, 'step', '1')).rejects.toMatchObject(closed);
    await expect(store.fail(key, claim, { kind: 'clean', error: 'no' })).rejects.toMatchObject(closed);
    await expect(store.resolve(key, 1, { kind: 'did-not-happen' })).rejects.toMatchObject(closed);
  },
);
