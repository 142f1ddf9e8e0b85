/** An effect in the database that also holds the receipts: both commit in one transaction of the worker. */

import { toolCallArgsHash } from '@holdfast/receipts';
import { sha256Digest } from '@holdfast/receipts/node';
import type { PoolClient } from 'pg';
import { resultOf } from './result-of.js';
import { MOMENT, type Order, type WorkerHost } from './settings.js';

export async function bookSeat(host: WorkerHost, order: Order): Promise<string | undefined> {
  const client = await host.pool.connect();
  try {
    await client.query('BEGIN');
    const bookingId = await (host.settings.receipts ? writeOnce : write)(host, order, client);
    await client.query('COMMIT');
    await host.stage.reached(order.id, MOMENT.committed);
    return bookingId;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function write({ settings, stage }: WorkerHost, order: Order, client: PoolClient): Promise<string> {
  const text = `INSERT INTO ${settings.schema}.bookings (order_id) VALUES ($1) RETURNING id`;
  const { rows } = await client.query<{ id: string }>(text, [order.id]);
  await stage.reached(order.id, MOMENT.written);
  return rows[0]?.id ?? '';
}

async function writeOnce(host: WorkerHost, order: Order, client: PoolClient): Promise<string | undefined> {
  const argsHash = await toolCallArgsHash(order, sha256Digest);
  const key = { tenantId: 'shop', runId: order.id, toolName: 'book_seat', argsHash };
  const outcome = await host.store.executeInTransaction(client, key, () => write(host, order, client));
  return resultOf(host, order, outcome);
}
