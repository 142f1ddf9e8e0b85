/** The tables, version by version. */

import type { Connection } from './connection.js';
import { waitForLock } from './lock.js';
import { SqliteSchemaError } from './sqlite-errors.js';
import { immediately } from './transaction.js';

/**
 * The index has no column that ending an attempt changes, so that a completion writes to the table only. `spent` says that
 * retention has dropped the result.
 *
 * Each entry takes the schema from the version of its index to the next. Released entries never change.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE holdfast_receipts (
    tenant_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'ambiguous', 'rejected')),
    attempts INTEGER NOT NULL,
    effect TEXT NOT NULL CHECK (effect IN ('opaque', 'resumable')),
    token TEXT NOT NULL,
    lease_epoch TEXT NOT NULL,
    lease_until REAL NOT NULL,
    result TEXT,
    error TEXT,
    evidence TEXT,
    resolved INTEGER NOT NULL CHECK (resolved IN (0, 1)),
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0 CHECK (spent IN (0, 1)),
    PRIMARY KEY (tenant_id, run_id, tool_name, args_hash)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE holdfast_receipt_steps (
    tenant_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (tenant_id, run_id, tool_name, args_hash, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX holdfast_receipts_shelf ON holdfast_receipts (spent, created_at);`,
];

/**
 * Brings the schema to the latest version. Many processes may do so at once, and a file that is up to date is only read.
 *
 * @throws {SqliteSchemaError} `ERR_HOLDFAST_SQLITE_SCHEMA` for a file of a newer version.
 */
export function migrate(database: Connection, busyTimeoutMs: number): void {
  if (checkedVersion(database) === MIGRATIONS.length) return;
  waitForLock(busyTimeoutMs, () =>
    immediately(database, () => {
      database.exec('CREATE TABLE IF NOT EXISTS holdfast_receipt_schema (version INTEGER NOT NULL PRIMARY KEY) STRICT');
      for (let version = checkedVersion(database); version < MIGRATIONS.length; version++) {
        database.exec(MIGRATIONS[version] as string);
        database.prepare('INSERT INTO holdfast_receipt_schema (version) VALUES (?)').run(version + 1);
      }
    }),
  );
}

/**
 * Refuses a file whose schema is not the latest version.
 *
 * @throws {SqliteSchemaError} `ERR_HOLDFAST_SQLITE_SCHEMA`
 */
export function checkSchema(database: Connection): void {
  const found = checkedVersion(database);
  if (found !== MIGRATIONS.length) throw new SqliteSchemaError(found, MIGRATIONS.length);
}

function checkedVersion(database: Connection): number {
  const tables = database.prepare('SELECT count(*) AS tables FROM sqlite_schema WHERE name = ?');
  if (Number((tables.get('holdfast_receipt_schema') as { tables: unknown }).tables) === 0) return 0;
  const latest = database.prepare('SELECT coalesce(max(version), 0) AS version FROM holdfast_receipt_schema');
  const version = Number((latest.get() as { version: unknown }).version);
  if (version > MIGRATIONS.length) throw new SqliteSchemaError(version, MIGRATIONS.length);
  return version;
}
