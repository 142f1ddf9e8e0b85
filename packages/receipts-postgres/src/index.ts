/** The face of `@holdfast/receipts-postgres`. */

export { HoldfastError } from '@holdfast/kernel';
export { openPostgresReceiptStore, type PostgresReceiptStoreOptions } from './open-postgres-receipt-store.js';
export type { PostgresReceiptStore } from './postgres-receipt-store.js';
export type { ExecuteInTransactionOptions, ExecuteInTransactionOutcome } from './execute-in-transaction.js';
export { type PostgresReceiptSchemaOptions, postgresReceiptSchemaSql } from './migrations.js';
export type { PostgresClient, PostgresQuery, PostgresTypes } from './postgres-client.js';
export {
  PostgresClosedError,
  PostgresContentionError,
  PostgresDurabilityError,
  type PostgresDurabilityFault,
  PostgresKeyLengthError,
  PostgresSchemaError,
  PostgresTransactionError,
  type PostgresTransactionFault,
} from './postgres-errors.js';
