/** `node dist/main.js [--without]`: two jobs, one worker that is killed, another that is given its jobs, and the count. */

import { fileURLToPath } from 'node:url';
import { accountOf, killAndCarryOn, REDIS, runExample } from '@holdfast/example-stage';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { MOMENT, type Order, QUEUE, type Settings } from './settings.js';

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

const orders: readonly Order[] = [
  { id: 'order-1001', email: 'ada@example.com' },
  { id: 'order-1002', email: 'ben@example.com' },
];
const killAt = { 'order-1001': MOMENT.sent, 'order-1002': MOMENT.handled };

process.exitCode = await runExample(REDIS, async ({ receipts, serverUrl, world, name, signal }) => {
  const queue = new Queue<Order>(QUEUE, { connection: { url: serverUrl }, prefix: name });
  try {
    for (const order of orders) await queue.add('confirm', order, { jobId: order.id, attempts: 5 });
    const settings: Settings = { redisUrl: serverUrl, worldUrl: world.url, prefix: name, receipts };
    const relay = await killAndCarryOn({ file: workerFile, settings, killAt, signal });
    const counted = orders.map(({ id, email }) => ({ job: id, effects: world.emailsTo(email) }));
    return accountOf(relay, counted, receipts);
  } finally {
    await queue.close();
    await removeKeys(serverUrl, name);
  }
});

async function removeKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url);
  for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 1_000 }) as AsyncIterable<string[]>) {
    if (keys.length > 0) await redis.unlink(...keys);
  }
  await redis.quit();
}
