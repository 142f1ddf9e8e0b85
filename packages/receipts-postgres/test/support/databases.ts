/** Schemas that are gone after the test, stores in them, and clocks that tests can move. */

import type { ClaimRequest, ReceiptClaim, ReceiptStore, ToolCallReceiptKey } from '@holdfast/receipts';
import type { PostgresClient, PostgresQuery } from '@holdfast/receipts-postgres';
import pg from 'pg';
import { afterAll, expect, vi } from 'vitest';
import { POSTGRES_URL, serverAnswers } from '../../../../test/support/services.js';

export { POSTGRES_URL };

/** Whether there is a server; without one the tests of this package are skipped, loudly. */
export const hasServer: boolean = await serverAnswers(POSTGRES_URL);

let schemas = 0;

/** A name that no other test file, and no other run, uses. */
export function newSchema(): string {
  schemas++;
  return `holdfast_test_${process.pid}_${process.hrtime.bigint().toString(36)}_${schemas}`;
}

/** A pool that ends, and drops the schemas opened through it, when the file's tests are done. */
export function openPool(options: pg.PoolConfig = {}): pg.Pool & { dropsLater(schema: string): string } {
  const pool = new pg.Pool({ connectionString: POSTGRES_URL, max: 4, ...options });
  const opened: string[] = [];
  afterAll(async () => {
    if (opened.length > 0) await dropSchemas(opened);
    if (!pool.ended) await pool.end();
  });
  const dropsLater = (schema: string) => {
    opened.push(schema);
    return schema;
  };
  return Object.assign(pool, { dropsLater });
}

export async function dropSchemas(schemas: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS "${schema.replaceAll('"', '""')}" CASCADE`);
  await client.end();
}

/** Empties the tables of a schema. */
export async function empty(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(`DELETE FROM "${schema}".holdfast_receipts`);
}

/** A client whose statements are changed on their way: that is how a test moves the server's clock. */
export function rewriting(client: PostgresClient, rewrite: (text: string) => string): PostgresClient {
  return {
    query: ({ name: _, ...query }: PostgresQuery) => client.query({ ...query, text: rewrite(query.text) }),
  };
}

/**
 * A server clock that stands still until it is moved: what the store says about the clock reads a table instead. Every
 * client through which a store is opened in `schema` has to be put on the clock.
 */
export async function stillClock(pool: PostgresClient, schema: string) {
  await pool.query({
    text: `CREATE SCHEMA IF NOT EXISTS ${schema};
      CREATE TABLE IF NOT EXISTS ${schema}.still_clock AS SELECT timestamptz 'epoch' + interval '1 day' AS reading;
      CREATE OR REPLACE FUNCTION ${schema}.still_time() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT reading FROM ${schema}.still_clock'`,
  });
  const onClock = (client: PostgresClient) =>
    rewriting(client, (text) => text.replaceAll('clock_timestamp()', `${schema}.still_time()`));
  const advance = async (ms: number) => {
    await pool.query({ text: `UPDATE ${schema}.still_clock SET reading = reading + interval '${ms} milliseconds'` });
  };
  return { client: onClock(pool), onClock, advance };
}

/** A client that counts the round trips made through it, and keeps what was sent. */
export function recording(client: PostgresClient) {
  const sent: PostgresQuery[] = [];
  const recorder: PostgresClient = {
    query: (query) => {
      sent.push(query);
      return client.query(query);
    },
  };
  return { client: recorder, sent };
}

export const LEASE = 1_000;

export function keyOf(argsHash: string, tenantId = 'tenant'): ToolCallReceiptKey {
  return { tenantId, runId: 'run', toolName: 'send_email', argsHash };
}

export function request(token: string, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return { effect: 'opaque', token, leaseMs: LEASE, maxAttempts: 3, ...more };
}

/** Claims and insists on a grant. */
export async function granted(
  store: ReceiptStore,
  token: string,
  more: Partial<ClaimRequest> = {},
  key: ToolCallReceiptKey = keyOf('hash'),
): Promise<ReceiptClaim> {
  const outcome = await store.claim(key, request(token, more));
  if (outcome.kind !== 'execute') throw new Error(`The claim was not granted: ${JSON.stringify(outcome)}`);
  return { attempt: outcome.attempt, token };
}

/** A query fails with the server's error message; that its transaction has failed, the client hears in the next one. */
export async function transactionFails(client: pg.Client): Promise<void> {
  const { getTransactionStatus } = client as unknown as { getTransactionStatus(): string };
  await vi.waitFor(() => expect(getTransactionStatus.call(client)).toBe('E'));
}
