/** A worker process. It does what its messages say, one after another, and tells its parent at every point. */

import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { executeOnce } from '@holdfast/receipts';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';

const require = createRequire(import.meta.url);
const Libsql = require(process.env.HOLDFAST_BETTER_SQLITE3 ?? 'libsql');
const [path, effects] = process.argv.slice(2);
const store = openSqliteReceiptStore(new Libsql(path), { durability: 'B' });

const inbox = [];
let wake = () => {};
process.on('message', (message) => {
  inbox.push(message);
  wake();
});

async function next(what) {
  while (!inbox.some((message) => message.what === what)) {
    await new Promise((resolve) => {
      wake = resolve;
    });
  }
  return inbox.splice(
    inbox.findIndex((message) => message.what === what),
    1,
  )[0];
}

const tell = (message) => new Promise((resolve) => process.send(message, undefined, undefined, resolve));

/** The effect leaves its trace outside the store, so that no count asks the store about itself. */
const happen = (key, part = '') => appendFileSync(effects, `${key.argsHash}${part}\n`);

const jobs = {
  /** Runs every key once, in an order of its own. */
  async all({ keys, turn }) {
    const kinds = {};
    for (const [index] of keys.entries()) {
      const key = keys[(index + turn) % keys.length];
      const outcome = await executeOnce(
        store,
        key,
        async () => {
          happen(key);
          await new Promise((resolve) => setImmediate(resolve));
          return key.argsHash;
        },
        { whenBusy: 'wait' },
      );
      if (outcome.value !== key.argsHash) throw new Error(`${key.argsHash} became ${JSON.stringify(outcome)}`);
      kinds[outcome.kind] = (kinds[outcome.kind] ?? 0) + 1;
    }
    await tell({ what: 'done', kinds });
  },
  /** Runs a step, begins another, and stays there until it is told to go on. */
  async steps({ key, effect, leaseMs }) {
    const silent = { ...wrapped(store), renew: () => new Promise(() => {}) };
    const outcome = await executeOnce(
      silent,
      key,
      async ({ step, signal }) => {
        await step('one', () => happen(key, '-one'));
        const aborted = await step('two', async () => {
          happen(key, '-two');
          await tell({ what: 'inside' });
          await next('go on');
          await new Promise((resolve) => setImmediate(resolve));
          return signal.aborted;
        });
        return { aborted };
      },
      { effect, leaseMs },
    );
    const threw = outcome.effect?.error?.code;
    await tell({ what: 'done', kind: outcome.kind, threw, value: outcome.value });
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
};

function wrapped(inner) {
  const verbs = ['claim', 'renew', 'step', 'complete', 'fail', 'resolve', 'read', 'list', 'collect'];
  return { durability: inner.durability, ...Object.fromEntries(verbs.map((verb) => [verb, inner[verb].bind(inner)])) };
}

await tell({ what: 'ready' });
const order = await next('do');
await jobs[order.job](order);
process.disconnect();
