/**
 * One claim and one completion against the bare minimum of the same client, and against what a user would otherwise
 * take, on a Redis of its own with `appendfsync everysec`. Ratios of elapsed time, and of the processor time of client and
 * server together, in one run, for 1, 16 and 50 calls at once on one connection: the more there are, the less of the time
 * is the network's and the more the script's. On a busy machine only the processor time means something.
 *
 * Not measured: networks, clusters, and what an effect itself costs. BullMQ does more than keep a receipt: it hands the
 * job to a worker. Powertools is here with its cache layer, which works on node-redis only, and with a Lambda context.
 */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { CachePersistenceLayer } from '@aws-lambda-powertools/idempotency/cache';
import { executeOnce, toolCallArgsHash } from '@holdfast/receipts';
import { sha256Digest } from '@holdfast/receipts/node';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { compare } from '../../../scripts/bench.mjs';

const PORT = 27_399;
const IN_FLIGHT = (process.env.HOLDFAST_BENCH_IN_FLIGHT ?? '1,16,50').split(',').map(Number);
const RESULT = JSON.stringify({ messageId: 'm-17', body: 'x'.repeat(168) });
const OPTIONS = {
  rounds: Number(process.env.HOLDFAST_BENCH_ROUNDS ?? 11),
  warmUps: 2,
  roundMs: 250,
  clock: 'wall',
};

const directory = mkdtempSync(join(tmpdir(), 'receipts-redis-bench-'));
const persistence = [
  '--appendonly',
  'yes',
  '--appendfsync',
  'everysec',
  '--save',
  '',
  '--auto-aof-rewrite-percentage',
  '0',
];
const server = spawn('redis-server', ['--port', String(PORT), '--dir', directory, ...persistence], { stdio: 'ignore' });
if (existsSync('/proc/self/schedstat')) OPTIONS.servers = [server.pid];
const io = new Redis(PORT, { retryStrategy: () => 50, maxRetriesPerRequest: 200, lazyConnect: false });
io.on('error', () => {});
await io.ping();
const node = await createClient({ url: `redis://127.0.0.1:${PORT}` }).connect();

let serial = 0;
const uniqueHash = () => `v1.s256.${String(serial++).padStart(43, 'q')}`;
const nextKey = (argsHash = uniqueHash()) => ({
  tenantId: 'acme',
  runId: `5b1f3c9e-8a64-4a55-9d0f-${String((serial >> 4) % 1_000_000).padStart(12, '0')}`,
  toolName: 'send_email',
  argsHash,
});
const nameOf = ({ tenantId, runId, toolName, argsHash }) => `bare:${tenantId}:${runId}:${toolName}:${argsHash}`;

/** One run is so many callers at once, each with a few calls after one another. */
const CALLS_EACH = 10;
const flights = (callers) => (call) => ({
  calls: callers * CALLS_EACH,
  run: () =>
    Promise.all(
      Array.from({ length: callers }, async () => {
        for (let done = 0; done < CALLS_EACH; done++) await call();
      }),
    ),
});

const request = () => ({ effect: 'opaque', token: randomUUID(), leaseMs: 30_000, maxAttempts: 5 });

/** A fresh call through a store, as `executeOnce` uses it. */
async function claimAndComplete(store) {
  const [key, asked] = [nextKey(), request()];
  const { attempt } = await store.claim(key, asked);
  await store.complete(key, { attempt, token: asked.token }, RESULT);
}

async function replays(store) {
  const key = nextKey();
  const { attempt } = await store.claim(key, { ...request(), token: 'first' });
  await store.complete(key, { attempt, token: 'first' }, RESULT);
  return () => store.claim(key, request());
}

async function onIoredis(callers) {
  const flight = flights(callers);
  const store = await openRedisReceiptStore(io);
  const bull = await openBull(callers);
  await compare(
    `ioredis, ${callers} at once: a new call`,
    {
      'SET NX + SET': flight(async () => {
        const name = nameOf(nextKey());
        await io.set(name, randomUUID(), 'PX', 30_000, 'NX');
        await io.set(name, RESULT);
      }),
      'receipts, claim + complete': flight(() => claimAndComplete(store)),
      'BullMQ, add + process': flight(bull.call),
    },
    OPTIONS,
  );
  await bull.close();
  const [replay, read] = [await replays(store), `bare:${randomUUID()}`];
  await io.set(read, RESULT);
  await compare(
    `ioredis, ${callers} at once: a call that has happened`,
    { GET: flight(() => io.get(read)), 'receipts, replay': flight(replay) },
    OPTIONS,
  );
}

async function onNodeRedis(callers) {
  const flight = flights(callers);
  const store = await openRedisReceiptStore(node);
  const idempotent = powertools();
  await compare(
    `node-redis, ${callers} at once: a new call`,
    {
      'SET NX + SET': flight(async () => {
        const name = nameOf(nextKey());
        await node.set(name, randomUUID(), { expiration: { type: 'PX', value: 30_000 }, condition: 'NX' });
        await node.set(name, RESULT);
      }),
      'receipts, claim + complete': flight(() => claimAndComplete(store)),
      'receipts, executeOnce + digest': flight(async () => {
        const key = nextKey(await toolCallArgsHash({ to: 'ana@example.com', serial: serial++ }, sha256Digest));
        await executeOnce(store, key, () => RESULT, { allowVolatile: true, digest: sha256Digest });
      }),
      'Powertools, makeIdempotent': flight(() => idempotent({ to: 'ana@example.com', serial: serial++ })),
    },
    OPTIONS,
  );
  const [replay, read] = [await replays(store), `bare:${randomUUID()}`];
  await node.set(read, RESULT);
  await compare(
    `node-redis, ${callers} at once: a call that has happened`,
    { GET: flight(() => node.get(read)), 'receipts, replay': flight(replay) },
    OPTIONS,
  );
}

/** A queue and its worker in this process; a call adds a job and waits until it is processed. */
async function openBull(concurrency) {
  const connection = { port: PORT, maxRetriesPerRequest: null };
  const queue = new Queue('bench', { connection });
  const waiting = new Map();
  const worker = new Worker('bench', async () => RESULT, { connection, concurrency });
  worker.on('completed', ({ id }) => {
    waiting.get(id)?.();
    waiting.delete(id);
  });
  await worker.waitUntilReady();
  const call = () => {
    const jobId = `job-${serial++}`;
    const done = new Promise((resolve) => waiting.set(jobId, resolve));
    return queue.add('send', { to: 'ana@example.com' }, { jobId }).then(() => done);
  };
  const close = async () => {
    await worker.close();
    await queue.close();
  };
  return { call, close };
}

function powertools() {
  const config = new IdempotencyConfig({ hashFunction: 'sha256' });
  config.registerLambdaContext({ getRemainingTimeInMillis: () => 30_000 });
  process.env.AWS_LAMBDA_FUNCTION_NAME ??= 'bench';
  return makeIdempotent(async () => RESULT, { persistenceStore: new CachePersistenceLayer({ client: node }), config });
}

try {
  for (const callers of IN_FLIGHT) {
    await onIoredis(callers);
    await onNodeRedis(callers);
  }
} finally {
  io.disconnect();
  node.destroy();
  server.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}
