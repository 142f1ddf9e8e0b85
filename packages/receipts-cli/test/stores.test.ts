import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReceiptStore } from '@holdfast/receipts';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { Redis } from 'ioredis';
import Libsql from 'libsql';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSTGRES_URL, REDIS_URL, serverAnswers } from '../../../test/support/services.js';
import { receipts } from './support/command.js';
import { fill, HOSTILE, keyOf, SECRET, words } from './support/filled.js';

interface Opened {
  readonly store: ReceiptStore;
  readonly options: readonly string[];
  close(): Promise<void>;
}

const name = `cli_${randomUUID().replaceAll('-', '')}`;

async function openPostgres(): Promise<Opened> {
  const pool = new Pool({ connectionString: POSTGRES_URL, max: 1 });
  const store = await openPostgresReceiptStore(pool, { schema: name });
  const close = async () => {
    await pool.query(`DROP SCHEMA ${name} CASCADE`);
    await pool.end();
  };
  return { store, options: ['--store', POSTGRES_URL, '--schema', name], close };
}

async function openRedis(): Promise<Opened> {
  const redis = new Redis(REDIS_URL);
  const store = await openRedisReceiptStore(redis, { prefix: name });
  const close = async () => {
    const keys = await redis.keys(`${name}*`);
    if (keys.length > 0) await redis.del(...keys);
    redis.disconnect();
  };
  return { store, options: ['--store', REDIS_URL, '--prefix', name], close };
}

async function openSqlite(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'receipts-cli-'));
  const path = join(folder, 'receipts.db');
  const database = new Libsql(path);
  const store = openSqliteReceiptStore(database, { durability: 'B' });
  const close = async () => {
    database.close();
    rmSync(folder, { recursive: true });
  };
  return { store, options: ['--store', `sqlite:${path}`], close };
}

const STORES: readonly (readonly [string, boolean, () => Promise<Opened>])[] = [
  ['SQLite', true, openSqlite],
  ['PostgreSQL', await serverAnswers(POSTGRES_URL), openPostgres],
  ['Redis', await serverAnswers(REDIS_URL), openRedis],
];

describe.skipIf(!(await serverAnswers(POSTGRES_URL)))('a doctor on PostgreSQL', () => {
  it('says what the user may not do', async () => {
    const { store, close } = await openPostgres();
    const admin = new Pool({ connectionString: POSTGRES_URL, max: 1 });
    const role = `${name}_reader`;
    await admin.query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA ${name} TO ${role};
      GRANT SELECT ON ALL TABLES IN SCHEMA ${name} TO ${role}`);
    const url = new URL(POSTGRES_URL);
    url.searchParams.set('options', `-c role=${role}`);
    const doctor = async () => {
      const { stdout } = await receipts(['doctor', '--store', url.href, '--schema', name, '--json']);
      const { findings } = JSON.parse(stdout) as { findings: { topic: string; level: string; text: string }[] };
      return findings.filter(({ topic }) => topic === 'access');
    };
    expect(await doctor()).toMatchObject([
      {
        level: 'warning',
        text: 'this user lacks INSERT, UPDATE, DELETE on holdfast_receipts; INSERT, UPDATE, DELETE on holdfast_receipt_steps',
      },
    ]);
    await admin.query(`GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO ${role}`);
    expect(await doctor()).toEqual([]);
    expect(await store.list()).toEqual({ receipts: [] });
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await admin.end();
    await close();
  });

  it('misses a table that somebody has taken away', async () => {
    const { options, close } = await openPostgres();
    const admin = new Pool({ connectionString: POSTGRES_URL, max: 1 });
    const problems = async () => {
      const { stdout } = await receipts(['doctor', ...options, '--json']);
      const { findings } = JSON.parse(stdout) as { findings: { level: string; text: string }[] };
      return findings.filter(({ level }) => level === 'problem').map(({ text }) => text);
    };
    expect(await problems()).toEqual([]);
    await admin.query(`DROP TABLE ${name}.holdfast_receipt_steps`);
    expect(await problems()).toEqual(['the table holdfast_receipt_steps is not there']);
    await admin.end();
    await close();
  });
});

describe.skipIf(!(await serverAnswers(REDIS_URL)))('a database number of Redis', () => {
  it('that the server does not have is refused, and not taken for database 0', async () => {
    const { options, close } = await openRedis();
    expect((await receipts(['list', ...options])).code).toBe(0);
    const url = new URL(REDIS_URL);
    url.pathname = '/1000000';
    const { code, stdout, stderr } = await receipts(['list', ...options, '--store', url.href]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/cannot be opened\. .*DB index/);
    await close();
  });
});

describe('a store without receipts', () => {
  it('says so, page by page and all at once', async () => {
    const { options, close } = await openSqlite();
    for (const paging of [[], ['--all']]) {
      const { stdout } = await receipts(['list', ...paging, ...options]);
      expect(stdout).toBe('Nothing needs you. --status all lists every receipt.\n');
      expect((await receipts(['list', ...paging, '--status', 'all', ...options])).stdout).toBe('No receipts.\n');
    }
    expect((await receipts(['list', '--all', '--json', ...options])).stdout).toBe('');
    const kept = await receipts(['gc', '--drop-results-after', '0s', '--keep-keys-for', '1d', ...options]);
    expect(kept.stdout).toBe('Dropped 0 results older than 0 milliseconds, and removed 0 keys older than 1 day.\n');
    await close();
  });
});

for (const [title, answers, open] of STORES) {
  describe.skipIf(!answers)(`on ${title}`, () => {
    let opened: Opened;
    const run = async (command: string, ...args: string[]) => {
      const { code, stdout, stderr } = await receipts([command, ...args, ...opened.options, '--json']);
      expect(stderr).not.toContain('    at ');
      return { code, stderr, json: JSON.parse(stdout) as unknown };
    };
    beforeAll(async () => {
      opened = await open();
      await fill(opened.store);
    });
    afterAll(() => opened.close());

    it('lists what needs somebody', async () => {
      const { code, json } = await run('list');
      const shown = { key: keyOf('unknown'), keyString: '4:acme5:run 710:send_email7:unknown', status: 'ambiguous' };
      const numbers = { attempt: 2, effect: 'opaque', ageMs: expect.any(Number), sinceChangeMs: expect.any(Number) };
      expect(json).toEqual({ receipts: [{ ...shown, ...numbers, error: HOSTILE }] });
      expect(code).toBe(0);
    });

    it('shows a receipt, with its result and steps when asked', async () => {
      const { code, json } = await run('show', ...words(keyOf('done')), '--result', '--steps');
      const steps = [{ name: `step ${HOSTILE}`, result: SECRET }];
      const sizes = { resultChars: SECRET.length, stepCount: 1 };
      expect(json).toMatchObject({ receipt: { status: 'completed', result: SECRET, steps, ...sizes } });
      expect(code).toBe(0);
    });

    it('reports on the server, and what waits for a person', async () => {
      const { code, json } = await run('doctor');
      const counts = { ambiguous: 1, completed: 1, failed: 1, running: 1 };
      expect(json).toMatchObject({ worst: 'warning', counts });
      const ambiguous = { level: 'warning', topic: 'ambiguous', advice: expect.stringContaining('receipts resolve') };
      const schema = { level: 'ok', topic: 'schema', text: 'up to date' };
      expect((json as { findings: unknown[] }).findings).toEqual(
        expect.arrayContaining([expect.objectContaining(ambiguous), schema]),
      );
      expect(code).toBe(1);
    });

    it('refuses a stale attempt, and says what the receipt is now', async () => {
      const key = keyOf('unknown');
      const { code, json } = await run('resolve', ...words(key), 'did-not-happen', '--attempt', '1', '--yes');
      expect(json).toMatchObject({ outcome: 'moved-on', receipt: { status: 'ambiguous', attempt: 2 } });
      expect(code).toBe(1);
      expect(await opened.store.read(key)).toMatchObject({ status: 'ambiguous', attempt: 2 });
    });

    it('resolves', async () => {
      const key = keyOf('unknown');
      const verdict = ['happened', '--result', '{"id":1}', '--attempt', '2', '--yes'];
      const { code, json } = await run('resolve', ...words(key), ...verdict);
      expect(json).toMatchObject({ outcome: 'resolved', receipt: { status: 'completed', resultChars: 8 } });
      expect(code).toBe(0);
      expect(await opened.store.read(key)).toMatchObject({ status: 'completed', result: '{"id":1}' });
    });

    it('counts what retention would do, and does it', async () => {
      const policy = ['--drop-results-after', '0s', '--keep-keys-for', '90 days'];
      const counted = { resultsDropped: 2, keysRemoved: 0 };
      expect((await run('gc', ...policy, '--dry-run')).json).toEqual({ dryRun: true, ...counted });
      expect(await opened.store.read(keyOf('done'))).toMatchObject({ status: 'completed' });
      expect((await run('gc', ...policy)).json).toEqual({ dryRun: false, ...counted });
      expect(await opened.store.read(keyOf('done'))).toMatchObject({ status: 'gone' });
    });
  });
}
