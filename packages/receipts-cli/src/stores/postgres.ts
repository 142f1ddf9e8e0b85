/** Receipts in PostgreSQL. */

import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import { Client } from 'pg';
import { type Connection, type ConnectOptions, clockFinding, type Finding, TIMEOUT_MS } from '../connection.js';

export async function connectPostgres(url: string, { schema, access }: ConnectOptions): Promise<Connection> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'holdfast-receipts-cli',
  });
  // A connection that is lost rejects the query that waits; without a listener it would also end the process.
  client.on('error', () => {});
  await client.connect();
  return {
    async open() {
      // `B` only keeps a server without fsync from being refused: looking at it is what people come for.
      const named = schema !== undefined && { schema };
      const store = await openPostgresReceiptStore(client, { migrations: 'check', durability: 'B', ...named });
      if (access === 'read') await client.query('SET default_transaction_read_only = on');
      return store;
    },
    inspect: async () => [
      ...(await inspect(client)),
      ...(await tableFindings(client, schema ?? 'holdfast')),
      ...(await accessFindings(client, schema ?? 'holdfast')),
    ],
    close: () => client.end(),
  };
}

interface Settings {
  readonly version: string;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
  readonly standby: boolean;
  readonly standbys: string;
  readonly synchronous_standby_names: string;
  readonly now_ms: string;
}

async function inspect(client: Client): Promise<readonly Finding[]> {
  const before = Date.now();
  const { rows } = await client.query<Settings>(`SELECT current_setting('server_version_num') AS version,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('full_page_writes') AS full_page_writes, pg_is_in_recovery() AS standby,
    (SELECT count(*) FROM pg_stat_replication) AS standbys,
    current_setting('synchronous_standby_names') AS synchronous_standby_names,
    (1000 * extract(epoch FROM clock_timestamp()))::float8::text AS now_ms`);
  const settings = rows[0] as Settings;
  return [...settingFindings(settings), clockFinding(Number(settings.now_ms), before, Date.now())];
}

/** Tables that the version of the schema promises, and that somebody has taken away. */
async function tableFindings(client: Client, schema: string): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ readonly missing: string }>(
    `SELECT name AS missing FROM unnest(ARRAY['holdfast_receipts', 'holdfast_receipt_steps']) AS name
    WHERE to_regclass(format('%I.holdfast_receipt_schema', $1::text)) IS NOT NULL
      AND to_regclass(format('%I.%I', $1::text, name)) IS NULL`,
    [schema],
  );
  return rows.map(({ missing }) => ({
    level: 'problem',
    topic: 'schema',
    text: `the table ${missing} is not there`,
    advice: 'Restore it from a backup: without it calls fail, or lose what they had written.',
  }));
}

/** What the user may not do to the tables, if they are there: everybody may look who can open the store. */
async function accessFindings(client: Client, schema: string): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ readonly missing: string }>(
    `SELECT string_agg(privilege, ', ' ORDER BY place) || ' on ' || relname AS missing
    FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) WITH ORDINALITY AS asked (privilege, place)
    WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
      AND relname IN ('holdfast_receipts', 'holdfast_receipt_steps') AND NOT has_table_privilege(pg_class.oid, privilege)
    GROUP BY relname ORDER BY relname DESC`,
    [schema],
  );
  if (rows.length === 0) return [];
  const text = `this user lacks ${rows.map(({ missing }) => missing).join('; ')}`;
  return [
    { level: 'warning', topic: 'access', text, advice: 'GRANT it: resolve and gc need to write; so do the workers.' },
  ];
}

function settingFindings(settings: Settings): readonly Finding[] {
  const version = Number(settings.version);
  const findings: Finding[] = [
    version >= 130_000
      ? { level: 'ok', topic: 'server', text: `PostgreSQL ${Math.floor(version / 10_000)}` }
      : { level: 'problem', topic: 'server', text: 'PostgreSQL is older than 13', advice: 'Upgrade the server.' },
  ];
  findings.push(
    settings.fsync === 'on'
      ? { level: 'ok', topic: 'durability', text: 'class A: receipts are on the disk before effects begin' }
      : {
          level: 'problem',
          topic: 'durability',
          text: 'fsync is off: a power loss may take receipts whose effects have happened, or the whole database',
          advice: 'Set fsync = on.',
        },
  );
  if (settings.synchronous_commit === 'off') {
    findings.push({
      level: 'note',
      topic: 'synchronous_commit',
      text: 'off; the store turns it on for its own writes, unless a host opens it with durability B',
    });
  }
  if (settings.full_page_writes !== 'on') {
    findings.push({
      level: 'warning',
      topic: 'full_page_writes',
      text: 'off: a crash in the middle of a write can tear a page',
      advice: 'Set full_page_writes = on, unless the file system writes whole pages.',
    });
  }
  if (settings.standby) {
    findings.push({
      level: 'problem',
      topic: 'replication',
      text: 'this server is a standby, and takes no receipts',
      advice: 'Connect to the primary.',
    });
  } else if (Number(settings.standbys) > 0 && settings.synchronous_standby_names === '') {
    findings.push({
      level: 'warning',
      topic: 'replication',
      text: `${settings.standbys} asynchronous standbys: promoting one loses the commits that it had not received`,
      advice: 'Set synchronous_standby_names, so that a claim waits for a standby.',
    });
  }
  return findings;
}
