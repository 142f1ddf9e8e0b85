import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { countOutside, countParts } from '../src/supervisor/count-outside.js';
import { type OutsideWorld, startOutsideWorld } from '../src/world/outside-world.js';
import { connectWorld } from '../src/world/world-client.js';
import { temporaryDirectory } from './support/temporary.js';

const worlds: OutsideWorld[] = [];

async function start() {
  const log = join(temporaryDirectory(), 'log.jsonl');
  const world = await startOutsideWorld(log);
  worlds.push(world);
  return { world, client: connectWorld(world.url), log };
}

afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

const email = { to: 'a@b', subject: 's', body: 'Grüße 👋' };

describe('the outside world', () => {
  it('believes everything and deduplicates nothing, not even by key', async () => {
    const { world, client, log } = await start();
    await client.sendEmail({ ...email, idempotencyKey: 'k' });
    await client.sendEmail({ ...email, idempotencyKey: 'k' });
    expect(world.emails).toEqual([
      { ...email, idempotencyKey: 'k' },
      { ...email, idempotencyKey: 'k' },
    ]);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('can be asked whether something has arrived', async () => {
    const { client } = await start();
    expect(await client.hasArrived('k/1?&')).toBe(false);
    await client.publishPart({ title: 't', part: 1, of: 4, text: 'x', idempotencyKey: 'k/1?&' });
    expect(await client.hasArrived('k/1?&')).toBe(true);
    expect(await client.hasArrived('')).toBe(false);
  });

  it('is counted by effect', async () => {
    const { world, client } = await start();
    for (const part of [1, 2, 2]) await client.publishPart({ title: 't', part, of: 4, text: 'x' });
    await client.sendEmail(email);
    await client.sendEmail({ ...email, to: 'c@d' });
    expect(countParts(world)).toEqual([1, 2, 0, 0]);
    expect(countOutside(world, [], 'write_report', '')).toBe('1·2·0·0');
    expect(countOutside(world, [], 'send_email', 'a@b')).toBe('1');
    expect(countOutside(world, [{ note: 'n' }, { note: 'n' }], 'memory_append', 'n')).toBe('2');
    expect(countOutside(world, [], 'read_file', 'x')).toBe('');
  });

  it('tells a client what went wrong', async () => {
    const { world } = await start();
    await expect(connectWorld(`${world.url}/nowhere`).sendEmail(email)).rejects.toThrow('404');
  });
});
