/** The part of a SQLite driver that the store uses; better-sqlite3, libsql and node:sqlite all fit. */

/** A prepared statement. The drivers type its parameters each in its own way; the store binds text, numbers and null. */
export interface SqliteStatementLike {
  get(...values: never[]): unknown;
  all(...values: never[]): unknown[];
  run(...values: never[]): { readonly changes: number | bigint };
  /** Makes rows lists of values from now on, as better-sqlite3 and libsql offer. */
  raw?(): unknown;
}

/** An opened database: a `Database` of better-sqlite3 12 or libsql, or a `DatabaseSync` of node:sqlite. */
export interface SqliteDatabaseLike {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatementLike;
  /** Whether the database is open, as better-sqlite3 and libsql call it; node:sqlite opens it by this name. */
  readonly open?: unknown;
  /** Whether the database is open, as node:sqlite calls it. */
  readonly isOpen?: boolean;
  /** Whether a transaction is open, as better-sqlite3 and libsql call it. */
  readonly inTransaction?: boolean;
  /** The same, as node:sqlite calls it from Node 22.16 on. */
  readonly isTransaction?: boolean;
}
