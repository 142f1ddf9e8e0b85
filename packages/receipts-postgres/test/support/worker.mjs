/** A worker process. It does what its orders say, and tells its parent at every point. */

import { appendFileSync } from 'node:fs';
import { executeOnce } from '@holdfast/receipts';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import pg from 'pg';

const [url, schema, effects, connections] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: Number(connections) });
/** The clock of the server is one that the test moves. */
const client = {
  query: ({ name: _, ...query }) =>
    pool.query({ ...query, text: query.text.replaceAll('clock_timestamp()', `${schema}.still_time()`) }),
};
const store = await openPostgresReceiptStore(client, { schema, migrations: 'check' });

const inbox = [];
let wake = () => {};
process.on('message', (message) => {
  inbox.push(message);
  wake();
});

async function next(what) {
  for (;;) {
    const index = inbox.findIndex((message) => message.what === what);
    if (index >= 0) return inbox.splice(index, 1)[0];
    await new Promise((resolve) => {
      wake = resolve;
    });
  }
}

const tell = (message) => new Promise((resolve) => process.send(message, undefined, undefined, resolve));

/** The effect leaves its trace outside the store, so that no count asks the store about itself. */
const happen = (key, part = '') => appendFileSync(effects, `${key.argsHash}${part}\n`);

const jobs = {
  /** Several workers of this process, each of which runs every key in an order of its own. */
  async all({ keys, workers }) {
    const kinds = {};
    const work = async (turn) => {
      for (const index of keys.keys()) {
        const key = keys[(index + turn) % keys.length];
        const run = () => {
          happen(key);
          return key.argsHash;
        };
        const outcome = await executeOnce(store, key, run, { whenBusy: 'wait' });
        if (outcome.value !== key.argsHash) throw new Error(`${key.argsHash} became ${JSON.stringify(outcome)}`);
        kinds[outcome.kind] = (kinds[outcome.kind] ?? 0) + 1;
      }
    };
    await Promise.all(workers.map(work));
    await tell({ what: 'done', kinds });
  },
  /** Runs a step, begins another, and stays there until it is told to go on. */
  async steps({ key, effect, leaseMs }) {
    const outcome = await executeOnce(
      store,
      key,
      async ({ step }) => {
        await step('one', () => happen(key, '-one'));
        await step('two', async () => {
          happen(key, '-two');
          await tell({ what: 'inside' });
          await next('go on');
        });
        return 'slept';
      },
      { effect, leaseMs },
    );
    await tell({ what: 'done', kind: outcome.kind });
  },
  /** Claims, waits, and then tries every write that a holder may make. */
  async writes({ key, request }) {
    const claimed = await store.claim(key, request);
    await tell({ what: 'inside', claimed: claimed.kind });
    await next('go on');
    const claim = { attempt: claimed.attempt, token: request.token };
    const answers = [
      await store.renew(key, claim, request.leaseMs),
      await store.step(key, claim, request.leaseMs, 'late', '1'),
      await store.fail(key, claim, { kind: 'terminal', error: 'late' }),
      await store.complete(key, claim, '"late"'),
    ];
    await tell({ what: 'done', answers: answers.map(({ kind }) => kind) });
  },
  /** Stays in a transaction of its own between the effect and the commit. */
  async transaction({ key }) {
    const client = await pool.connect();
    await client.query('BEGIN');
    const outcome = await store.executeInTransaction(client, key, async () => {
      await client.query(`INSERT INTO "${schema}".payments VALUES ($1)`, [key.argsHash]);
      return 'paid';
    });
    await tell({ what: 'inside', kind: outcome.kind });
    await next('go on');
    await client.query('COMMIT');
    client.release();
    await tell({ what: 'done' });
  },
};

await tell({ what: 'ready' });
const order = await next('do');
await jobs[order.job](order);
await pool.end();
process.disconnect();
