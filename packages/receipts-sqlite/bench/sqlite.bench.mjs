/**
 * What a receipt costs beside the bare minimum in the same file system, through the same driver, in the same modes: a durable
 * claim and completion against one INSERT and one UPDATE by primary key, and a replay against one SELECT by primary key.
 * Each write is a transaction of its own. Not measured: several processes, other drivers, large results.
 *
 * HOLDFAST_BENCH_ROUNDS sets the rounds, HOLDFAST_BENCH_DIRECTORY the disk.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { compare } from '../../../scripts/bench.mjs';

const ROUNDS = Number(process.env.HOLDFAST_BENCH_ROUNDS ?? 9);
const RESULT = JSON.stringify({ messageId: 'm-1', body: 'x'.repeat(180) });
const KEPT = 500;
const require = createRequire(import.meta.url);
const Database = require('libsql');
const directory = mkdtempSync(join(process.env.HOLDFAST_BENCH_DIRECTORY ?? tmpdir(), 'receipts-sqlite-bench-'));

const hashOf = (number) => `sha256:${String(number).padStart(64, '0')}`;
const columns = (key) => [key.tenantId, key.runId, key.toolName, key.argsHash];
const runs = (count) => ({
  tenantId: 'acme',
  runId: `run-${count % 97}`,
  toolName: 'send_email',
  argsHash: hashOf(count),
});

function openBare(synchronous) {
  const database = new Database(join(directory, `bare-${synchronous}.db`));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; CREATE TABLE bare (
    tenant_id TEXT NOT NULL, run_id TEXT NOT NULL, tool_name TEXT NOT NULL, args_hash TEXT NOT NULL, status TEXT NOT NULL,
    attempts INTEGER NOT NULL, token TEXT NOT NULL, lease_until REAL NOT NULL, result TEXT,
    PRIMARY KEY (tenant_id, run_id, tool_name, args_hash)) STRICT, WITHOUT ROWID`);
  const key = 'tenant_id = ? AND run_id = ? AND tool_name = ? AND args_hash = ?';
  const insert = database.prepare("INSERT INTO bare VALUES (?, ?, ?, ?, 'running', 1, ?, ?, NULL)");
  const update = database.prepare(`UPDATE bare SET status = 'completed', result = ? WHERE ${key}`);
  const select = database.prepare(`SELECT status, attempts, result FROM bare WHERE ${key}`);
  let serial = 0;
  let turn = 0;
  const execute = () => {
    const key = columns(runs(++serial));
    insert.run(...key, `token-${serial}`, performance.now() + 30_000);
    update.run(RESULT, ...key);
  };
  for (let index = 0; index < KEPT; index++) execute();
  return { execute, replay: () => select.get(...columns(runs((turn++ % KEPT) + 1))).result };
}

async function openReceipts(durability) {
  const database = new Database(join(directory, `receipts-${durability}.db`));
  const store = openSqliteReceiptStore(database, { durability });
  let serial = 0;
  let turn = 0;
  const execute = async () => {
    const key = runs(++serial);
    const token = `token-${serial}`;
    const { attempt } = await store.claim(key, { effect: 'opaque', token, leaseMs: 30_000, maxAttempts: 5 });
    await store.complete(key, { attempt, token }, RESULT);
  };
  const again = { effect: 'opaque', token: 'again', leaseMs: 30_000, maxAttempts: 5 };
  const replay = async () => (await store.claim(runs((turn++ % KEPT) + 1), again)).result;
  for (let index = 0; index < KEPT; index++) await execute();
  return { execute, replay };
}

/** One promise for many calls, as a host has it that awaits each. */
const batch = (call, calls) => ({
  calls,
  async run() {
    for (let index = 0; index < calls; index++) await call();
  },
});

const options = { rounds: ROUNDS, warmUps: 2, roundMs: 1, clock: 'wall' };
try {
  for (const [durability, synchronous, calls] of [
    ['A', 'FULL', 60],
    ['B', 'NORMAL', 400],
  ]) {
    const bare = openBare(synchronous);
    const receipts = await openReceipts(durability);
    const written = {
      'INSERT + UPDATE by primary key': batch(bare.execute, calls),
      'receipts-sqlite': batch(receipts.execute, calls),
    };
    await compare(`one claim and completion, synchronous=${synchronous}`, written, options);
    if (durability === 'A') continue;
    const read = {
      'SELECT by primary key': batch(bare.replay, 2_000),
      'receipts-sqlite': batch(receipts.replay, 2_000),
    };
    await compare('one replay', read, options);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
