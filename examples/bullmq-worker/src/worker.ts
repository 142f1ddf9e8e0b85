/** One worker: BullMQ hands it jobs, and a receipt says what is left to do for each. */

import { connectMailer, enterStage } from '@holdfast/example-stage';
import { type ExecuteOnceOutcome, executeOnce, toolCallArgsHash } from '@holdfast/receipts';
import { sha256Digest } from '@holdfast/receipts/node';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { MOMENT, type Order, QUEUE, type Settings } from './settings.js';

/** Short, so that the example is: the defaults are 30 s each. */
const LOCK_MS = 1_000;
const STALLED_INTERVAL_MS = 500;
const LEASE_MS = 1_000;

const { settings, stage } = enterStage<Settings>();
const mailer = connectMailer(settings.worldUrl);

// Not BullMQ's connection, which keeps commands for a server that is away: a late claim would look abandoned.
const redis = new Redis(settings.redisUrl, { lazyConnect: true, enableOfflineQueue: false });
await redis.connect();
const store = await openRedisReceiptStore(redis, { prefix: `${settings.prefix}:receipts` });

const worker = new Worker<Order>(QUEUE, confirm, {
  connection: { url: settings.redisUrl, maxRetriesPerRequest: null },
  prefix: settings.prefix,
  concurrency: 2,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_INTERVAL_MS,
  maxStalledCount: 5,
});
worker.on('completed', ({ data }) => stage.tell({ kind: 'finished', job: data.id }));
worker.on('failed', (_, error) => console.error(error.message));
worker.on('error', (error) => console.error(error.message));

await stage.closing;
await worker.close();
redis.disconnect();

async function confirm({ data: order }: Job<Order>): Promise<string | undefined> {
  stage.tell({ kind: 'delivered', job: order.id });
  const emailId = settings.receipts ? await sendOnce(order) : await send(order);
  await stage.reached(order.id, MOMENT.handled);
  return emailId;
}

async function send(order: Order, idempotencyKey?: string): Promise<string> {
  const emailId = await mailer.send(order.email, `Order ${order.id} is confirmed`, idempotencyKey);
  await stage.reached(order.id, MOMENT.sent);
  return emailId;
}

/** The run is the order and not the job: an order that is put into the queue twice is confirmed once, too. */
async function sendOnce(order: Order): Promise<string | undefined> {
  const argsHash = await toolCallArgsHash(order, sha256Digest);
  const key = { tenantId: 'shop', runId: order.id, toolName: 'send_email', argsHash };
  const outcome = await executeOnce<string>(store, key, ({ idempotencyKey }) => send(order, idempotencyKey), {
    leaseMs: LEASE_MS,
    whenBusy: 'wait',
    allowVolatile: store.durability === 'C', // the README says what that accepts
    async reconcile({ idempotencyKey }) {
      stage.tell({ kind: 'decided', job: order.id, decision: 'reconciled' });
      const emailId = await mailer.find(idempotencyKey);
      return emailId === undefined ? { kind: 'did-not-happen' } : { kind: 'happened', result: emailId };
    },
  });
  const attempt = 'attempt' in outcome && { attempt: outcome.attempt };
  stage.tell({ kind: 'decided', job: order.id, decision: outcome.kind, ...attempt });
  return resultOf(outcome);
}

/** What an outcome is for BullMQ: a value is acknowledged, an error is tried again, and an unrecoverable one is not. */
function resultOf(outcome: ExecuteOnceOutcome<string>): string | undefined {
  switch (outcome.kind) {
    case 'executed':
    case 'replayed':
    case 'unrecorded':
      return outcome.value;
    case 'gone':
      return undefined; // sent long ago
    case 'failed':
      throw outcome.error;
    case 'ambiguous':
    case 'rejected':
    case 'exhausted':
      throw new UnrecoverableError(`The e-mail is ${outcome.kind}: a person has to look at it.`);
    default:
      throw new Error(`The e-mail is ${outcome.kind}: this worker has to come back to it.`);
  }
}
