/** What keeps the store from opening or writing. */

import { HoldfastError } from '@holdfast/kernel';

/** The file was written by a newer version of this package, or is not up to date and may not be upgraded. */
export class SqliteSchemaError extends HoldfastError {
  override readonly name = 'SqliteSchemaError';
  readonly code = 'ERR_HOLDFAST_SQLITE_SCHEMA';
  /** The version in the file; 0 when it has no receipts. */
  readonly found: number;
  readonly supported: number;

  constructor(found: number, supported: number) {
    super(schemaMessage(found, supported));
    this.found = found;
    this.supported = supported;
  }
}

function schemaMessage(found: number, supported: number): string {
  if (found > supported) {
    return (
      `The receipts in this file have schema version ${found}, and this package knows versions up to ${supported}. ` +
      'Upgrade @holdfast/receipts-sqlite; nothing was changed.'
    );
  }
  const state = found === 0 ? 'There are no receipts in this file' : `The receipts in this file have version ${found}`;
  return `${state}, and version ${supported} is needed. Open the store with migrations: 'apply', or check the path.`;
}

/** The database cannot use write-ahead logging, without which readers and writers would block one another. */
export class SqliteJournalModeError extends HoldfastError {
  override readonly name = 'SqliteJournalModeError';
  readonly code = 'ERR_HOLDFAST_SQLITE_JOURNAL_MODE';
  readonly journalMode: unknown;

  constructor(journalMode: unknown) {
    super(
      `Receipts need journal_mode=WAL, and this database stays in ${String(journalMode)}. Open it for writing, on a local ` +
        'disk, with no other connection in a transaction.',
    );
    this.journalMode = journalMode;
  }
}

/** The host has closed the database that the store works on. */
export class SqliteClosedError extends HoldfastError {
  override readonly name = 'SqliteClosedError';
  readonly code = 'ERR_HOLDFAST_SQLITE_CLOSED';

  constructor() {
    super('The database of this store has been closed. Close it after the last receipt is settled.');
  }
}

/** The host has a transaction open on this connection, and a receipt must commit on its own. */
export class SqliteTransactionError extends HoldfastError {
  override readonly name = 'SqliteTransactionError';
  readonly code = 'ERR_HOLDFAST_SQLITE_TRANSACTION';

  constructor() {
    super(
      'This connection has a transaction open, whose rollback would take the receipt with it. Give the store a ' +
        'connection of its own.',
    );
  }
}
