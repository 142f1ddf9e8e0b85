/** What keeps the store from opening or answering, beside the driver's own errors. */

import { HoldfastError } from '@holdfast/kernel';

/** The tables were made by a newer version of this package, or are not there. */
export class PostgresSchemaError extends HoldfastError {
  override readonly name = 'PostgresSchemaError';
  readonly code = 'ERR_HOLDFAST_POSTGRES_SCHEMA';
  /** The version in the database; 0 when there are no tables; `undefined` when a statement met tables that do not fit. */
  readonly found: number | undefined;
  readonly supported: number;

  constructor(found: number | undefined, supported: number, cause?: unknown) {
    super(schemaMessage(found, supported), cause === undefined ? undefined : { cause });
    this.found = found;
    this.supported = supported;
  }
}

function schemaMessage(found: number | undefined, supported: number): string {
  if (found !== undefined && found > supported) {
    return (
      `The receipts in this database have schema version ${found}, and this package knows versions up to ${supported}. ` +
      'Upgrade @holdfast/receipts-postgres; nothing was changed.'
    );
  }
  const state = found === undefined ? 'do not fit' : found === 0 ? 'are not there' : `have version ${found}`;
  return (
    `The tables of the receipts ${state}, and version ${supported} is needed. Open the store with migrations: 'apply', ` +
    'or run the text of postgresReceiptSchemaSql as a role that may create tables; and check the schema option.'
  );
}

/** What the server does not promise. */
export type PostgresDurabilityFault = 'fsync' | 'unlogged' | 'encoding' | 'read-only';

const FAULTS: Readonly<Record<PostgresDurabilityFault, string>> = {
  fsync:
    'This server runs with fsync=off: a power loss may take receipts whose effects have happened, or the whole database. ' +
    "Turn fsync on; for a test database pass durability: 'B'.",
  unlogged:
    'The tables of the receipts are UNLOGGED, so a crash of the server empties them and every effect could run again. ' +
    'Run ALTER TABLE … SET LOGGED on both.',
  encoding:
    'The encoding of this database lacks characters that results and errors may have, so that an effect that has happened ' +
    "could not be recorded. Keep receipts in a database made with ENCODING 'UTF8'.",
  'read-only':
    'This connection can only read: it leads to a standby, or has default_transaction_read_only set. Connect to the primary.',
};

/** The database would lose receipts, or take none. */
export class PostgresDurabilityError extends HoldfastError {
  override readonly name = 'PostgresDurabilityError';
  readonly code = 'ERR_HOLDFAST_POSTGRES_DURABILITY';
  readonly fault: PostgresDurabilityFault;

  constructor(fault: PostgresDurabilityFault) {
    super(FAULTS[fault]);
    this.fault = fault;
  }
}

/** Why a transaction of the host does not go with a verb. */
export type PostgresTransactionFault = 'open' | 'none' | 'failed' | 'caught' | 'ended' | 'overlapping';

const TRANSACTIONS: Readonly<Record<PostgresTransactionFault, string>> = {
  open:
    'This client has a transaction open, whose rollback would take the receipt with it. Give the store a pool or a client ' +
    'of its own, or use executeInTransaction.',
  none: 'This client has no transaction open. Send BEGIN on it first, and pass the client itself, not its pool.',
  failed: 'The transaction on this client has failed and takes no more statements. Send ROLLBACK on it.',
  caught:
    'The effect caught an error of the database and went on, but after it PostgreSQL takes no more statements, so its ' +
    'receipt could not be written. What it did has been taken back, and the transaction goes on. Let the effect throw, or ' +
    'put a SAVEPOINT of its own around what may fail.',
  ended:
    'The effect ended the transaction in which its receipt was to be written. Leave COMMIT and ROLLBACK to the caller ' +
    'of executeInTransaction.',
  overlapping:
    'Two executeInTransaction calls run at the same time on this client, and a transaction can take back only the later ' +
    'one. Await one before the next begins, or give each its own client.',
};

/** A transaction of the host is where none may be, or not where one must be. */
export class PostgresTransactionError extends HoldfastError {
  override readonly name = 'PostgresTransactionError';
  readonly code = 'ERR_HOLDFAST_POSTGRES_TRANSACTION';
  readonly fault: PostgresTransactionFault;

  constructor(fault: PostgresTransactionFault, cause?: unknown) {
    super(TRANSACTIONS[fault], cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

/** The host has ended the pool or the client that the store works on. */
export class PostgresClosedError extends HoldfastError {
  override readonly name = 'PostgresClosedError';
  readonly code = 'ERR_HOLDFAST_POSTGRES_CLOSED';

  constructor(cause: unknown) {
    super('The pool or client of this store has been ended. End it after the last receipt is settled.', { cause });
  }
}

/** A receipt key, or the name of a step with its key, is longer than an index entry may be. */
export class PostgresKeyLengthError extends HoldfastError {
  override readonly name = 'PostgresKeyLengthError';
  readonly code = 'ERR_HOLDFAST_POSTGRES_KEY_LENGTH';

  constructor(cause: unknown) {
    super(
      'The four parts of this key, with the name of the step if it is one, are too long for an index of PostgreSQL. ' +
        'Keep them under 2,000 bytes together.',
      { cause },
    );
  }
}

/** Other writers came in between at every look at this receipt. */
export class PostgresContentionError extends HoldfastError {
  override readonly name = 'PostgresContentionError';
  readonly code = 'ERR_HOLDFAST_POSTGRES_CONTENTION';
  readonly looks: number;

  constructor(looks: number, cause?: unknown) {
    super(
      `Other writers changed this receipt at each of ${looks} looks. Nothing was written; ask again later.`,
      cause === undefined ? undefined : { cause },
    );
    this.looks = looks;
  }
}
