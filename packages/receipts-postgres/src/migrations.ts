/** The tables, version by version, as SQL text that is safe to run again. */

import { claimFunction } from './claim-function.js';
import { settleFunction } from './settle-function.js';
import { type SqlNames, sqlLiteral, sqlNames } from './sql-names.js';

/**
 * No index has a column that ending an attempt changes, not even in a condition: so PostgreSQL writes the ended receipt
 * beside the running one and leaves the indexes alone. `spent` says that retention has dropped the result.
 *
 * Each entry takes the schema from the version of its index to the next. Released entries never change.
 */
const MIGRATIONS: readonly ((names: SqlNames) => string)[] = [
  (names) => `
    CREATE TABLE ${names.receipts} (
      tenant_id text COLLATE "C" NOT NULL,
      run_id text COLLATE "C" NOT NULL,
      tool_name text COLLATE "C" NOT NULL,
      args_hash text COLLATE "C" NOT NULL,
      status text NOT NULL,
      attempts integer NOT NULL,
      effect text NOT NULL,
      token text NOT NULL,
      lease_until timestamptz NOT NULL,
      result text,
      error text,
      evidence_attempt integer,
      evidence_kind text,
      evidence_text text,
      resolved boolean NOT NULL,
      created_at timestamptz NOT NULL,
      changed_at timestamptz NOT NULL,
      spent boolean NOT NULL DEFAULT false,
      PRIMARY KEY (tenant_id, run_id, tool_name, args_hash)
    ) WITH (fillfactor = 90);
    CREATE INDEX holdfast_receipts_shelf ON ${names.receipts} (spent, created_at);
    CREATE TABLE ${names.steps} (
      tenant_id text COLLATE "C" NOT NULL,
      run_id text COLLATE "C" NOT NULL,
      tool_name text COLLATE "C" NOT NULL,
      args_hash text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      result text NOT NULL,
      PRIMARY KEY (tenant_id, run_id, tool_name, args_hash, name),
      FOREIGN KEY (tenant_id, run_id, tool_name, args_hash) REFERENCES ${names.receipts} ON DELETE CASCADE
    );
    ${claimFunction(names)};
    ${settleFunction(names)};`,
];

/** The version that this package works with. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Options of {@link postgresReceiptSchemaSql}. */
export interface PostgresReceiptSchemaOptions {
  /** Where the tables are. Default `holdfast`. */
  readonly schema?: string;
}

/**
 * The SQL text that brings a schema to the version of this package, for hosts that run their own migrations: one `DO`
 * statement that may run again, and at the same time in several sessions. A schema of a newer version stays as it is.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for a schema that PostgreSQL could not name.
 */
export function postgresReceiptSchemaSql({ schema = 'holdfast' }: PostgresReceiptSchemaOptions = {}): string {
  const names = sqlNames(schema);
  const upgrades = MIGRATIONS.map(
    (upgrade, version) => `
  IF found = ${version} THEN${upgrade(names)}
    INSERT INTO ${names.versions} (version) VALUES (${version + 1});
    found := ${version + 1};
  END IF;`,
  );
  const body = `DECLARE
  found integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('holdfast_receipt_schema'), hashtext(${sqlLiteral(schema)}));
  IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = ${sqlLiteral(schema)}) THEN
    CREATE SCHEMA ${names.schema};
  END IF;
  IF to_regclass(${sqlLiteral(names.versions)}) IS NULL THEN
    CREATE TABLE ${names.versions} (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
  END IF;
  SELECT coalesce(max(version), 0) INTO found FROM ${names.versions};${upgrades.join('')}
END`;
  return `DO ${dollarQuoted(body)};\n`;
}

/** A schema may be called anything, also like the quote. */
function dollarQuoted(text: string): string {
  let tag = '$holdfast$';
  while (text.includes(tag)) tag = tag.replace(/\$$/, '_$');
  return `${tag}\n${text}\n${tag}`;
}
