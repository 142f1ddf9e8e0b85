/** Opening a store on the host's pool. */

import { ReceiptOptionError } from '@holdfast/receipts/store';
import { migrate, readServer } from './migrate.js';
import { type PostgresClient, requireClient } from './postgres-client.js';
import { PostgresDurabilityError } from './postgres-errors.js';
import { type PostgresReceiptStore, SqlReceiptStore } from './postgres-receipt-store.js';
import { Session } from './session.js';
import { sqlNames } from './sql-names.js';
import { statementsOf } from './statements.js';

/** Options of {@link openPostgresReceiptStore}. */
export interface PostgresReceiptStoreOptions {
  /** The schema of the tables. Default `holdfast`. */
  readonly schema?: string;
  /** `'apply'` (default) creates and upgrades the tables; `'check'` refuses a schema that is not up to date. */
  readonly migrations?: 'apply' | 'check';
  /**
   * `'A'` (default): a receipt is on the disk before its effect begins, and its result before `complete` answers, also
   * where the host works with `synchronous_commit = off`. `'B'`: results follow within moments, and a crash of the
   * server may turn a completed call into an interrupted one, never into a second one; `fsync = off` is accepted.
   */
  readonly durability?: 'A' | 'B';
  /**
   * `'named'` (default): each connection plans a statement once. `'unnamed'` for a pooler that hands a connection to
   * another client between two statements and does not follow names, as pgbouncer before 1.21 in transaction mode.
   */
  readonly preparedStatements?: 'named' | 'unnamed';
  /** Longest wait for an answer, in milliseconds; then the verb rejects and may be sent again. Default 10,000 ms. */
  readonly timeoutMs?: number;
  /**
   * Longest wait of a claim for a transaction that holds its key, in milliseconds; then the answer is `wait`. Default
   * 2,000 ms.
   */
  readonly lockTimeoutMs?: number;
}

/**
 * Opens the store on a pool, or a connected client, of `pg` 8 that the host has made and ends. Needs PostgreSQL 13.
 * Creates or upgrades the tables (`holdfast_receipts`, `holdfast_receipt_steps`, `holdfast_receipt_schema`) and one
 * function in the schema; any number of processes may do so at once. Where the schema is up to date, this is one query.
 *
 * @throws {PostgresSchemaError} `ERR_HOLDFAST_POSTGRES_SCHEMA` for a schema of a newer version, or with
 * `migrations: 'check'` for one that is not there or older.
 * @throws {PostgresDurabilityError} `ERR_HOLDFAST_POSTGRES_DURABILITY` for a server without fsync, unlogged tables, a database
 * whose encoding lacks characters, or a connection that can only read.
 * @throws {PostgresTransactionError} `ERR_HOLDFAST_POSTGRES_TRANSACTION` for a client with a transaction open.
 * @throws {PostgresClosedError} `ERR_HOLDFAST_POSTGRES_CLOSED` for a pool that has been ended.
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an unusable client or option.
 */
export async function openPostgresReceiptStore(
  client: PostgresClient,
  options: PostgresReceiptStoreOptions = {},
): Promise<PostgresReceiptStore> {
  const { schema, migrations, durability, preparedStatements, timeoutMs, lockTimeoutMs } = checked(options);
  requireClient(client);
  const names = sqlNames(schema);
  const settings = { preparedStatements, transactions: 'alone', timeoutMs } as const;
  const session = new Session(client, settings);
  const server = migrations === 'apply' ? await migrate(session, schema) : await readServer(session, schema);
  if (server.readOnly) throw new PostgresDurabilityError('read-only');
  if (server.unlogged) throw new PostgresDurabilityError('unlogged');
  if (!WHOLE_ENCODINGS.includes(server.encoding)) throw new PostgresDurabilityError('encoding');
  if (!server.fsync && durability === 'A') throw new PostgresDurabilityError('fsync');
  const statements = statementsOf(names);
  return new SqlReceiptStore({ client, settings, names, statements, durability, lockTimeoutMs });
}

/** Those that hold every character: the second keeps bytes as they come. */
const WHOLE_ENCODINGS: readonly string[] = ['UTF8', 'SQL_ASCII'];

type Checked = Required<PostgresReceiptStoreOptions>;

/** Longest time limit of either kind: ten minutes. */
const MAX_TIMEOUT_MS = 600_000;

function checked(options: PostgresReceiptStoreOptions): Checked {
  const settings: Checked = {
    schema: options.schema ?? 'holdfast',
    migrations: options.migrations ?? 'apply',
    durability: options.durability ?? 'A',
    preparedStatements: options.preparedStatements ?? 'named',
    timeoutMs: options.timeoutMs ?? 10_000,
    lockTimeoutMs: options.lockTimeoutMs ?? 2_000,
  };
  for (const [field, choices] of Object.entries(CHOICES) as [keyof typeof CHOICES, readonly string[]][]) {
    if (!choices.includes(settings[field])) {
      throw new ReceiptOptionError(field, settings[field], choices.map((choice) => `'${choice}'`).join(' or '));
    }
  }
  for (const field of ['timeoutMs', 'lockTimeoutMs'] as const) {
    const value = settings[field];
    if (!Number.isSafeInteger(value) || value < 1 || value > MAX_TIMEOUT_MS) {
      throw new ReceiptOptionError(field, value, `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`);
    }
  }
  return settings;
}

const CHOICES = {
  migrations: ['apply', 'check'],
  durability: ['A', 'B'],
  preparedStatements: ['named', 'unnamed'],
} as const;
