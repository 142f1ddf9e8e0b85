import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { REDIS_URL, serverAnswers } from '../../../test/support/services.js';
import { type MainRun, rowOf, runMain } from '../../stage/test/support/run-main.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const hasServer = await serverAnswers(REDIS_URL);

describe.skipIf(!hasServer).concurrent('BullMQ with receipts in Redis', { timeout: 90_000 }, () => {
  const redis = new Redis(REDIS_URL, { lazyConnect: true });
  afterAll(() => redis.disconnect());

  async function keysOf({ name }: MainRun): Promise<string[]> {
    const found: string[] = [];
    for await (const keys of redis.scanStream({ match: `${name}*`, count: 1_000 })) found.push(...(keys as string[]));
    return found;
  }

  it('delivers the jobs of a killed worker again, and each e-mail goes out once', async () => {
    const run = await runMain(main);
    expect(run.stdout, run.stderr).toContain('The proof holds');
    expect(run.code, run.stderr).toBe(0);
    expect(rowOf(run, 'order-1001')).toMatch(/ e-mail out, tool not done +[2-9] +1 +reconciled, replayed.* 1$/);
    expect(rowOf(run, 'order-1002')).toMatch(/ tool done, not acknowledged +[2-9] +1 +executed, replayed.* 1$/);
    expect(run.name).not.toBe('');
    expect(await keysOf(run)).toEqual([]);
  });

  it('shows without receipts that both e-mails go out again', async () => {
    const run = await runMain(main, { args: ['--without'] });
    expect(run.stdout, run.stderr).toContain('2 of 2 effects happened again.');
    expect(run.code, run.stderr).toBe(0);
    for (const order of ['order-1001', 'order-1002']) expect(rowOf(run, order)).toMatch(/ [2-9] +– +– +[2-9]$/);
    expect(await keysOf(run)).toEqual([]);
  });

  it('removes its keys when it is interrupted', async () => {
    const run = await runMain(main, { onName: (child) => child.kill('SIGINT') });
    expect(run.code).toBe(130);
    expect(run.stdout).not.toContain('proof');
    expect(await keysOf(run)).toEqual([]);
  });
});

it.each([
  ['a server that is not there', [], 'redis://127.0.0.1:9', 'No Redis answers at 127.0.0.1:9.'],
  ['a URL that is none', [], 'nowhere', 'HOLDFAST_REDIS_URL is not a URL.'],
  ['an unknown option', ['--fast'], REDIS_URL, "Unknown option '--fast'"],
])('refuses %s before anything runs', async (_, args, url, message) => {
  const run = await runMain(main, { args, env: { HOLDFAST_REDIS_URL: url } });
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});
