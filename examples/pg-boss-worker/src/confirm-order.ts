/** An effect outside of the database: an e-mail under `executeOnce`. */

import { executeOnce, toolCallArgsHash } from '@holdfast/receipts';
import { sha256Digest } from '@holdfast/receipts/node';
import { resultOf } from './result-of.js';
import { MOMENT, type Order, type WorkerHost } from './settings.js';

/** Much shorter than the job's expiration, so that a job which comes again finds no live lease of a dead worker. */
const LEASE_MS = 500;

export async function confirmOrder(host: WorkerHost, order: Order): Promise<string | undefined> {
  const emailId = host.settings.receipts ? await sendOnce(host, order) : await send(host, order);
  await host.stage.reached(order.id, MOMENT.handled);
  return emailId;
}

async function send({ mailer, stage }: WorkerHost, order: Order, idempotencyKey?: string): Promise<string> {
  const emailId = await mailer.send(order.email, `Order ${order.id} is confirmed`, idempotencyKey);
  await stage.reached(order.id, MOMENT.sent);
  return emailId;
}

/** The run is the order and not the job: an order that is put into the queue twice is confirmed once, too. */
async function sendOnce(host: WorkerHost, order: Order): Promise<string | undefined> {
  const argsHash = await toolCallArgsHash(order, sha256Digest);
  const key = { tenantId: 'shop', runId: order.id, toolName: 'send_email', argsHash };
  const outcome = await executeOnce<string>(
    host.store,
    key,
    ({ idempotencyKey }) => send(host, order, idempotencyKey),
    {
      leaseMs: LEASE_MS,
      async reconcile({ idempotencyKey }) {
        host.stage.tell({ kind: 'decided', job: order.id, decision: 'reconciled' });
        const emailId = await host.mailer.find(idempotencyKey);
        return emailId === undefined ? { kind: 'did-not-happen' } : { kind: 'happened', result: emailId };
      },
    },
  );
  return resultOf(host, order, outcome);
}
