/** The drivers that are here, and databases that are gone after the test. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LeaseClock, SqliteDatabaseLike } from '@holdfast/receipts-sqlite';
import { onTestFinished } from 'vitest';

export interface Database extends SqliteDatabaseLike {
  prepare(sql: string): {
    get(...values: unknown[]): unknown;
    all(...values: unknown[]): unknown[];
    run(...values: unknown[]): { readonly changes: number | bigint };
  };
  close(): void;
}

export type OpenDatabase = (path: string) => Database;

const require = createRequire(import.meta.url);

/**
 * libsql offers the calls of better-sqlite3 and stands in for it, which needs a compiler or GitHub to be installed.
 * `npm run test:better-sqlite3` names the real one in the environment.
 */
export const openLibsql: OpenDatabase = (path) => {
  const Driver = require(process.env['HOLDFAST_BETTER_SQLITE3'] ?? 'libsql') as new (path: string) => Database;
  return new Driver(path);
};

/** From Node 22 on; a stand-in would prove nothing, so its tests are skipped on Node 20. */
export const hasNodeSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;

export const openNodeSqlite: OpenDatabase = (path) => {
  const { DatabaseSync } = require('node:sqlite') as { DatabaseSync: new (path: string) => Database };
  return new DatabaseSync(path);
};

/** A path for a new database file in a directory of its own. */
export function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'receipts-sqlite-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'receipts.db');
}

export function opened(open: OpenDatabase, path: string): Database {
  const database = open(path);
  onTestFinished(() => database.close());
  return database;
}

/** A clock and a calendar that stand still until they are moved. */
export function stillClock(start = 5_000) {
  let now = start;
  const clock: LeaseClock = { epoch: 'boot', now: () => now };
  const advance = (ms: number) => {
    now += ms;
  };
  return { clock, calendar: () => now, advance };
}
