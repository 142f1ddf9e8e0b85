import { executeOnce, type ReceiptStore, type ToolCallReceiptKey } from '@holdfast/receipts';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasServer, keyOf, newSchema, openPool, request, stillClock } from './support/databases.js';
import { effectsFile, Worker } from './support/workers.js';

const MINUTE = 60_000;

async function runByFifty(schema: string, keys: readonly ToolCallReceiptKey[], perProcess: number[]) {
  const effects = effectsFile();
  const workers = perProcess.map(() => new Worker(schema, effects.path, 10));
  let turn = 0;
  const spread = Math.max(1, Math.floor(keys.length / 50));
  await Promise.all(
    workers.map((worker, index) => {
      const turns = Array.from({ length: perProcess[index] as number }, () => spread * turn++);
      return worker.starts({ job: 'all', keys, workers: turns });
    }),
  );
  const done = await Promise.all(workers.map((worker) => worker.hears('done')));
  const total = (kind: string) =>
    done.reduce((sum, { kinds }) => sum + ((kinds as Record<string, number>)[kind] ?? 0), 0);
  expect(await Promise.all(workers.map(({ exited }) => exited))).toEqual(workers.map(() => [0, null]));
  return { effects: effects.read(), executed: total('executed'), replayed: total('replayed') };
}

describe.skipIf(!hasServer)('several processes on one schema', () => {
  const pool = openPool();
  const schema = pool.dropsLater(newSchema());
  let store: ReceiptStore;
  let advance: (ms: number) => Promise<void>;

  beforeAll(async () => {
    const clock = await stillClock(pool, schema);
    advance = clock.advance;
    // Opened first, so that the functions in the database are on the clock that the test moves, for every process.
    store = await openPostgresReceiptStore(clock.client, { schema });
    await pool.query(`CREATE TABLE ${schema}.payments (reference text)`);
  });

  it('run one effect once when fifty workers want it', async () => {
    const found = await runByFifty(schema, [keyOf('one')], [17, 17, 16]);
    expect(found).toEqual({ effects: ['one'], executed: 1, replayed: 49 });
  });

  it('run each of many effects once when fifty workers want all of them', async () => {
    const count = Number(process.env.HOLDFAST_TEST_KEYS ?? 50);
    const keys = Array.from({ length: count }, (_, index) => keyOf(`key-${index}`));
    const found = await runByFifty(schema, keys, [17, 17, 16]);
    expect(found.effects.sort()).toEqual(keys.map(({ argsHash }) => argsHash).sort());
    expect([found.executed, found.replayed]).toEqual([count, 49 * count]);
  }, 600_000);

  it('find an opaque call ambiguous after SIGKILL inside its effect, until a reconciler knows', async () => {
    const effects = effectsFile();
    const key = keyOf('killed');
    const worker = new Worker(schema, effects.path);
    await worker.starts({ job: 'steps', key, effect: 'opaque', leaseMs: MINUTE });
    await worker.hears('inside');
    await worker.isKilled();
    expect(await executeOnce(store, key, () => 'never')).toMatchObject({ kind: 'busy', attempt: 1 });
    await advance(MINUTE);
    expect(await executeOnce(store, key, () => 'never')).toMatchObject({ kind: 'ambiguous', attempt: 1 });
    const reconcile = async () => ({ kind: 'happened', result: 'in the ledger' }) as const;
    expect(await executeOnce(store, key, () => 'never', { reconcile })).toMatchObject({ kind: 'replayed' });
    expect(effects.read()).toEqual(['killed-one', 'killed-two']);
  });

  it('resume a resumable call after SIGKILL where its journal ends', async () => {
    const effects = effectsFile();
    const key = keyOf('resumed');
    const worker = new Worker(schema, effects.path);
    await worker.starts({ job: 'steps', key, effect: 'resumable', leaseMs: MINUTE });
    await worker.hears('inside');
    await worker.isKilled();
    await advance(MINUTE);
    const ran: string[] = [];
    const outcome = await executeOnce(
      store,
      key,
      async ({ step, attempt }) => {
        await step('one', () => void ran.push('one'));
        await step('two', () => void ran.push('two'));
        return attempt;
      },
      { effect: 'resumable' },
    );
    expect(outcome).toMatchObject({ kind: 'executed', value: 2 });
    expect(ran).toEqual(['two']);
  });

  it('fence every write of a worker that was stopped past its lease and taken over', async () => {
    const key = keyOf('stopped');
    const worker = new Worker(schema, effectsFile().path);
    const resumable = { effect: 'resumable', leaseMs: MINUTE } as const;
    await worker.starts({ job: 'writes', key, request: request('zombie', resumable) });
    expect(await worker.hears('inside')).toMatchObject({ claimed: 'execute' });
    worker.process.kill('SIGSTOP');
    await advance(MINUTE);
    expect(await store.claim(key, request('holder', resumable))).toMatchObject({ kind: 'execute', attempt: 2 });
    worker.goesOn();
    worker.process.kill('SIGCONT');
    expect((await worker.hears('done')).answers).toEqual(['fenced', 'fenced', 'fenced', 'fenced']);
    const { receipts } = await store.list({ status: 'running' });
    expect(receipts).toMatchObject([{ attempt: 2, evidence: { attempt: 1, kind: 'completed', text: '"late"' } }]);
    expect(await store.complete(key, { attempt: 2, token: 'holder' }, '"new"')).toEqual({ kind: 'ok' });
  });

  it('let a stopped opaque worker heal its own receipt when it wakes', async () => {
    const key = keyOf('healed');
    const worker = new Worker(schema, effectsFile().path);
    await worker.starts({ job: 'steps', key, effect: 'opaque', leaseMs: MINUTE });
    await worker.hears('inside');
    worker.process.kill('SIGSTOP');
    await advance(MINUTE);
    expect(await executeOnce(store, key, () => 'never')).toMatchObject({ kind: 'ambiguous' });
    worker.goesOn();
    worker.process.kill('SIGCONT');
    expect(await worker.hears('done')).toMatchObject({ kind: 'executed' });
    expect(await executeOnce(store, key, () => 'never')).toMatchObject({ kind: 'replayed', value: 'slept' });
  });

  it('leave neither effect nor receipt of a transaction whose process was killed before its commit', async () => {
    const key = keyOf('in-transaction');
    const worker = new Worker(schema, effectsFile().path);
    await worker.starts({ job: 'transaction', key });
    expect(await worker.hears('inside')).toMatchObject({ kind: 'executed' });
    await worker.isKilled();
    const again = new Worker(schema, effectsFile().path);
    await again.starts({ job: 'transaction', key });
    expect(await again.hears('inside')).toMatchObject({ kind: 'executed' });
    again.goesOn();
    await again.hears('done');
    const { rows } = await pool.query(`SELECT reference FROM ${schema}.payments`);
    expect(rows).toEqual([{ reference: 'in-transaction' }]);
    expect(await executeOnce(store, key, () => 'never')).toMatchObject({ kind: 'replayed', value: 'paid' });
  });
});
