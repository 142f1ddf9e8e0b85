/** Looking at the server, and bringing its schema up to date. */

import { postgresReceiptSchemaSql, SCHEMA_VERSION } from './migrations.js';
import { PostgresDurabilityError, PostgresSchemaError } from './postgres-errors.js';
import { type Session, sqlState } from './session.js';
import { sqlLiteral, sqlNames } from './sql-names.js';

/** What matters of a server before the first receipt. */
export interface ServerState {
  readonly fsync: boolean;
  readonly readOnly: boolean;
  readonly unlogged: boolean;
  /** How the database writes text. */
  readonly encoding: string;
}

interface StateRecord {
  readonly version: string;
  readonly fsync: string;
  readonly read_only: string;
  readonly unlogged: 't' | 'f';
  readonly encoding: string;
}

/**
 * Reads the state of a server whose schema is up to date.
 *
 * @throws {PostgresSchemaError} `ERR_HOLDFAST_POSTGRES_SCHEMA` for any other version.
 */
export async function readServer(session: Session, schema: string): Promise<ServerState> {
  return checkedState(await findState(session, schema));
}

/** The same, after upgrading an older schema. */
export async function migrate(session: Session, schema: string): Promise<ServerState> {
  const state = await findState(session, schema);
  if (state !== undefined && Number(state.version) >= SCHEMA_VERSION) return checkedState(state);
  try {
    await session.read(postgresReceiptSchemaSql({ schema }));
  } catch (error) {
    if (sqlState(error) === '25006') throw new PostgresDurabilityError('read-only');
    // Another process may have been faster, in a database whose transactions keep their first view.
    const now = await findState(session, schema);
    if (Number(now?.version ?? 0) < SCHEMA_VERSION) throw error;
  }
  return readServer(session, schema);
}

function checkedState(state: StateRecord | undefined): ServerState {
  const found = Number(state?.version ?? 0);
  if (state === undefined || found !== SCHEMA_VERSION) throw new PostgresSchemaError(found, SCHEMA_VERSION);
  const { fsync, read_only, unlogged, encoding } = state;
  return { fsync: fsync === 'on', readOnly: read_only === 'on', unlogged: unlogged === 't', encoding };
}

/** One query; `undefined` where there are no tables. */
async function findState(session: Session, schema: string): Promise<StateRecord | undefined> {
  const names = sqlNames(schema);
  const tables = [names.receipts, names.steps].map((table) => `to_regclass(${sqlLiteral(table)})`).join(', ');
  try {
    const [state] = await session.read<StateRecord>(`SELECT coalesce(max(version), 0) AS version,
        current_setting('fsync') AS fsync, current_setting('transaction_read_only') AS read_only,
        current_setting('server_encoding') AS encoding,
        (SELECT coalesce(bool_or(relpersistence = 'u'), false) FROM pg_class WHERE oid IN (${tables})) AS unlogged
      FROM ${names.versions}`);
    return state;
  } catch (error) {
    if (error instanceof PostgresSchemaError) return undefined;
    throw error;
  }
}
