/** `node dist/main.js [--without]`: four jobs, one worker that is killed, another that is given them, and the count. */

import { fileURLToPath } from 'node:url';
import { accountOf, killAndCarryOn, POSTGRES, runExample } from '@holdfast/example-stage';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { BOOK, CONFIRM, MOMENT, type Order, type Settings } from './settings.js';

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

const confirmations: readonly Order[] = [
  { id: 'order-1001', email: 'ada@example.com' },
  { id: 'order-1002', email: 'ben@example.com' },
];
const bookings: readonly Order[] = [
  { id: 'order-1003', email: 'cem@example.com' },
  { id: 'order-1004', email: 'dora@example.com' },
];
const killAt = {
  'order-1001': MOMENT.sent,
  'order-1002': MOMENT.handled,
  'order-1003': MOMENT.written,
  'order-1004': MOMENT.committed,
};

/** The shortest that leaves a loaded machine time to handle a job; the default is 15 minutes. */
const EXPIRE_SECONDS = 2;

process.exitCode = await runExample(POSTGRES, async ({ receipts, serverUrl, world, name, signal }) => {
  const database = new pg.Client({ connectionString: serverUrl });
  await database.connect();
  const boss = new PgBoss({ connectionString: serverUrl, schema: name, supervise: false, schedule: false });
  try {
    await boss.start();
    await database.query(`CREATE TABLE ${name}.bookings (id bigserial, order_id text)`);
    const jobs = [...(await send(boss, CONFIRM, confirmations)), ...(await send(boss, BOOK, bookings))];
    const settings: Settings = { databaseUrl: serverUrl, worldUrl: world.url, schema: name, receipts };
    const relay = await killAndCarryOn({ file: workerFile, settings, killAt, signal });
    await checkCompleted(boss, jobs);
    const booked = await database.query<{ order_id: string }>(`SELECT order_id FROM ${name}.bookings`);
    const counted = [
      ...confirmations.map(({ id, email }) => ({ job: id, effects: world.emailsTo(email) })),
      ...bookings.map(({ id }) => ({ job: id, effects: booked.rows.filter((row) => row.order_id === id).length })),
    ];
    return accountOf(relay, counted, receipts);
  } finally {
    await boss.stop({ graceful: false });
    await database.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    await database.end();
  }
});

interface SentJob {
  readonly queue: string;
  readonly id: string;
}

async function send(boss: PgBoss, queue: string, orders: readonly Order[]): Promise<SentJob[]> {
  await boss.createQueue(queue, { name: queue, retryLimit: 5, retryDelay: 0, expireInSeconds: EXPIRE_SECONDS });
  const ids = await Promise.all(orders.map((order) => boss.send(queue, order)));
  return ids.map((id) => ({ queue, id: id ?? '' }));
}

/** pg-boss tells nobody when a job is acknowledged, so its table is asked. */
async function checkCompleted(boss: PgBoss, jobs: readonly SentJob[]): Promise<void> {
  for (const { queue, id } of jobs) {
    const job = await boss.getJobById(queue, id);
    if (job?.state !== 'completed') throw new Error(`A job of ${queue} is ${job?.state} instead of completed.`);
  }
}
