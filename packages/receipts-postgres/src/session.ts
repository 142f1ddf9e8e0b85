/** Sending statements to the host's client, and saying what its errors mean. */

import { SCHEMA_VERSION } from './migrations.js';
import type { PostgresClient, PostgresQuery } from './postgres-client.js';
import {
  PostgresClosedError,
  PostgresKeyLengthError,
  PostgresSchemaError,
  PostgresTransactionError,
} from './postgres-errors.js';
import type { Statement } from './statements.js';

/** How statements travel. */
export interface SessionSettings {
  /** Whether connections keep the plans of statements, under their names. */
  readonly preparedStatements: 'named' | 'unnamed';
  /** `alone`: each statement is its own transaction. `within`: the client is in a transaction of the host. */
  readonly transactions: 'alone' | 'within';
  /** Milliseconds to wait for an answer; absent where the host's own limits hold. */
  readonly timeoutMs?: number | undefined;
}

/** Values come as the server's own text, whatever parsers the host has registered with `pg`. */
const TEXT = { getTypeParser: () => (value: string) => value };

export class Session {
  readonly client: PostgresClient;
  readonly #settings: SessionSettings;
  readonly #timeout: Pick<PostgresQuery, 'query_timeout'>;

  constructor(client: PostgresClient, settings: SessionSettings) {
    this.client = client;
    this.#settings = settings;
    this.#timeout = settings.timeoutMs === undefined ? {} : { query_timeout: settings.timeoutMs };
  }

  /** One round trip. */
  async run<Row>(statement: Statement, values: readonly (string | null)[]): Promise<Row[]> {
    return (await this.#send(this.#kept(statement, values))).rows as Row[];
  }

  /** One round trip. Whether the statement wrote a row: `pg` works less on that than on an answer. */
  async wrote(statement: Statement, values: readonly (string | null)[]): Promise<boolean> {
    return (await this.#send(this.#kept(statement, values))).rowCount === 1;
  }

  /** One round trip of a statement whose text differs from call to call, so that no connection keeps it. */
  async read<Row>(text: string, values: readonly string[] = []): Promise<Row[]> {
    return (await this.#send({ text, values: [...values], types: TEXT, ...this.#timeout })).rows as Row[];
  }

  /** A command of the host's transaction, which may also follow a statement that failed. */
  async command(text: string): Promise<void> {
    await this.client.query({ text });
  }

  #kept({ text, name }: Statement, values: readonly (string | null)[]): PostgresQuery {
    const named = this.#settings.preparedStatements === 'named' && { name };
    return { text, values: [...values], types: TEXT, ...named, ...this.#timeout };
  }

  async #send(query: PostgresQuery): Promise<Awaited<ReturnType<PostgresClient['query']>>> {
    const status = this.client.getTransactionStatus?.();
    if (status === 'E') throw new PostgresTransactionError('failed');
    if (status === 'T' && this.#settings.transactions === 'alone') throw new PostgresTransactionError('open');
    try {
      return await this.client.query(query);
    } catch (error) {
      throw meaningOf(error);
    }
  }
}

/** The `code` of an error of the server. */
export function sqlState(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Errors that sending again cannot heal get a name and a way out. Everything else is the driver's own. */
function meaningOf(error: unknown): unknown {
  switch (sqlState(error)) {
    case '42P01': // undefined table
    case '42703': // undefined column
    case '42883': // undefined function
    case '3F000': // no such schema
      return new PostgresSchemaError(undefined, SCHEMA_VERSION, error);
    case '54000': // an index entry is too large
      return new PostgresKeyLengthError(error);
    case '25P01': // no transaction is open
      return new PostgresTransactionError('none', error);
    case '25P02': // the transaction has failed
      return new PostgresTransactionError('failed', error);
    case undefined:
      return isClosed(error) ? new PostgresClosedError(error) : error;
    default:
      return error;
  }
}

/** `pg` has no code for these. */
function isClosed(error: unknown): boolean {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' && /after calling end on the pool|client was closed/i.test(message);
}
