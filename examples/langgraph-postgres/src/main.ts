/** `node dist/main.js [--without]`: two threads, a worker that is killed in their tools, another that resumes, the count. */

import { fileURLToPath } from 'node:url';
import { accountOf, killAndCarryOn, POSTGRES, runExample } from '@holdfast/example-stage';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import pg from 'pg';
import { MOMENT, orders, type Settings } from './settings.js';

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

const killAt = { 'order-1001': MOMENT.sent, 'order-1002': MOMENT.handled };

process.exitCode = await runExample(POSTGRES, async ({ receipts, serverUrl, world, name, signal }) => {
  const pool = new pg.Pool({ connectionString: serverUrl });
  try {
    await new PostgresSaver(pool, undefined, { schema: name }).setup();
    const settings: Settings = { databaseUrl: serverUrl, worldUrl: world.url, schema: name, receipts };
    const relay = await killAndCarryOn({ file: workerFile, settings, killAt, signal });
    const counted = orders.map(({ id, email }) => ({ job: id, effects: world.emailsTo(email) }));
    return accountOf(relay, counted, receipts);
  } finally {
    await pool.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    await pool.end();
  }
});
