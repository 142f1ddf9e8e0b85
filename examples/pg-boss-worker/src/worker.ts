/** One worker: pg-boss hands it jobs, and a receipt in the same database says what is left to do for each. */

import { connectMailer, enterStage } from '@holdfast/example-stage';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { bookSeat } from './book-seat.js';
import { confirmOrder } from './confirm-order.js';
import { BOOK, CONFIRM, type Order, type Settings, type WorkerHost } from './settings.js';

const { settings, stage } = enterStage<Settings>();
const { databaseUrl, schema } = settings;
const pool = new pg.Pool({ connectionString: databaseUrl });
pool.on('error', (error) => console.error(error.message));
const store = await openPostgresReceiptStore(pool, { schema });
const host: WorkerHost = { settings, stage, pool, store, mailer: connectMailer(settings.worldUrl) };

// Looks for expired jobs every second, so that the example is short: the default is two minutes.
const boss = new PgBoss({ connectionString: databaseUrl, schema, maintenanceIntervalSeconds: 1, schedule: false });
boss.on('error', (error) => console.error(error.message));
await boss.start();
// Each call of `work` handles one job at a time.
for (const [queue, handle] of [
  [CONFIRM, confirmOrder],
  [CONFIRM, confirmOrder],
  [BOOK, bookSeat],
  [BOOK, bookSeat],
] as const) {
  await boss.work<Order>(queue, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job === undefined) return;
    stage.tell({ kind: 'delivered', job: job.data.id });
    const result = await handle(host, job.data);
    stage.tell({ kind: 'finished', job: job.data.id });
    return result;
  });
}

await stage.closing;
await boss.stop();
await pool.end();
