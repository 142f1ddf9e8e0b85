import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { POSTGRES_URL, serverAnswers } from '../../../test/support/services.js';
import { type MainRun, rowOf, runMain } from '../../stage/test/support/run-main.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const hasServer = await serverAnswers(POSTGRES_URL);

describe
  .skipIf(!hasServer)
  .concurrent('LangGraph with checkpoints and receipts in PostgreSQL', { timeout: 90_000 }, () => {
    const pool = new pg.Pool({ connectionString: POSTGRES_URL });
    afterAll(() => pool.end());

    async function schemasOf({ name }: MainRun): Promise<unknown[]> {
      return (await pool.query('SELECT FROM pg_namespace WHERE nspname = $1', [name])).rows;
    }

    it('resumes the threads of a killed worker, and each tool takes effect once', async () => {
      const run = await runMain(main);
      expect(run.stdout, run.stderr).toContain('The proof holds');
      expect(run.code, run.stderr).toBe(0);
      expect(rowOf(run, 'order-1001')).toMatch(/ e-mail out, tool not done +2 +1 +reconciled, replayed +1$/);
      expect(rowOf(run, 'order-1002')).toMatch(/ tool done, no checkpoint +2 +1 +executed, replayed +1$/);
      expect(run.name).not.toBe('');
      expect(await schemasOf(run)).toEqual([]);
    });

    it('shows without receipts that both tools run again', async () => {
      const run = await runMain(main, { args: ['--without'] });
      expect(run.stdout, run.stderr).toContain('2 of 2 effects happened again.');
      expect(run.code, run.stderr).toBe(0);
      for (const order of ['order-1001', 'order-1002']) expect(rowOf(run, order)).toMatch(/ 2 +– +– +2$/);
      expect(await schemasOf(run)).toEqual([]);
    });
  });

it('refuses a server that is not there', async () => {
  const run = await runMain(main, { env: { HOLDFAST_POSTGRES_URL: 'postgres://127.0.0.1:9/shop' } });
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('No PostgreSQL answers at') });
});
