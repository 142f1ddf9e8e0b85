/** The host's database as the store sees it: with parameters that it may bind. */

import type { SqliteDatabaseLike } from './sqlite-database.js';

export type SqliteValue = string | number | null;

export interface Statement {
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
  raw?(): unknown;
}

export interface Connection extends Omit<SqliteDatabaseLike, 'prepare'> {
  prepare(sql: string): Statement;
}

/** Every driver binds text, numbers and null by position, though no type says so for all of them. */
export function connectionOf(database: SqliteDatabaseLike): Connection {
  return database as Connection;
}
