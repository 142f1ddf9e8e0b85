import { executeOnce } from '@holdfast/receipts';
import {
  openPostgresReceiptStore,
  type PostgresClient,
  PostgresSchemaError,
  postgresReceiptSchemaSql,
} from '@holdfast/receipts-postgres';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  granted,
  hasServer,
  keyOf,
  newSchema,
  openPool,
  POSTGRES_URL,
  recording,
  request,
  rewriting,
  transactionFails,
} from './support/databases.js';

const KEY = keyOf('hash');

describe.skipIf(!hasServer)('opening a PostgreSQL store', () => {
  const pool = openPool({ max: 12 });
  const newStore = async () => {
    const schema = pool.dropsLater(newSchema());
    return { schema, store: await openPostgresReceiptStore(pool, { schema }) };
  };
  async function connected(options = ''): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: POSTGRES_URL, ...(options !== '' && { options }) });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  it('creates the tables once, however many processes begin at the same moment', async () => {
    const schema = pool.dropsLater(newSchema());
    const stores = await Promise.all(Array.from({ length: 12 }, () => openPostgresReceiptStore(pool, { schema })));
    expect(stores.map(({ durability }) => durability)).toEqual(stores.map(() => 'A'));
    const { rows } = await pool.query(`SELECT version FROM ${schema}.holdfast_receipt_schema`);
    expect(rows).toEqual([{ version: 1 }]);
  });

  it('does so too where transactions keep their first view', async () => {
    const schema = pool.dropsLater(newSchema());
    const clients = await Promise.all(
      Array.from({ length: 4 }, () => connected('-c default_transaction_isolation=serializable')),
    );
    const stores = await Promise.all(clients.map((client) => openPostgresReceiptStore(client, { schema })));
    const kinds = await Promise.all(stores.map((store, index) => store.claim(KEY, request(`token ${index}`))));
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['execute', 'wait', 'wait', 'wait']);
  });

  it('takes any schema name as it is, and none that PostgreSQL would change', async () => {
    for (const name of [
      `o"; DROP TABLE x; --'\\ ${process.pid}`,
      `$holdfast$ ${process.pid}`,
      `Käse 😀 ${process.pid}`,
    ]) {
      const strict = await connected('-c standard_conforming_strings=off -c backslash_quote=off');
      const store = await openPostgresReceiptStore(strict, { schema: pool.dropsLater(name) });
      await store.complete(KEY, await granted(store, 'a'), 'done');
      expect((await store.list()).receipts).toHaveLength(1);
    }
    for (const schema of ['', 'x'.repeat(64), 'ä'.repeat(32), 'a\u0000b', 'a\ud800']) {
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION', field: 'schema' };
      await expect(openPostgresReceiptStore(pool, { schema })).rejects.toMatchObject(refused);
    }
  });

  it('keeps two schemas of one pool apart', async () => {
    const [one, other] = [await newStore(), await newStore()];
    await granted(one.store, 'a');
    await granted(other.store, 'b');
    expect((await one.store.claim(KEY, request('c'))).kind).toBe('wait');
  });

  it('refuses a schema of a newer version, and leaves it alone', async () => {
    const { schema } = await newStore();
    await pool.query(`INSERT INTO ${schema}.holdfast_receipt_schema (version) VALUES (9)`);
    for (const migrations of ['apply', 'check'] as const) {
      const opening = openPostgresReceiptStore(pool, { schema, migrations });
      await expect(opening).rejects.toMatchObject({ code: 'ERR_HOLDFAST_POSTGRES_SCHEMA', found: 9, supported: 1 });
      await expect(openPostgresReceiptStore(pool, { schema, migrations })).rejects.toThrow(/version 9/);
    }
    await pool.query(postgresReceiptSchemaSql({ schema }));
    const { rows } = await pool.query(`SELECT version FROM ${schema}.holdfast_receipt_schema ORDER BY version`);
    expect(rows).toEqual([{ version: 1 }, { version: 9 }]);
  });

  it('only checks where the host runs the migrations itself', async () => {
    const schema = pool.dropsLater(newSchema());
    const opening = openPostgresReceiptStore(pool, { schema, migrations: 'check' });
    await expect(opening).rejects.toMatchObject({ code: 'ERR_HOLDFAST_POSTGRES_SCHEMA', found: 0 });
    const { rows } = await pool.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
    expect(rows).toEqual([]);
    for (let time = 0; time < 2; time++) await pool.query(postgresReceiptSchemaSql({ schema }));
    const store = await openPostgresReceiptStore(pool, { schema, migrations: 'check' });
    expect((await store.claim(KEY, request('a'))).kind).toBe('execute');
  });

  it('says what to do when the tables are gone', async () => {
    const { schema, store } = await newStore();
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    const asking = store.claim(KEY, request('a'));
    await expect(asking).rejects.toBeInstanceOf(PostgresSchemaError);
    await expect(executeOnce(store, KEY, () => 1)).rejects.toThrow(/postgresReceiptSchemaSql/);
  });

  it('refuses a server without fsync, unlogged tables, and a connection that only reads', async () => {
    const { schema, store } = await newStore();
    await granted(store, 'a');
    const refusal = (fault: string) => ({ code: 'ERR_HOLDFAST_POSTGRES_DURABILITY', fault });
    const careless = rewriting(pool, (text) => text.replace("current_setting('fsync')", "'off'"));
    await expect(openPostgresReceiptStore(careless, { schema })).rejects.toMatchObject(refusal('fsync'));
    expect((await openPostgresReceiptStore(careless, { schema, durability: 'B' })).durability).toBe('B');
    const reader = await connected('-c default_transaction_read_only=on');
    await expect(openPostgresReceiptStore(reader, { schema })).rejects.toMatchObject(refusal('read-only'));
    const fresh = openPostgresReceiptStore(reader, { schema: newSchema() });
    await expect(fresh).rejects.toMatchObject(refusal('read-only'));
    await pool.query(`ALTER TABLE ${schema}.holdfast_receipt_steps SET UNLOGGED`);
    await expect(openPostgresReceiptStore(pool, { schema })).rejects.toMatchObject(refusal('unlogged'));
  });

  it('refuses a database that lacks characters which a result may have, and no other', async () => {
    for (const encoding of ['LATIN1', 'EUC_JP', 'SQL_ASCII', 'UTF8']) {
      const name = newSchema();
      await pool.query(`CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0 LOCALE 'C'`);
      onTestFinished(async () => void (await pool.query(`DROP DATABASE ${name}`)));
      const url = new URL(POSTGRES_URL);
      url.pathname = name;
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      onTestFinished(() => client.end());
      const opening = openPostgresReceiptStore(client);
      if (encoding === 'LATIN1' || encoding === 'EUC_JP') {
        const refusal = { code: 'ERR_HOLDFAST_POSTGRES_DURABILITY', fault: 'encoding' };
        await expect(opening, encoding).rejects.toMatchObject(refusal);
        continue;
      }
      const store = await opening;
      const value = 'sent é 日本 😀 \u0000 \ud800';
      expect(await executeOnce(store, KEY, () => value), encoding).toMatchObject({ kind: 'executed' });
      expect(await executeOnce(store, KEY, () => 'again'), encoding).toMatchObject({ kind: 'replayed', value });
    }
  });

  it('refuses what takes no queries, to open on and for a transaction', async () => {
    const refusal = { code: 'ERR_HOLDFAST_RECEIPT_OPTION', field: 'client' };
    const schema = pool.dropsLater(newSchema());
    const store = await openPostgresReceiptStore(pool, { schema });
    for (const client of [undefined, null, POSTGRES_URL] as unknown as PostgresClient[]) {
      await expect(openPostgresReceiptStore(client, { schema })).rejects.toMatchObject(refusal);
      await expect(store.executeInTransaction(client, keyOf('paid'), () => 'never')).rejects.toMatchObject(refusal);
    }
  });

  it('refuses options that it does not know', async () => {
    for (const options of [
      { durability: 'C' },
      { migrations: 'yes' },
      { preparedStatements: true },
      { timeoutMs: 0 },
      { lockTimeoutMs: 600_001 },
    ]) {
      const opening = openPostgresReceiptStore(pool, options as object);
      await expect(opening).rejects.toMatchObject({
        code: 'ERR_HOLDFAST_RECEIPT_OPTION',
        field: Object.keys(options)[0],
      });
    }
  });

  it('writes claims, results and steps through to the disk where the host does not, and results later in class B', async () => {
    const { schema, store } = await newStore();
    const client = await connected('-c synchronous_commit=off');
    /** What a statement leaves in force at its commit, seen by a trigger that fires there. */
    await pool.query(`CREATE TABLE ${schema}.seen (setting text);
      CREATE FUNCTION ${schema}.see() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO ${schema}.seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER see AFTER INSERT OR UPDATE ON ${schema}.holdfast_receipts
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.see()`);
    const seen = async () => {
      const { rows } = await pool.query(`DELETE FROM ${schema}.seen RETURNING setting`);
      return rows.map(({ setting }) => setting);
    };
    const careful = await openPostgresReceiptStore(client, { schema });
    const claim = await granted(careful, 'a', { effect: 'resumable' });
    await careful.step(KEY, claim, 1_000, 'one', '1');
    await careful.renew(KEY, claim, 1_000);
    await careful.fail(KEY, claim, { kind: 'unknown', error: 'timeout' });
    await careful.resolve(KEY, 1, { kind: 'did-not-happen' });
    await careful.complete(KEY, await granted(careful, 'b'), 'done');
    expect(await seen()).toEqual(Array(7).fill('on'));
    const later = await openPostgresReceiptStore(client, { schema, durability: 'B' });
    await later.complete(keyOf('later'), await granted(later, 'c', {}, keyOf('later')), 'done');
    expect(await seen()).toEqual(['on', 'off']);
    const stronger = await openPostgresReceiptStore(await connected('-c synchronous_commit=remote_apply'), { schema });
    await granted(stronger, 'd', {}, keyOf('stronger'));
    expect(await seen()).toEqual(['remote_apply']);
    expect((await store.list({ status: 'completed' })).receipts).toHaveLength(2);
  });

  it('refuses to write in a transaction of the host, open or failed', async () => {
    const { schema } = await newStore();
    const client = await connected();
    const store = await openPostgresReceiptStore(client, { schema });
    const refusal = (fault: string) => ({ code: 'ERR_HOLDFAST_POSTGRES_TRANSACTION', fault });
    await client.query('BEGIN');
    await expect(store.claim(KEY, request('a'))).rejects.toMatchObject(refusal('open'));
    await expect(client.query('SELECT 1 / 0')).rejects.toThrow();
    await transactionFails(client);
    await expect(store.claim(KEY, request('a'))).rejects.toMatchObject(refusal('failed'));
    const older: PostgresClient = { query: (query) => client.query(query) };
    const unaware = await openPostgresReceiptStore(older, { schema }).catch((error) => error);
    expect(unaware).toMatchObject(refusal('failed'));
    await client.query('ROLLBACK');
    expect((await store.claim(KEY, request('a'))).kind).toBe('execute');
  });

  it('says that the pool or client has been ended', async () => {
    const { schema } = await newStore();
    const own = new pg.Pool({ connectionString: POSTGRES_URL, max: 1 });
    const client = new pg.Client({ connectionString: POSTGRES_URL });
    await client.connect();
    const stores = [
      await openPostgresReceiptStore(own, { schema }),
      await openPostgresReceiptStore(client, { schema }),
    ];
    await own.end();
    await client.end();
    for (const store of stores) {
      await expect(executeOnce(store, KEY, () => 1)).rejects.toMatchObject({ code: 'ERR_HOLDFAST_POSTGRES_CLOSED' });
    }
  });

  it('passes other errors of the driver on, so that executeOnce asks again', async () => {
    const { schema } = await newStore();
    const { client, sent } = recording(pool);
    let cuts = 2;
    const flaky: PostgresClient = {
      query: async (query) => {
        const answer = await client.query(query);
        if (sent.length > 1 && cuts-- > 0)
          throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
        return answer;
      },
    };
    const store = await openPostgresReceiptStore(flaky, { schema });
    const outcome = await executeOnce(store, KEY, () => 'once', { resendDelayMs: 0 });
    expect(outcome).toMatchObject({ kind: 'executed', attempt: 1, value: 'once' });
  });

  it('refuses keys and step names that no index can hold', async () => {
    const { store } = await newStore();
    const long = Array.from({ length: 4_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
    ).join('');
    const refused = { code: 'ERR_HOLDFAST_POSTGRES_KEY_LENGTH' };
    await expect(store.claim(keyOf(long), request('a'))).rejects.toMatchObject(refused);
    const claim = await granted(store, 'a');
    await expect(store.step(KEY, claim, 1_000, long, '1')).rejects.toMatchObject(refused);
    expect(await store.step(KEY, claim, 1_000, 'short', long)).toEqual({ kind: 'ok' });
  });

  it('reads values as the server wrote them, whatever parsers the host has set', async () => {
    const { store } = await newStore();
    const { INT4, TEXT } = pg.types.builtins;
    const [parseInteger, parseText] = [pg.types.getTypeParser(INT4), pg.types.getTypeParser(TEXT)];
    onTestFinished(() => {
      pg.types.setTypeParser(INT4, parseInteger);
      pg.types.setTypeParser(TEXT, parseText);
    });
    pg.types.setTypeParser(INT4, () => 'nonsense');
    pg.types.setTypeParser(TEXT, () => 'nonsense');
    await store.complete(KEY, await granted(store, 'a'), 'done');
    expect(await store.claim(KEY, request('b'))).toEqual({ kind: 'replay', attempt: 1, result: 'done' });
    expect((await store.list()).receipts[0]?.attempt).toBe(1);
  });
});
