import { openPostgresReceiptStore, type PostgresClient, type PostgresQuery } from '@holdfast/receipts-postgres';
import { beforeEach, describe, expect, it } from 'vitest';
import { granted, hasServer, keyOf, LEASE, newSchema, openPool, recording, request } from './support/databases.js';

const KEY = keyOf('hash');

interface PlanNode {
  readonly 'WAL Records'?: number;
  readonly 'Index Name'?: string;
  readonly 'Node Type'?: string;
  readonly Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function explain(client: PostgresClient, { text, values }: PostgresQuery): Promise<PlanNode[]> {
  const query = { text: `EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${text}`, values: values ?? [] };
  const { rows } = await client.query(query);
  const [{ Plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
  return nodesOf(Plan);
}

describe.skipIf(!hasServer)('the round trips of the PostgreSQL store', () => {
  const pool = openPool({ max: 32 });
  const schema = pool.dropsLater(newSchema());
  const { client, sent } = recording(pool);
  const open = () => openPostgresReceiptStore(client, { schema });

  beforeEach(async () => {
    await open();
    // Plans and pages must not depend on dead rows, which stay while any other session has an old snapshot.
    await pool.query(`TRUNCATE ${schema}.holdfast_receipts CASCADE`);
    sent.length = 0;
  });

  it('are one to open an up-to-date schema', async () => {
    await open();
    expect(sent).toHaveLength(1);
  });

  it('are one for each verb, and two for an end that is refused', async () => {
    const store = await open();
    const resumable = { effect: 'resumable' } as const;
    const claim = await granted(store, 'a', resumable);
    const asked: [string, () => Promise<{ readonly kind?: string }>][] = [
      ['wait', () => store.claim(KEY, request('b'))],
      ['execute', () => store.claim(KEY, request('a', resumable))],
      ['ok', () => store.renew(KEY, claim, LEASE)],
      ['ok', () => store.step(KEY, claim, LEASE, 'one', '1')],
      ['ok', () => store.step(KEY, claim, LEASE, 'one', '2')],
      ['fenced', () => store.renew(KEY, { attempt: 1, token: 'b' }, LEASE)],
      ['fenced', () => store.step(KEY, { attempt: 1, token: 'b' }, LEASE, 'two', '2')],
      ['fenced', () => store.complete(KEY, { attempt: 1, token: 'b' }, 'other')],
      ['ok', () => store.fail(KEY, claim, { kind: 'clean', error: 'no' })],
      ['already', () => store.fail(KEY, claim, { kind: 'clean', error: 'no' })],
      ['stale', () => store.claim(KEY, request('a'))],
      ['execute', () => store.claim(KEY, request('b'))],
      ['fenced', () => store.complete(KEY, claim, 'late')],
      ['ok', () => store.fail(KEY, { attempt: 2, token: 'b' }, { kind: 'unknown', error: 'timeout' })],
      ['ambiguous', () => store.claim(KEY, request('c'))],
      ['ok', () => store.resolve(KEY, 2, { kind: 'happened', result: 'found' })],
      ['fenced', () => store.resolve(KEY, 2, { kind: 'did-not-happen' })],
      ['replay', () => store.claim(KEY, request('c'))],
      ['execute', () => store.claim(keyOf('other'), request('d'))],
      ['ok', () => store.complete(keyOf('other'), { attempt: 1, token: 'd' }, 'done')],
      ['already', () => store.complete(keyOf('other'), { attempt: 1, token: 'd' }, 'done')],
    ];
    for (const [expected, ask] of asked) {
      sent.length = 0;
      const kind = (await ask()).kind as string;
      const isRefusedEnd = /store\.(complete|fail)/.test(ask.toString()) && kind !== 'ok';
      expect([kind, sent.length], ask.toString()).toEqual([expected, isRefusedEnd ? 2 : 1]);
    }
    const looks = [() => store.read(KEY), () => store.list()];
    for (const ask of [...looks, () => store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 9e9 })]) {
      sent.length = 0;
      await ask();
      expect(sent).toHaveLength(1);
    }
    expect((await store.claim(KEY, request('c'))).kind).toBe('gone');
  });

  it('are one for each of 32 claimers of one key, first or taking over', async () => {
    const store = await open();
    const herd = (round: string) =>
      Promise.all(Array.from({ length: 32 }, (_, index) => store.claim(keyOf(round), request(`${round} ${index}`))));
    for (let round = 0; round < 10; round++) {
      const kinds = (await herd(`round ${round}`)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'execute')).toHaveLength(1);
      expect(kinds.filter((kind) => kind === 'wait')).toHaveLength(31);
      const failed = (await store.list({ status: 'running' })).receipts.map(({ key }) => key);
      for (const key of failed) await store.resolve(key, 1, { kind: 'did-not-happen' });
    }
    expect(sent.filter(({ name }) => name?.startsWith('holdfast_claim'))).toHaveLength(320);
  });

  it('leave no log, lock or new version behind for a replay, a wait or an ambiguity', async () => {
    const store = await open();
    await store.complete(KEY, await granted(store, 'a'), 'done');
    await granted(store, 'b', {}, keyOf('live'));
    const unknown = await granted(store, 'c', {}, keyOf('unknown'));
    await store.fail(keyOf('unknown'), unknown, { kind: 'unknown', error: 'timeout' });
    const rows = async () => {
      const { rows: found } = await pool.query(
        `SELECT ctid, xmin, xmax FROM ${schema}.holdfast_receipts ORDER BY ctid`,
      );
      return found;
    };
    const before = await rows();
    for (const key of [KEY, keyOf('live'), keyOf('unknown')]) {
      sent.length = 0;
      await store.claim(key, request('again'));
      const nodes = await explain(pool, sent[0] as PostgresQuery);
      expect(nodes.map((node) => node['WAL Records'] ?? 0)).toEqual(nodes.map(() => 0));
    }
    expect(await rows()).toEqual(before);
    sent.length = 0;
    await store.claim(keyOf('new'), request('first'));
    const claim = sent[0] as PostgresQuery;
    const written = await explain(pool, { ...claim, values: [...(claim.values ?? [])].with(3, 'newer') });
    expect(written[0]?.['WAL Records']).toBeGreaterThan(0);
  });

  it('use the indexes to find the receipts of a run, and those to collect among many, in order', async () => {
    const store = await open();
    await pool.query(`INSERT INTO ${schema}.holdfast_receipts (tenant_id, run_id, tool_name, args_hash, status, attempts, effect,
        token, lease_until, result, resolved, created_at, changed_at)
      SELECT 't', 'run ' || n % 100, 'tool', n::text, (ARRAY['completed', 'failed'])[1 + n % 2], 1, 'opaque', 'x', now(),
        CASE WHEN n % 2 = 0 THEN 'done' END, false, now() - n * interval '1 second', now() - n * interval '1 second'
      FROM generate_series(1, 5000) AS n`);
    await granted(store, 'a');
    await pool.query(`ANALYZE ${schema}.holdfast_receipts`);
    const indexesOf = async (ask: () => Promise<unknown>) => {
      sent.length = 0;
      await ask();
      const nodes = await explain(pool, sent[0] as PostgresQuery);
      return nodes.map((node) => node['Index Name']).filter((name) => name?.startsWith('holdfast_receipts_'));
    };
    // What the README offers to hosts that often ask for what is open.
    await pool.query(`CREATE INDEX holdfast_receipts_open ON ${schema}.holdfast_receipts (tenant_id, run_id)
      WHERE status IN ('running', 'ambiguous')`);
    for (const status of ['running', 'expired', 'ambiguous'] as const) {
      expect(await indexesOf(() => store.list({ status })), status).toEqual(['holdfast_receipts_open']);
    }
    await pool.query(`DROP INDEX ${schema}.holdfast_receipts_open`);
    const key = ['holdfast_receipts_pkey'];
    expect(await indexesOf(() => store.list({ tenantId: 't', runId: 'run 7' }))).toEqual(key);
    expect(await indexesOf(() => store.list({ tenantId: 't', runId: 'run 7', status: 'ambiguous' }))).toEqual(key);
    const collect = () => store.collect({ dropResultsAfterMs: 3_000_000, removeKeysAfterMs: 3_000_500, limit: 10 });
    expect((await indexesOf(collect)).filter((name) => name === 'holdfast_receipts_shelf')).toHaveLength(2);
    const nodes = await explain(pool, sent[0] as PostgresQuery);
    expect(nodes.filter((node) => node['Node Type'] === 'Sort')).toEqual([]);
  });

  it('end an attempt without writing to an index', async () => {
    const store = await open();
    const one = await pool.connect();
    const updates = async () => {
      const { rows } = await one.query(`SELECT pg_stat_get_xact_tuples_updated(oid)::integer AS whole,
        pg_stat_get_xact_tuples_hot_updated(oid)::integer AS heap FROM pg_class WHERE oid = '${schema}.holdfast_receipts'::regclass`);
      return rows[0] as { readonly whole: number; readonly heap: number };
    };
    await one.query('BEGIN');
    const before = await updates();
    for (const name of ['one', 'two', 'three']) await store.executeInTransaction(one, keyOf(name), async () => name);
    const after = await updates();
    await one.query('ROLLBACK');
    one.release();
    expect([after.whole - before.whole, after.heap - before.heap]).toEqual([3, 3]);
  });

  it('go without names where the host says so', async () => {
    const store = await openPostgresReceiptStore(client, { schema, preparedStatements: 'unnamed' });
    await granted(store, 'a');
    expect(sent.every(({ name }) => name === undefined)).toBe(true);
    await granted(await open(), 'b', {}, keyOf('named'));
    expect(sent.at(-1)?.name).toMatch(/^holdfast_claim_\w{1,13}$/);
  });
});
