import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { POSTGRES_URL, serverAnswers } from '../../../test/support/services.js';
import { type MainRun, rowOf, runMain } from '../../stage/test/support/run-main.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const hasServer = await serverAnswers(POSTGRES_URL);

describe.skipIf(!hasServer).concurrent('pg-boss with receipts in PostgreSQL', { timeout: 90_000 }, () => {
  const pool = new pg.Pool({ connectionString: POSTGRES_URL });
  afterAll(() => pool.end());

  async function schemasOf({ name }: MainRun): Promise<unknown[]> {
    return (await pool.query('SELECT FROM pg_namespace WHERE nspname = $1', [name])).rows;
  }

  it('delivers the jobs of a killed worker again, and each effect happens once', async () => {
    const run = await runMain(main);
    expect(run.stdout, run.stderr).toContain('The proof holds');
    expect(run.code, run.stderr).toBe(0);
    expect(rowOf(run, 'order-1001')).toMatch(/ e-mail out, tool not done +[2-9] +1 +.*reconciled, replayed.* 1$/);
    expect(rowOf(run, 'order-1002')).toMatch(/ tool done, not acknowledged +[2-9] +1 +executed, replayed.* 1$/);
    expect(rowOf(run, 'order-1003')).toMatch(/ row written, not committed +[2-9] +1 +executed.* 1$/);
    expect(rowOf(run, 'order-1004')).toMatch(/ committed, not acknowledged +[2-9] +1 +executed, replayed.* 1$/);
    expect(run.name).not.toBe('');
    expect(await schemasOf(run)).toEqual([]);
  });

  it('shows without receipts that all happens again but what was rolled back', async () => {
    const run = await runMain(main, { args: ['--without'] });
    expect(run.stdout, run.stderr).toContain('3 of 4 effects happened again.');
    expect(run.code, run.stderr).toBe(0);
    for (const order of ['order-1001', 'order-1002', 'order-1004']) {
      expect(rowOf(run, order)).toMatch(/ [2-9] +– +– +[2-9]$/);
    }
    expect(rowOf(run, 'order-1003')).toMatch(/ [2-9] +– +– +1$/);
    expect(await schemasOf(run)).toEqual([]);
  });

  it('removes its schema when it is interrupted', async () => {
    const run = await runMain(main, { onName: (child) => child.kill('SIGTERM') });
    expect(run.code).toBe(130);
    expect(await schemasOf(run)).toEqual([]);
  });
});

it('refuses a server that is not there', async () => {
  const run = await runMain(main, { env: { HOLDFAST_POSTGRES_URL: 'postgres://127.0.0.1:9/shop' } });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toBe(
    'No PostgreSQL answers at 127.0.0.1:9. Start one, or name another in HOLDFAST_POSTGRES_URL.\n',
  );
});
