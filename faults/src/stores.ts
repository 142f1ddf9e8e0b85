/** The three databases behind one door, and what the harness does to them without asking the store. */

import { createRequire } from 'node:module';
import type { ReceiptStore } from '@holdfast/receipts';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { openSqliteReceiptStore, type SqliteDatabaseLike } from '@holdfast/receipts-sqlite';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Where receipts are; plain data, for other processes. */
export type Target =
  | { readonly kind: 'sqlite'; readonly path: string; readonly durability: 'A' | 'B'; readonly clock?: 'wall' }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string; readonly timeoutMs?: number }
  | { readonly kind: 'redis'; readonly url: string; readonly prefix: string; readonly timeoutMs?: number };

export interface OpenStore {
  readonly store: ReceiptStore;
  /** Lets all leases run out now, as the hours that a test does not have would. */
  expireLeases(): Promise<void>;
  /** Records a result whatever the receipt says: a store without a fence. */
  overwrite(key: string, result: string): Promise<void>;
  /** Removes the receipts and everything made for them. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store of one lane; `lanes` is how many verbs may be under way on it. */
export async function openStore(target: Target, lanes: number, migrations: 'apply' | 'check'): Promise<OpenStore> {
  switch (target.kind) {
    case 'sqlite':
      return openSqlite(target);
    case 'postgres':
      return openPostgres(target, lanes, migrations);
    case 'redis':
      return openRedis(target);
  }
}

interface Libsql extends SqliteDatabaseLike {
  prepare(sql: string): {
    get(...values: unknown[]): unknown;
    all(...values: unknown[]): unknown[];
    run(...values: unknown[]): { readonly changes: number | bigint };
  };
  close(): void;
}

const require = createRequire(import.meta.url);

function openSqlite(target: Target & { kind: 'sqlite' }): OpenStore {
  const Database = require('libsql') as new (path: string) => Libsql;
  const database = new Database(target.path);
  const clock = target.clock === 'wall' ? { clock: { epoch: 'wall', now: () => Date.now() } } : {};
  const store = openSqliteReceiptStore(database, { durability: target.durability, ...clock });
  return {
    store,
    expireLeases: async () =>
      void database.exec("UPDATE holdfast_receipts SET lease_until = 0 WHERE status = 'running'"),
    overwrite: async (key, result) =>
      void database
        .prepare("UPDATE holdfast_receipts SET status = 'completed', result = ? WHERE args_hash = ?")
        .run(result, key),
    drop: async () => {},
    close: async () => database.close(),
  };
}

async function openPostgres(
  { url, schema, timeoutMs = 10_000 }: Target & { kind: 'postgres' },
  lanes: number,
  migrations: 'apply' | 'check',
): Promise<OpenStore> {
  const pool = new pg.Pool({ connectionString: url, max: lanes, connectionTimeoutMillis: 20_000 });
  pool.on('error', () => {});
  const store = await openPostgresReceiptStore(pool, { schema, migrations, timeoutMs });
  const run = async (text: string, values: string[] = []) => void (await pool.query(text, values));
  return {
    store,
    expireLeases: () =>
      run(`UPDATE ${schema}.holdfast_receipts SET lease_until = clock_timestamp() WHERE status = 'running'`),
    overwrite: (key, result) =>
      run(`UPDATE ${schema}.holdfast_receipts SET status = 'completed', result = $1 WHERE args_hash = $2`, [
        result,
        key,
      ]),
    drop: () => run(`DROP SCHEMA ${schema} CASCADE`),
    close: () => pool.end(),
  };
}

async function openRedis({ url, prefix, timeoutMs = 5_000 }: Target & { kind: 'redis' }): Promise<OpenStore> {
  // Without an offline queue nothing is sent for a caller that has given up; a silent connection is closed in time.
  const client = new Redis(url, {
    enableOfflineQueue: false,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
    socketTimeout: timeoutMs,
  });
  client.on('error', () => {});
  if (client.status !== 'ready') await new Promise((resolve) => client.once('ready', resolve));
  const store = await openRedisReceiptStore(client, { prefix, timeoutMs, durability: 'B' });
  const keys = async () => client.keys(`${prefix}:*`);
  const receipts = async () => (await keys()).filter((key) => !/:(live|spent|schema)$/.test(key));
  return {
    store,
    expireLeases: async () => {
      for (const key of await receipts()) await client.hset(key, 'lease', '0');
    },
    overwrite: async (hash, result) => {
      const found = (await receipts()).find((key) => key.endsWith(`:${hash}`)) as string;
      await client.hset(found, 'status', 'completed', 'text', result);
    },
    drop: async () => {
      for (const key of await keys()) await client.del(key);
    },
    close: async () => client.disconnect(),
  };
}
