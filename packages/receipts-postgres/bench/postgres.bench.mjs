/**
 * What a receipt costs beside the bare minimum through the same driver: a durable claim and completion against one INSERT
 * and one UPDATE by primary key, a replay against one SELECT by primary key, and all of it against a DBOS workflow of one
 * step. Not measured: networks, other drivers, large results.
 *
 * Elapsed time is mostly the disk's where syncing is slow, and then every contender costs what its commits cost: two for a
 * receipt, some more for a workflow. Processor time of client and server (where the server is on this machine, on Linux)
 * shows the work itself, and hardly depends on the disk and on what else the machine does.
 *
 * With one call at a time much of the time is the disk's; with as many as there are connections it is the processors'.
 *
 * HOLDFAST_BENCH_ROUNDS sets the rounds, HOLDFAST_BENCH_IN_FLIGHT how many calls are under way at once (default 1,4,16).
 */

import { readFileSync } from 'node:fs';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { executeOnce } from '@holdfast/receipts';
import { sha256Digest } from '@holdfast/receipts/node';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import pg from 'pg';
import { compare } from '../../../scripts/bench.mjs';

const URL = process.env.HOLDFAST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const ROUNDS = Number(process.env.HOLDFAST_BENCH_ROUNDS ?? 9);
const IN_FLIGHT = (process.env.HOLDFAST_BENCH_IN_FLIGHT ?? '1,4,16').split(',').map(Number);
const CONNECTIONS = Math.max(...IN_FLIGHT);
const CALLS = Number(process.env.HOLDFAST_BENCH_CALLS ?? 400);
const RESULT = JSON.stringify({ messageId: 'm-1', body: 'x'.repeat(180) });
const schema = `holdfast_bench_${process.pid}`;

const APPLICATION = `holdfast_bench_${process.pid}`;
const pool = new pg.Pool({
  connectionString: URL,
  max: CONNECTIONS,
  application_name: APPLICATION,
  idleTimeoutMillis: 0,
});
const store = await openPostgresReceiptStore(pool, { schema });
const deferred = await openPostgresReceiptStore(pool, { schema, durability: 'B' });
await pool.query(`CREATE TABLE ${schema}.bare (tenant_id text COLLATE "C", run_id text COLLATE "C",
  tool_name text COLLATE "C", args_hash text COLLATE "C", status text NOT NULL, attempts integer NOT NULL,
  token text NOT NULL, lease_until timestamptz NOT NULL, result text,
  PRIMARY KEY (tenant_id, run_id, tool_name, args_hash))`);

let serial = 0;
const nextKey = () => {
  const number = ++serial;
  return { tenantId: 'acme', runId: `run-${number % 97}`, toolName: 'send_email', argsHash: hashOf(number) };
};
const hashOf = (number) => `sha256:${String(number).padStart(64, '0')}`;
const columns = (key) => [key.tenantId, key.runId, key.toolName, key.argsHash];

const bare = {
  async execute() {
    const key = columns(nextKey());
    const token = `token-${serial}`;
    await pool.query({
      name: 'bare_insert',
      text: `INSERT INTO ${schema}.bare VALUES ($1, $2, $3, $4, 'running', 1, $5, clock_timestamp() + $6 * interval '1 millisecond')`,
      values: [...key, token, '30000'],
    });
    await pool.query({
      name: 'bare_update',
      text: `UPDATE ${schema}.bare SET status = 'completed', result = $5
        WHERE tenant_id = $1 AND run_id = $2 AND tool_name = $3 AND args_hash = $4`,
      values: [...key, RESULT],
    });
  },
  async replay() {
    await pool.query({
      name: 'bare_select',
      text: `SELECT status, attempts, result FROM ${schema}.bare
        WHERE tenant_id = $1 AND run_id = $2 AND tool_name = $3 AND args_hash = $4`,
      values: columns(replayed()),
    });
  },
};
const receipts = (target) => ({
  async execute() {
    const key = nextKey();
    const token = `token-${serial}`;
    const { attempt } = await target.claim(key, { effect: 'opaque', token, leaseMs: 30_000, maxAttempts: 5 });
    await target.complete(key, { attempt, token }, RESULT);
  },
  async replay() {
    const request = { effect: 'opaque', token: 'again', leaseMs: 30_000, maxAttempts: 5 };
    const { kind } = await target.claim(replayed(), request);
    if (kind !== 'replay') throw new Error(`The receipt was not replayed, but ${kind}.`);
  },
});

/** One of the keys that both tables have. */
const KEPT = 500;
let turn = 0;
const replayed = () => ({ tenantId: 'acme', runId: 'kept', toolName: 'send_email', argsHash: hashOf(++turn % KEPT) });
for (let index = 0; index < KEPT; index++) {
  const key = replayed();
  await pool.query(`INSERT INTO ${schema}.bare VALUES ($1, $2, $3, $4, 'completed', 1, 't', now(), $5)`, [
    ...columns(key),
    RESULT,
  ]);
  await store.claim(key, { effect: 'opaque', token: 't', leaseMs: 30_000, maxAttempts: 5 });
  await store.complete(key, { attempt: 1, token: 't' }, RESULT);
}

/** Runs `call` `calls` times, `flight` at once. */
const batch = (flight, call, calls = CALLS) => ({
  calls,
  async run() {
    let left = calls;
    await Promise.all(
      Array.from({ length: flight }, async () => {
        while (left-- > 0) await call();
      }),
    );
  },
});
const options = { rounds: ROUNDS, warmUps: 2, roundMs: 1, clock: 'wall' };

/** DBOS keeps its tables in a database of its own. */
async function openDbos() {
  const database = `holdfast_bench_dbos_${process.pid}`;
  await pool.query(`CREATE DATABASE ${database}`);
  const url = new globalThis.URL(URL);
  url.pathname = `/${database}`;
  const step = async () => JSON.parse(RESULT);
  const workflow = DBOS.registerWorkflow(() => DBOS.runStep(step, { name: 'send' }), { name: 'once' });
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url.href,
    systemDatabasePoolSize: CONNECTIONS,
    logLevel: 'error',
  });
  await DBOS.launch();
  const close = async () => {
    await DBOS.shutdown();
    await pool.query(`DROP DATABASE ${database} WITH (FORCE)`);
  };
  return { run: () => workflow(), close };
}

/** Server processes that work for this one, if they are on this machine. They stay while their connections are in use. */
async function servers() {
  const text = `SELECT pid FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND (application_name = $1 OR datname = $2)`;
  const { rows } = await pool.query(text, [APPLICATION, `holdfast_bench_dbos_${process.pid}`]);
  const pids = rows.map(({ pid }) => pid);
  return pids.every(isPostgres) ? { servers: pids } : {};
}

function isPostgres(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
  } catch {
    return false;
  }
}

let dbos;
const send = () => JSON.parse(RESULT);
const whole = () => executeOnce(store, nextKey(), send, { digest: sha256Digest });

try {
  await batch(CONNECTIONS, bare.execute).run(); // opens every connection
  Object.assign(options, await servers());
  for (const flight of IN_FLIGHT) {
    await compare(
      `one durable claim and completion, ${flight} at once`,
      {
        'INSERT + UPDATE by primary key': batch(flight, bare.execute),
        'receipts-postgres': batch(flight, receipts(store).execute),
        'receipts-postgres, durability B': batch(flight, receipts(deferred).execute),
      },
      options,
    );
    await compare(
      `one replay, ${flight} at once`,
      {
        'SELECT by primary key': batch(flight, bare.replay, 5 * CALLS),
        'receipts-postgres': batch(flight, receipts(store).replay, 5 * CALLS),
      },
      options,
    );
  }
  dbos = await openDbos();
  await batch(CONNECTIONS, dbos.run, 5 * CONNECTIONS).run();
  // Long batches: what one contender leaves to the background must not fall into the next one's time.
  await compare(
    `one recorded call, ${CONNECTIONS} at once`,
    {
      'claim and completion': batch(CONNECTIONS, receipts(store).execute, 4 * CALLS),
      executeOnce: batch(CONNECTIONS, whole, 4 * CALLS),
      'DBOS workflow of one step': batch(CONNECTIONS, dbos.run, CALLS / 2),
    },
    { ...options, ...(await servers()) },
  );
} finally {
  await dbos?.close();
  await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  await pool.end();
}
