import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import { describe, expect, it } from 'vitest';
import { granted, hasServer, keyOf, newSchema, openPool, recording, request } from './support/databases.js';

const REPLAYED = keyOf('replayed');

describe.skipIf(!hasServer)('a claim, whichever way it goes first', () => {
  const pool = openPool({ max: 8 });
  const schema = pool.dropsLater(newSchema());
  const { client, sent } = recording(pool);
  let serial = 0;

  /** Two stores on one database: one that has just granted a first claim, and one that has just replayed a result. */
  async function stores() {
    const [first, replay] = await Promise.all([
      openPostgresReceiptStore(client, { schema, lockTimeoutMs: 200 }),
      openPostgresReceiptStore(client, { schema, lockTimeoutMs: 200 }),
    ]);
    await first.claim(REPLAYED, request('holder'));
    await first.complete(REPLAYED, { attempt: 1, token: 'holder' }, '"kept"');
    await granted(first, 'warm', {}, keyOf(`warm ${++serial}`));
    expect((await replay.claim(REPLAYED, request('again'))).kind).toBe('replay');
    return { first, replay };
  }

  type Store = Awaited<ReturnType<typeof stores>>['first'];
  const expire = (hash: string) =>
    pool.query(`UPDATE ${schema}.holdfast_receipts SET lease_until = now() WHERE args_hash = $1`, [hash]);
  const STATES: Record<string, [(store: Store, hash: string) => Promise<unknown>, string, number?]> = {
    absent: [async () => {}, 'execute', 1],
    running: [(store, hash) => granted(store, 'holder', {}, keyOf(hash)), 'wait', 1],
    'running, mine': [(store, hash) => granted(store, 'claimer', {}, keyOf(hash)), 'execute', 1],
    'abandoned, opaque': [
      async (store, hash) => {
        await granted(store, 'holder', {}, keyOf(hash));
        await expire(hash);
      },
      'ambiguous',
      1,
    ],
    'abandoned, resumable': [
      async (store, hash) => {
        await granted(store, 'holder', { effect: 'resumable' }, keyOf(hash));
        await expire(hash);
      },
      'execute',
      2,
    ],
    failed: [settled('clean'), 'execute', 2],
    'failed, mine': [settled('clean', 'claimer'), 'stale', 1],
    ambiguous: [settled('unknown'), 'ambiguous', 1],
    rejected: [settled('terminal'), 'rejected', 1],
    completed: [
      async (store, hash) =>
        store.complete(keyOf(hash), await granted(store, 'holder', {}, keyOf(hash)), 'completed 9 \\json:'),
      'replay',
      1,
    ],
    gone: [
      async (store, hash) => {
        await store.complete(keyOf(hash), await granted(store, 'holder', {}, keyOf(hash)), 'done');
        await pool.query(`UPDATE ${schema}.holdfast_receipts SET spent = true, result = NULL WHERE args_hash = $1`, [
          hash,
        ]);
      },
      'gone',
      1,
    ],
  };

  function settled(kind: 'clean' | 'unknown' | 'terminal', token = 'holder') {
    return async (store: Store, hash: string) =>
      store.fail(keyOf(hash), await granted(store, token, {}, keyOf(hash)), { kind, error: 'no' });
  }

  it.each(Object.entries(STATES))(
    'has the same answer in one round trip: %s',
    async (state, [arrange, kind, attempt]) => {
      const writer = await openPostgresReceiptStore(pool, { schema });
      const answers: unknown[] = [];
      for (const guess of ['first', 'replay'] as const) {
        const hash = `${state} ${guess} ${++serial}`;
        await arrange(writer, hash);
        const store = (await stores())[guess];
        sent.length = 0;
        const answer = await store.claim(keyOf(hash), { ...request('claimer'), effect: 'resumable' });
        expect(sent.map(({ name }) => name?.replace(/_\w{1,7}$/, ''))).toEqual([
          guess === 'first' ? 'holdfast_claim_first' : 'holdfast_claim',
        ]);
        expect(answer).toMatchObject({ kind, attempt });
        answers.push({ ...answer, remainingMs: 0, ageMs: 0 });
      }
      expect(answers[0]).toEqual(answers[1]);
    },
  );

  it('waits for a transaction that changes the receipt no longer than it may, and finds what is there', async () => {
    const { first } = await stores();
    const other = await pool.connect();
    await other.query('BEGIN');
    await other.query(`UPDATE ${schema}.holdfast_receipts SET changed_at = changed_at WHERE args_hash = 'replayed'`);
    expect(await first.claim(REPLAYED, request('again'))).toEqual({ kind: 'replay', attempt: 1, result: '"kept"' });
    await other.query('ROLLBACK');
    other.release();
  });

  it('goes the way that writes nothing inside a transaction of the host', async () => {
    const { first } = await stores();
    const host = await pool.connect();
    const within = recording(host);
    await host.query('BEGIN READ ONLY');
    const outcome = await first.executeInTransaction(within.client, REPLAYED, () => 'never');
    expect(outcome).toMatchObject({ kind: 'replayed', value: 'kept' });
    await host.query('ROLLBACK');
    host.release();
  });

  it('finds a result again after a refusal to write', async () => {
    await stores();
    const one = await pool.connect();
    const store = await openPostgresReceiptStore(one, { schema });
    await granted(store, 'warm', {}, keyOf(`warm ${++serial}`));
    await one.query('SET default_transaction_read_only = on');
    await expect(store.claim(REPLAYED, request('again'))).rejects.toMatchObject({ code: '25006' });
    expect((await store.claim(REPLAYED, request('again'))).kind).toBe('replay');
    one.release(true);
  });
});
