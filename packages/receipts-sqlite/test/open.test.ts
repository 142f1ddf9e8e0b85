import { existsSync, readFileSync, statSync } from 'node:fs';
import { executeOnce, VolatileStoreError } from '@holdfast/receipts';
import {
  bootClock,
  openSqliteReceiptStore,
  SqliteJournalModeError,
  type SqliteReceiptStoreOptions,
  SqliteSchemaError,
  SqliteTransactionError,
} from '@holdfast/receipts-sqlite';
import { describe, expect, it, vi } from 'vitest';
import { granted, keyOf, LEASE, request } from '../../receipts/test/support/claiming.js';
import {
  hasNodeSqlite,
  type OpenDatabase,
  opened,
  openLibsql,
  openNodeSqlite,
  stillClock,
  temporaryFile,
} from './support/databases.js';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const hasBootId = existsSync(BOOT_ID);
const KEY = keyOf('hash');
const resumable = { effect: 'resumable' } as const;

function storeOn(open: OpenDatabase): void {
  it('is of class A with a full sync, and of class B with a normal one', () => {
    const database = opened(open, temporaryFile());
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0] as unknown;
    expect(openSqliteReceiptStore(database).durability).toBe('A');
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('busy_timeout')]).toEqual(['wal', 2, 5_000]);
    expect(openSqliteReceiptStore(database, { durability: 'B', busyTimeoutMs: 70 }).durability).toBe('B');
    expect([pragma('synchronous'), pragma('busy_timeout')]).toEqual([1, 70]);
  });

  it('is of class C in memory, where an opaque effect needs an explicit yes', async () => {
    const store = openSqliteReceiptStore(opened(open, ':memory:'));
    expect(store.durability).toBe('C');
    await expect(executeOnce(store, KEY, () => 1)).rejects.toBeInstanceOf(VolatileStoreError);
  });

  it('keeps receipts after closing, and needs no second migration', async () => {
    const path = temporaryFile();
    const first = open(path);
    const store = openSqliteReceiptStore(first);
    await store.complete(KEY, await granted(store, 'a'), 'done');
    first.close();
    const size = statSync(path).size;
    const again = openSqliteReceiptStore(opened(open, path));
    expect(await again.claim(KEY, request('b'))).toEqual({ kind: 'replay', attempt: 1, result: 'done' });
    expect(statSync(path).size).toBe(size);
  });

  it('refuses a file of a newer version, and leaves it alone', () => {
    const database = opened(open, temporaryFile());
    openSqliteReceiptStore(database);
    database.exec('INSERT INTO holdfast_receipt_schema (version) VALUES (9)');
    expect(() => openSqliteReceiptStore(database)).toThrow(SqliteSchemaError);
    expect(() => openSqliteReceiptStore(database)).toThrow(/version 9/);
    try {
      openSqliteReceiptStore(database);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ERR_HOLDFAST_SQLITE_SCHEMA', found: 9, supported: 1 });
    }
  });

  it('only looks, where it is told to: changes no file, and refuses one without receipts', async () => {
    const path = temporaryFile();
    const database = opened(open, path);
    const refused = { code: 'ERR_HOLDFAST_SQLITE_SCHEMA', found: 0, supported: 1 };
    database.exec('CREATE TABLE theirs (a)');
    const bytes = readFileSync(path);
    expect(() => openSqliteReceiptStore(database, { migrations: 'check' })).toThrow(expect.objectContaining(refused));
    expect(readFileSync(path).equals(bytes)).toBe(true);
    await granted(openSqliteReceiptStore(database), 'a');
    const looking = opened(open, path);
    looking.exec('PRAGMA query_only = ON');
    const store = openSqliteReceiptStore(looking, { migrations: 'check' });
    expect(await store.read(KEY)).toMatchObject({ status: 'running' });
    await expect(store.claim(keyOf('other'), request('b'))).rejects.toThrow(/readonly/);
  });

  it('refuses to open, claim or write inside a transaction of the host', async () => {
    const path = temporaryFile();
    const database = opened(open, path);
    const store = openSqliteReceiptStore(database);
    const claim = await granted(store, 'a');
    database.exec('BEGIN');
    const refused = { code: 'ERR_HOLDFAST_SQLITE_TRANSACTION' };
    expect(() => openSqliteReceiptStore(database)).toThrow(SqliteTransactionError);
    await expect(store.claim(KEY, request('b'))).rejects.toMatchObject(refused);
    await expect(store.complete(KEY, claim, 'done')).rejects.toMatchObject(refused);
    await expect(store.step(KEY, claim, LEASE, 'one', '1')).rejects.toMatchObject(refused);
    database.exec('ROLLBACK');
    expect(await store.complete(KEY, claim, 'done')).toEqual({ kind: 'ok' });
  });

  it('does so too on a driver that does not say whether a transaction is open', async () => {
    const told = opened(open, temporaryFile());
    const database = { exec: (sql: string) => told.exec(sql), prepare: (sql: string) => told.prepare(sql) };
    const store = openSqliteReceiptStore(database);
    const claim = await granted(store, 'a');
    database.exec('BEGIN');
    const refused = { code: 'ERR_HOLDFAST_SQLITE_TRANSACTION' };
    expect(() => openSqliteReceiptStore(database)).toThrow(SqliteTransactionError);
    await expect(store.claim(keyOf('new'), request('b'))).rejects.toMatchObject(refused);
    await expect(store.complete(KEY, claim, 'done')).rejects.toMatchObject(refused);
    await expect(store.fail(KEY, claim, { kind: 'clean', error: 'no' })).rejects.toMatchObject(refused);
    await expect(store.step(KEY, claim, LEASE, 'one', '1')).rejects.toMatchObject(refused);
    database.exec('ROLLBACK');
    expect(await store.complete(KEY, claim, 'done')).toEqual({ kind: 'ok' });
    expect((await store.list()).receipts).toMatchObject([{ status: 'completed' }]);
  });

  it('refuses a connection that gives rows as lists', () => {
    const database = opened(open, temporaryFile());
    const lists = {
      exec: (sql: string) => database.exec(sql),
      prepare: (sql: string) => ({ ...database.prepare(sql), get: () => ['wal'] }),
    };
    const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION', field: 'database' };
    expect(() => openSqliteReceiptStore(lists)).toThrow(expect.objectContaining(refused));
  });

  it('answers replays and waits while another process holds the write lock', async () => {
    const path = temporaryFile();
    const store = openSqliteReceiptStore(opened(open, path), { busyTimeoutMs: 0 });
    await store.complete(KEY, await granted(store, 'a'), 'done');
    await granted(store, 'b', {}, keyOf('live'));
    const writer = opened(open, path);
    writer.exec('BEGIN IMMEDIATE');
    expect((await store.claim(KEY, request('c'))).kind).toBe('replay');
    expect((await store.claim(keyOf('live'), request('c'))).kind).toBe('wait');
    expect((await store.list()).receipts).toHaveLength(2);
    expect(await store.collect({ dropResultsAfterMs: 1e9, removeKeysAfterMs: 1e9 })).toMatchObject({ more: false });
    await expect(store.claim(keyOf('new'), request('c'))).rejects.toThrow(/locked/);
    writer.exec('ROLLBACK');
    expect((await store.claim(keyOf('new'), request('c'))).kind).toBe('execute');
  });

  it('shows no live lease as expired when it is renewed while a claim reads', async () => {
    const path = temporaryFile();
    const { clock, advance } = stillClock();
    const holder = openSqliteReceiptStore(opened(open, path), { clock });
    const claim = await granted(holder, 'a');
    advance(LEASE - 1);
    let renewed: Promise<unknown> | undefined;
    const pausing = {
      epoch: clock.epoch,
      now() {
        if (renewed === undefined) {
          renewed = holder.renew(KEY, claim, LEASE);
          advance(LEASE - 1);
        }
        return clock.now();
      },
    };
    const other = openSqliteReceiptStore(opened(open, path), { clock: pausing });
    expect((await other.claim(KEY, request('b'))).kind).toBe('wait');
    expect(await renewed).toEqual({ kind: 'ok' });
  });

  it('gives up opening when another connection keeps the file locked', () => {
    const path = temporaryFile();
    const writer = opened(open, path);
    writer.exec('BEGIN IMMEDIATE; CREATE TABLE theirs (a)');
    expect(() => openSqliteReceiptStore(opened(open, path), { busyTimeoutMs: 20 })).toThrow(/locked/);
    writer.exec('COMMIT');
    expect(openSqliteReceiptStore(opened(open, path), { busyTimeoutMs: 20 }).durability).toBe('A');
  });

  it('takes a failed verb back whole', async () => {
    const database = opened(open, temporaryFile());
    const { clock, advance } = stillClock();
    const store = openSqliteReceiptStore(database, { clock });
    const claim = await granted(store, 'a', resumable);
    advance(LEASE - 1);
    database.exec(
      `CREATE TRIGGER full BEFORE INSERT ON holdfast_receipt_steps BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
    await expect(store.step(KEY, claim, LEASE, 'one', '1')).rejects.toThrow(/disk full/);
    advance(1);
    expect(await store.claim(KEY, request('b', resumable))).toMatchObject({
      kind: 'execute',
      attempt: 2,
      steps: new Map(),
    });
  });

  it('collects the journal with the result', async () => {
    const database = opened(open, temporaryFile());
    const store = openSqliteReceiptStore(database);
    const steps = () => database.prepare('SELECT * FROM holdfast_receipt_steps').all().length;
    const claim = await granted(store, 'a', resumable);
    await store.step(KEY, claim, LEASE, 'one', '1');
    await store.complete(KEY, claim, 'done');
    expect(steps()).toBe(1);
    await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 1e9 });
    expect(steps()).toBe(0);
  });

  it('ends every lease with the boot that it was taken in', async () => {
    const path = temporaryFile();
    const before = openSqliteReceiptStore(opened(open, path), { clock: { epoch: 'boot 1', now: () => 1_000_000 } });
    await granted(before, 'a', resumable);
    await granted(before, 'b', {}, keyOf('opaque'));
    const after = openSqliteReceiptStore(opened(open, path), { clock: { epoch: 'boot 2', now: () => 5 } });
    expect((await after.list({ status: 'expired' })).receipts).toMatchObject([{ key: KEY, remainingMs: 0 }]);
    expect((await after.list({ status: 'ambiguous' })).receipts).toMatchObject([{ key: keyOf('opaque') }]);
    expect((await after.list({ status: 'running' })).receipts).toEqual([]);
    expect(await after.resolve(keyOf('opaque'), 1, { kind: 'did-not-happen' })).toEqual({ kind: 'ok' });
    expect((await granted(after, 'c', resumable)).attempt).toBe(2);
    expect((await after.list({ status: 'running' })).receipts).toMatchObject([{ key: KEY, remainingMs: LEASE }]);
  });
}

describe('on libsql', () => storeOn(openLibsql));
describe.skipIf(!hasNodeSqlite)('on node:sqlite (needs Node 22)', () => storeOn(openNodeSqlite));

describe('openSqliteReceiptStore', () => {
  it('steals no lease when the wall clock is set forward', async () => {
    const store = openSqliteReceiptStore(opened(openLibsql, temporaryFile()));
    await granted(store, 'a', { ...resumable, leaseMs: 60_000 });
    const real = Date.now;
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000);
    try {
      expect((await store.claim(KEY, request('b', resumable))).kind).toBe(hasBootId ? 'wait' : 'execute');
    } finally {
      spy.mockRestore();
    }
  });

  it('refuses a database without write-ahead logging', () => {
    const database = opened(openLibsql, temporaryFile());
    const prepare = database.prepare.bind(database);
    const stuck = {
      exec: database.exec.bind(database),
      prepare: (sql: string) =>
        prepare(sql.startsWith('PRAGMA journal_mode') ? `SELECT 'delete' AS journal_mode` : sql),
    };
    expect(() => openSqliteReceiptStore(stuck)).toThrow(SqliteJournalModeError);
    expect(() => openSqliteReceiptStore(stuck)).toThrow(/stays in delete/);
  });

  it('reads numbers also from a connection that gives bigints', async () => {
    const database = openLibsql(':memory:') as ReturnType<typeof openLibsql> & {
      defaultSafeIntegers(on: boolean): void;
    };
    database.defaultSafeIntegers(true);
    const store = openSqliteReceiptStore(database);
    expect((await granted(store, 'a')).attempt).toBe(1);
    const { receipts } = await store.list();
    expect(receipts).toMatchObject([{ attempt: 1 }]);
    expect(typeof receipts[0]?.ageMs).toBe('number');
    database.close();
  });

  it.each<[string, SqliteReceiptStoreOptions]>([
    ['durability', { durability: 'C' as 'A' }],
    ['migrations', { migrations: 'none' as 'check' }],
    ['busyTimeoutMs', { busyTimeoutMs: -1 }],
    ['busyTimeoutMs', { busyTimeoutMs: '1; DROP TABLE x' as unknown as number }],
  ])('refuses a bad %s', (field, options) => {
    const database = opened(openLibsql, ':memory:');
    expect(() => openSqliteReceiptStore(database, options)).toThrow(expect.objectContaining({ field }));
  });
});

it.each([undefined, null, 'receipts.db', {}])('refuses %j for a database', (database) => {
  const refusal = expect.objectContaining({ code: 'ERR_HOLDFAST_RECEIPT_OPTION', field: 'database' });
  expect(() => openSqliteReceiptStore(database as never)).toThrow(refusal);
});

describe('bootClock', () => {
  it('names the boot where the system does', () => {
    const epoch = hasBootId ? readFileSync(BOOT_ID, 'utf8').trim() : 'wall';
    expect(bootClock().epoch).toBe(epoch);
  });

  it('is the same for every reader, and does not fall', () => {
    const [one, other] = [bootClock(), bootClock()];
    expect(one.epoch).toBe(other.epoch);
    const readings = [one.now(), other.now(), one.now(), other.now()];
    expect(readings).toEqual([...readings].sort((a, b) => a - b));
  });
});
