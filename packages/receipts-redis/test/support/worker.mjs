/** A worker process: several workers with a client each. It does what its messages say and tells its parent the counts. */

import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { executeOnce } from '@holdfast/receipts';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { Redis } from 'ioredis';

const [url, prefix, effects, workers] = process.argv.slice(2);
const clients = Array.from({ length: Number(workers) }, () => new Redis(url));
const stores = await Promise.all(clients.map((client) => openRedisReceiptStore(client, { prefix, durability: 'B' })));

/** The effect leaves its trace outside the store, so that no count asks the store about itself. */
const happen = (key) => appendFileSync(effects, `${key.argsHash}\n`);

async function call(store, key, counts) {
  const effect = async () => {
    happen(key);
    await new Promise((resolve) => setImmediate(resolve));
    return key.argsHash;
  };
  const outcome = await executeOnce(store, key, effect, { whenBusy: 'wait', newToken, digest });
  if (outcome.value !== key.argsHash) throw new Error(`${key.argsHash} became ${JSON.stringify(outcome)}`);
  counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
}

/** Quicker than the defaults, which would be most of the work here. */
let serial = 0;
const newToken = () => `${process.pid}-${serial++}`;
const digest = (text) => createHash('sha256').update(text).digest('hex');

const jobs = {
  /** Every worker calls each of its keys. */
  async all({ keys, mine }) {
    const counts = {};
    await Promise.all(
      stores.map(async (store, worker) => {
        for (const hash of keys) {
          const key = { tenantId: 'tenant', runId: `run-${hash % 50}`, toolName: 'send_email', argsHash: `${hash}` };
          if (mine === undefined || (hash + worker + mine) % 50 < 2) await call(store, key, counts);
        }
      }),
    );
    return { counts };
  },
  /** Claims, and stays in the effect until it is killed or told to go on. */
  async hold({ key, effect, leaseMs }) {
    const outcome = await executeOnce(
      { ...wrapped(stores[0]), renew: () => new Promise(() => {}) },
      key,
      async ({ step }) => {
        await step('one', () => happen(key));
        process.send({ what: 'inside' });
        await new Promise((resolve) => process.once('message', resolve));
        return 'late';
      },
      { effect, leaseMs },
    );
    return { kind: outcome.kind };
  },
};

function wrapped(inner) {
  const verbs = ['claim', 'renew', 'step', 'complete', 'fail', 'resolve', 'read', 'list', 'collect'];
  return { durability: inner.durability, ...Object.fromEntries(verbs.map((verb) => [verb, inner[verb].bind(inner)])) };
}

process.on('message', async (order) => {
  if (order.what === 'do') process.send({ what: 'done', ...(await jobs[order.job](order)) });
  if (order.what === 'end') {
    for (const client of clients) client.disconnect();
    process.disconnect();
  }
});
process.send({ what: 'ready' });
