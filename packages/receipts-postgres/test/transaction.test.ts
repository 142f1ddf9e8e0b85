import { executeOnce } from '@holdfast/receipts';
import { openPostgresReceiptStore, type PostgresReceiptStore } from '@holdfast/receipts-postgres';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  empty,
  granted,
  hasServer,
  keyOf,
  LEASE,
  newSchema,
  openPool,
  POSTGRES_URL,
  request,
  transactionFails,
} from './support/databases.js';

const KEY = keyOf('paid');

describe.skipIf(!hasServer)('a receipt in a transaction of the host', () => {
  const pool = openPool({ max: 8 });
  const schema = pool.dropsLater(newSchema());
  let store: PostgresReceiptStore;

  beforeAll(async () => {
    store = await openPostgresReceiptStore(pool, { schema, lockTimeoutMs: 50 });
    await pool.query(`CREATE TABLE ${schema}.payments (reference text)`);
  });
  beforeEach(async () => {
    await empty(pool, schema);
    await pool.query(`DELETE FROM ${schema}.payments`);
  });

  const payments = async () => (await pool.query(`SELECT reference FROM ${schema}.payments`)).rows.length;
  const pay = (client: pg.Client) => async () => {
    await client.query(`INSERT INTO ${schema}.payments VALUES ('one')`);
    return 'paid';
  };
  async function begun(how = 'BEGIN'): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: POSTGRES_URL });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(how);
    return client;
  }
  /** Until this backend waits for somebody's lock. */
  async function waits(client: pg.Client): Promise<void> {
    const { processID } = client as unknown as { readonly processID: number };
    for (;;) {
      const { rows } = await pool.query('SELECT pg_blocking_pids($1) AS pids', [processID]);
      if (rows[0].pids.length > 0) return;
    }
  }

  it('commits with its effect, and replays after that', async () => {
    const client = await begun();
    expect(await store.executeInTransaction(client, KEY, pay(client))).toMatchObject({
      kind: 'executed',
      value: 'paid',
    });
    expect(await payments()).toBe(0);
    expect((await store.list()).receipts).toEqual([]);
    await client.query('COMMIT');
    expect(await payments()).toBe(1);
    await client.query('BEGIN');
    expect(await store.executeInTransaction(client, KEY, pay(client))).toMatchObject({
      kind: 'replayed',
      value: 'paid',
    });
    await client.query('COMMIT');
    expect(await executeOnce(store, KEY, () => 'never')).toMatchObject({ kind: 'replayed', value: 'paid' });
    expect(await payments()).toBe(1);
  });

  it('gives an attempt back that is aborted before its effect begins', async () => {
    const client = await begun();
    const host = new AbortController();
    let looks = 0;
    // The second look at the clock is where the claim is sent.
    const now = () => {
      if (++looks === 2) host.abort('stopped');
      return performance.now();
    };
    const aborted = await store.executeInTransaction(client, KEY, pay(client), { signal: host.signal, now });
    expect(aborted).toEqual({ kind: 'aborted', reason: 'stopped' });
    await client.query('COMMIT');
    expect(await store.read(KEY)).toMatchObject({ status: 'failed', attempt: 1 });
    expect(await payments()).toBe(0);
  });

  it('says ambiguous, once, where the provider may have forgotten the key', async () => {
    await store.claim(KEY, request('dead', { effect: 'resumable', leaseMs: 1 }));
    await pool.query(`UPDATE ${schema}.holdfast_receipts SET created_at = created_at - interval '1 day'`);
    const client = await begun();
    const options = { effect: 'resumable', leaseMs: 1_000, maxAttempts: 5, providerKeyWindowMs: 5_000 } as const;
    const outcome = await store.executeInTransaction(client, KEY, pay(client), options);
    expect(outcome).toMatchObject({ kind: 'ambiguous', attempt: 2 });
    await client.query('COMMIT');
    expect(await store.read(KEY)).toMatchObject({ status: 'ambiguous', attempt: 2 });
    expect(await payments()).toBe(0);
  });

  it('leaves nothing of a transaction that is rolled back', async () => {
    const client = await begun();
    await store.executeInTransaction(client, KEY, pay(client));
    await client.query('ROLLBACK');
    expect([await payments(), (await store.list()).receipts]).toEqual([0, []]);
    await client.query('BEGIN');
    expect(await store.executeInTransaction(client, KEY, pay(client))).toMatchObject({ kind: 'executed', attempt: 1 });
    await client.query('COMMIT');
    expect(await payments()).toBe(1);
  });

  it('takes back what an effect did before it threw, and lets the transaction go on', async () => {
    const client = await begun();
    const broken = new Error('the card reader is out of paper');
    const failing = store.executeInTransaction(client, KEY, async () => {
      await pay(client)();
      throw broken;
    });
    await expect(failing).rejects.toBe(broken);
    const refused = store.executeInTransaction(client, KEY, () => client.query('SELECT 1 / 0'));
    await expect(refused).rejects.toMatchObject({ code: '22012' });
    expect(await store.executeInTransaction(client, keyOf('next'), pay(client))).toMatchObject({ kind: 'executed' });
    await client.query('COMMIT');
    expect(await payments()).toBe(1);
    expect((await store.list()).receipts.map(({ key }) => key.argsHash)).toEqual(['next']);
  });

  it('makes the same call in another transaction wait, and replay after the commit', async () => {
    const [first, second] = [await begun(), await begun()];
    await store.executeInTransaction(first, KEY, pay(first));
    const duplicate = store.executeInTransaction(second, KEY, pay(second));
    await waits(second);
    await first.query('COMMIT');
    expect(await duplicate).toMatchObject({ kind: 'replayed', value: 'paid' });
    await second.query('COMMIT');
    expect(await payments()).toBe(1);
  });

  it('lets the waiting call run when the first rolls back', async () => {
    const [first, second] = [await begun(), await begun()];
    await store.executeInTransaction(first, KEY, pay(first));
    const duplicate = store.executeInTransaction(second, KEY, pay(second));
    await waits(second);
    await first.query('ROLLBACK');
    expect(await duplicate).toMatchObject({ kind: 'executed' });
    await second.query('COMMIT');
    expect(await payments()).toBe(1);
  });

  it('answers wait to a claim outside while the transaction is open', async () => {
    const client = await begun();
    await store.executeInTransaction(client, KEY, pay(client));
    expect(await store.claim(KEY, request('b'))).toMatchObject({ kind: 'wait', attempt: 1, remainingMs: 50 });
    await client.query('COMMIT');
    expect(await store.claim(KEY, request('b'))).toMatchObject({ kind: 'replay' });
  });

  it('tells a live attempt outside from one inside, and never runs beside it', async () => {
    await granted(store, 'a', {}, KEY);
    const client = await begun();
    expect(await store.executeInTransaction(client, KEY, pay(client))).toMatchObject({ kind: 'busy', attempt: 1 });
    await client.query('COMMIT');
    expect(await payments()).toBe(0);
    expect(await store.renew(KEY, { attempt: 1, token: 'a' }, LEASE)).toEqual({ kind: 'ok' });
  });

  it('rejects with the error of the server when the transaction cannot be serialized, and runs when it is retried', async () => {
    for (const level of ['REPEATABLE READ', 'SERIALIZABLE']) {
      await empty(pool, schema);
      await pool.query(`DELETE FROM ${schema}.payments`);
      const client = await begun(`BEGIN ISOLATION LEVEL ${level}`);
      await client.query('SELECT 1');
      await store.fail(KEY, await granted(store, 'a', {}, KEY), { kind: 'clean', error: 'no' });
      await expect(store.executeInTransaction(client, KEY, pay(client)), level).rejects.toMatchObject({
        code: '40001',
      });
      await client.query('ROLLBACK');
      await client.query(`BEGIN ISOLATION LEVEL ${level}`);
      expect(await store.executeInTransaction(client, KEY, pay(client))).toMatchObject({
        kind: 'executed',
        attempt: 2,
      });
      await client.query('COMMIT');
      expect(await payments()).toBe(1);
    }
  });

  it('is refused without a transaction, in a failed one, and through a pool', async () => {
    const client = await begun('SELECT 1');
    const refusal = (fault: string) => ({ code: 'ERR_HOLDFAST_POSTGRES_TRANSACTION', fault });
    await expect(store.executeInTransaction(client, KEY, pay(client))).rejects.toMatchObject(refusal('none'));
    await expect(store.executeInTransaction(pool, KEY, pay(client))).rejects.toMatchObject(refusal('none'));
    await client.query('BEGIN');
    await expect(client.query('SELECT 1 / 0')).rejects.toThrow();
    await transactionFails(client);
    await expect(store.executeInTransaction(client, KEY, pay(client))).rejects.toMatchObject(refusal('failed'));
    await client.query('ROLLBACK');
    expect([await payments(), (await store.list()).receipts]).toEqual([0, []]);
  });

  it('refuses an effect that ends the transaction', async () => {
    for (const end of ['ROLLBACK', 'COMMIT']) {
      const client = await begun();
      const ending = store.executeInTransaction(client, keyOf(end), () => client.query(end).then(() => 'ended'));
      await expect(ending, end).rejects.toMatchObject({ code: 'ERR_HOLDFAST_POSTGRES_TRANSACTION', fault: 'ended' });
    }
  });

  it('refuses an effect that goes on after an error of the database, and takes it back', async () => {
    const client = await begun();
    const caught = store.executeInTransaction(client, KEY, async () => {
      await pay(client)();
      await client.query('SELECT 1 / 0').catch(() => undefined);
      return 'paid';
    });
    await expect(caught).rejects.toMatchObject({ code: 'ERR_HOLDFAST_POSTGRES_TRANSACTION', fault: 'caught' });
    const kept = store.executeInTransaction(client, KEY, async () => {
      await client.query('SAVEPOINT own');
      await client.query('SELECT 1 / 0').catch(() => client.query('ROLLBACK TO own'));
      return pay(client)();
    });
    expect(await kept).toMatchObject({ kind: 'executed', attempt: 1 });
    await client.query('COMMIT');
    expect([await payments(), (await store.list()).receipts.length]).toEqual([1, 1]);
  });

  it('takes calls inside one another', async () => {
    const client = await begun();
    const outer = await store.executeInTransaction(client, KEY, async () => {
      const inner = await store.executeInTransaction(client, keyOf('inner'), pay(client));
      return inner.kind;
    });
    expect(outer).toMatchObject({ kind: 'executed', value: 'executed' });
    await client.query('COMMIT');
    const both = (await store.list()).receipts.map(({ key }) => key.argsHash);
    expect([await payments(), both.sort()]).toEqual([1, ['inner', 'paid']]);
  });

  it('refuses calls that overlap on one client, and leaves nothing of them', async () => {
    const client = await begun();
    let inside = () => {};
    const begins = new Promise<void>((resolve) => {
      inside = resolve;
    });
    let goOn = () => {};
    const first = store.executeInTransaction(client, keyOf('first'), async () => {
      await begins;
      return 1;
    });
    const second = store.executeInTransaction(client, keyOf('second'), async () => {
      inside();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return 2;
    });
    await expect(first).rejects.toMatchObject({ code: 'ERR_HOLDFAST_POSTGRES_TRANSACTION', fault: 'overlapping' });
    goOn();
    await expect(second).rejects.toMatchObject({ code: 'ERR_HOLDFAST_POSTGRES_TRANSACTION' });
    // What cannot be taken back alone fails the whole transaction.
    await client.query('COMMIT');
    expect([await payments(), (await store.list()).receipts]).toEqual([0, []]);
  });

  it('keeps the ways of executeOnce: context, waiting, results that are undefined', async () => {
    const client = await begun();
    const outcome = await store.executeInTransaction(client, KEY, ({ attempt, idempotencyKey, signal }) => {
      expect([attempt, typeof idempotencyKey, signal.aborted]).toEqual([1, 'string', false]);
    });
    expect(outcome).toEqual({ kind: 'executed', attempt: 1, value: undefined, kept: { kind: 'inline' } });
    await client.query('COMMIT');
    expect(await executeOnce(store, KEY, () => 'never')).toEqual({ kind: 'replayed', attempt: 1, value: undefined });
  });
});
