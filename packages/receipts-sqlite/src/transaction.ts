/** One write transaction at a time. */

import type { Connection } from './connection.js';
import { SqliteClosedError, SqliteTransactionError } from './sqlite-errors.js';

/**
 * Runs `work` under the write lock and commits it, or takes all of it back.
 *
 * @throws {SqliteTransactionError} `ERR_HOLDFAST_SQLITE_TRANSACTION` inside a transaction of the host.
 */
export function immediately<Result>(database: Connection, work: () => Result): Result {
  refuseOpenTransaction(database);
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/**
 * A receipt inside the host's transaction would vanish with its rollback, and be read from its old snapshot.
 *
 * @throws {SqliteTransactionError} `ERR_HOLDFAST_SQLITE_TRANSACTION`
 * @throws {SqliteClosedError} `ERR_HOLDFAST_SQLITE_CLOSED` when the host has closed the database.
 */
export function refuseOpenTransaction(database: Connection): void {
  // libsql ends the process when a closed database is asked for its transaction, and a renewal may come that late.
  if (database.open === false) throw new SqliteClosedError();
  if (database.inTransaction === true || database.isTransaction === true) throw new SqliteTransactionError();
}

/** SQLite may have rolled back on its own, as it does when the disk is full. */
function rollBack(database: Connection): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // The error that led here is the one to report.
  }
}
