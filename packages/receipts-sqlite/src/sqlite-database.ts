/** The part of a SQLite driver that the store uses; better-sqlite3, libsql and node:sqlite all fit. */

/** A value that the store binds. */
export type SqliteValue = string | number | null;

/** A prepared statement with positional parameters. */
export interface SqliteStatementLike {
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
}

/** An opened database: a `Database` of better-sqlite3 12 or libsql, or a `DatabaseSync` of node:sqlite. */
export interface SqliteDatabaseLike {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatementLike;
  /** Whether a transaction is open, as better-sqlite3 and libsql call it. */
  readonly inTransaction?: boolean;
  /** The same, as node:sqlite calls it. */
  readonly isTransaction?: boolean;
}
