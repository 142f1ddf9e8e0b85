/** The part of `pg` that the store uses. A `Pool` and a connected `Client` of `pg` 8 both fit. */

import { ReceiptOptionError } from '@holdfast/receipts/store';

/** One statement as the store sends it. */
export interface PostgresQuery {
  readonly text: string;
  readonly values?: (string | null)[];
  /** The name under which a connection keeps the statement's plan. */
  readonly name?: string;
  /** Every value comes as text, whatever parsers the host has set for its own queries. */
  readonly types?: PostgresTypes;
  /** Milliseconds after which `pg` gives up waiting for the answer. */
  readonly query_timeout?: number;
}

/** Where `pg` looks up how to read a value. */
export interface PostgresTypes {
  getTypeParser(): (value: string) => string;
}

/** A `Pool`, or a `Client` that is connected. */
export interface PostgresClient {
  /** `rowCount`: the rows that a statement wrote. A client that leaves it out hears `already` where `ok` was due. */
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[]; readonly rowCount?: number | null }>;
  /** What a `Client` of a recent `pg` knows about its connection: `T` in a transaction, `E` in one that has failed. */
  getTransactionStatus?(): string | null;
}

/**
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for anything that takes no queries.
 */
export function requireClient(client: PostgresClient): void {
  if (typeof client?.query !== 'function') {
    throw new ReceiptOptionError('client', client, 'a Pool or a connected Client of pg');
  }
}
