/** What keeps the store from opening or writing. */

import { HoldfastError } from '@holdfast/kernel';

/** The file was written by a newer version of this package. */
export class SqliteSchemaError extends HoldfastError {
  override readonly name = 'SqliteSchemaError';
  readonly code = 'ERR_HOLDFAST_SQLITE_SCHEMA';
  readonly found: number;
  readonly supported: number;

  constructor(found: number, supported: number) {
    super(
      `The receipts in this file have schema version ${found}, and this package knows versions up to ${supported}. ` +
        'Upgrade @holdfast/receipts-sqlite; nothing was changed.',
    );
    this.found = found;
    this.supported = supported;
  }
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
