/** The face of `@holdfast/receipts-sqlite`. */

export { HoldfastError } from '@holdfast/kernel';
export { bootClock, type LeaseClock } from './boot-clock.js';
export { openSqliteReceiptStore, type SqliteReceiptStoreOptions } from './open-sqlite-receipt-store.js';
export type { SqliteDatabaseLike, SqliteStatementLike } from './sqlite-database.js';
export {
  SqliteClosedError,
  SqliteJournalModeError,
  SqliteSchemaError,
  SqliteTransactionError,
} from './sqlite-errors.js';
