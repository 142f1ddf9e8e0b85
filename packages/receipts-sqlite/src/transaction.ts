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
  execOutside(database, 'BEGIN IMMEDIATE');
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
 * Runs a `write` of one statement, which commits by itself. A driver that does not say whether a transaction is open, as
 * node:sqlite before Node 22.16, has it said by SQLite.
 *
 * @throws {SqliteTransactionError} `ERR_HOLDFAST_SQLITE_TRANSACTION` inside a transaction of the host.
 */
export function alone<Result>(database: Connection, write: () => Result): Result {
  refuseOpenTransaction(database);
  const tells = database.inTransaction !== undefined || database.isTransaction !== undefined;
  return tells ? write() : immediately(database, write);
}

/**
 * Runs what SQLite refuses inside a transaction.
 *
 * @throws {SqliteTransactionError} `ERR_HOLDFAST_SQLITE_TRANSACTION`
 */
export function execOutside(database: Connection, sql: string): void {
  try {
    database.exec(sql);
  } catch (error) {
    const { message } = error as { readonly message?: unknown };
    throw /(within|inside) a transaction/.test(String(message)) ? new SqliteTransactionError() : error;
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
  if (database.open === false || database.isOpen === false) throw new SqliteClosedError();
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
