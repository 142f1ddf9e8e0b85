/** Opening a store on the host's database. */

import type { DurabilityClass, ReceiptStore } from '@holdfast/receipts';
import { ReceiptOptionError } from '@holdfast/receipts/store';
import { bootClock, type LeaseClock } from './boot-clock.js';
import { type Connection, connectionOf } from './connection.js';
import { waitForLock } from './lock.js';
import { checkSchema, migrate } from './migrations.js';
import type { SqliteDatabaseLike } from './sqlite-database.js';
import { SqliteJournalModeError } from './sqlite-errors.js';
import { SqliteReceiptStore } from './sqlite-receipt-store.js';
import { execOutside, refuseOpenTransaction } from './transaction.js';

/** Options of {@link openSqliteReceiptStore}. */
export interface SqliteReceiptStoreOptions {
  /**
   * `'A'` (default) sets `synchronous=FULL`: a receipt is on the disk before its effect begins. `'B'` sets `NORMAL`: the
   * last moments before a power loss may vanish, and with them the knowledge of an effect.
   */
  readonly durability?: 'A' | 'B';
  /**
   * `'apply'` (default) creates and upgrades the tables. `'check'` changes nothing of the file, and refuses one that has no
   * receipts, an older schema, or no write-ahead log; a connection that can only read will do.
   */
  readonly migrations?: 'apply' | 'check';
  /**
   * Longest wait for another writer, default 5,000 ms. SQLite waits on the thread, so timers do not run meanwhile; keep
   * it below a third of the lease.
   */
  readonly busyTimeoutMs?: number;
  /** The clock of the leases. Default {@link bootClock}. */
  readonly clock?: LeaseClock;
  /** The calendar by which receipts age for `list` and `collect`, in milliseconds. Default `Date.now`. */
  readonly calendar?: () => number;
}

/**
 * Opens the store on a database that the host has opened with better-sqlite3 12, libsql or node:sqlite, and that it
 * closes. Sets write-ahead logging, the busy timeout and the synchronous mode of the connection, and creates or upgrades
 * the tables (`holdfast_receipts`, `holdfast_receipt_steps`, `holdfast_receipt_schema`). Give the store a connection of
 * its own; any number of processes of one machine may open the same file.
 *
 * An in-memory database makes a store of durability class C.
 *
 * @throws {SqliteSchemaError} `ERR_HOLDFAST_SQLITE_SCHEMA` for a file of a newer version, or with `migrations: 'check'` for
 * one that is not up to date.
 * @throws {SqliteJournalModeError} `ERR_HOLDFAST_SQLITE_JOURNAL_MODE` when the database cannot use write-ahead logging.
 * @throws {SqliteTransactionError} `ERR_HOLDFAST_SQLITE_TRANSACTION` inside a transaction of the host.
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an unusable database or option.
 */
export function openSqliteReceiptStore(
  database: SqliteDatabaseLike,
  options: SqliteReceiptStoreOptions = {},
): ReceiptStore {
  const { durability = 'A', migrations = 'apply', busyTimeoutMs = 5_000 } = options;
  const { clock = bootClock(), calendar = () => Date.now() } = options;
  if (durability !== 'A' && durability !== 'B') throw new ReceiptOptionError('durability', durability, "'A' or 'B'");
  if (migrations !== 'apply' && migrations !== 'check') {
    throw new ReceiptOptionError('migrations', migrations, "'apply' or 'check'");
  }
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0 || busyTimeoutMs > 600_000) {
    throw new ReceiptOptionError('busyTimeoutMs', busyTimeoutMs, 'a whole number of milliseconds from 0 to 600,000');
  }
  if (typeof database?.prepare !== 'function' || typeof database.exec !== 'function') {
    throw new ReceiptOptionError(
      'database',
      database,
      'an open Database of libsql or better-sqlite3, or a DatabaseSync',
    );
  }
  const connection = connectionOf(database);
  refuseOpenTransaction(connection);
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  execOutside(connection, `PRAGMA synchronous = ${durability === 'A' ? 'FULL' : 'NORMAL'}`);
  if (migrations === 'check') checkSchema(connection);
  const volatile = writeAheadLog(connection, migrations, busyTimeoutMs) === 'memory';
  if (migrations === 'apply') migrate(connection, busyTimeoutMs);
  const reached: DurabilityClass = volatile ? 'C' : durability;
  return new SqliteReceiptStore(connection, reached, clock, calendar);
}

/** Switches the file to write-ahead logging, if it may, which it then keeps; returns the mode that holds. */
function writeAheadLog(connection: Connection, migrations: 'apply' | 'check', busyTimeoutMs: number): 'wal' | 'memory' {
  let mode = journalMode(connection, 'PRAGMA journal_mode');
  if (mode !== 'wal' && migrations === 'apply') {
    mode = waitForLock(busyTimeoutMs, () => journalMode(connection, 'PRAGMA journal_mode = WAL'));
  }
  if (mode !== 'wal' && mode !== 'memory') throw new SqliteJournalModeError(mode);
  return mode;
}

function journalMode(connection: Connection, pragma: string): unknown {
  const row = connection.prepare(pragma).get() as { readonly journal_mode: unknown };
  if (Array.isArray(row))
    throw new ReceiptOptionError('database', connection, 'one that names the columns of its rows');
  return row.journal_mode;
}
