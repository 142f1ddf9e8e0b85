import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { hasRedisServer, OwnServer } from '../../receipts-redis/test/support/own-server.js';
import { receipts } from './support/command.js';
import { fill } from './support/filled.js';

/** The findings of `receipts doctor --json` by their topic. */
async function findings(url: string): Promise<Record<string, string>> {
  const { stdout } = await receipts(['doctor', '--json'], url);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Record<'topic' | 'level', string>[] };
  return Object.fromEntries(findings.map(({ topic, level }) => [topic, level]));
}

describe.skipIf(!hasRedisServer())('the durability of a Redis', () => {
  it('is what the store says of it', async () => {
    const server = await OwnServer.start('--appendonly', 'yes', '--appendfsync', 'always');
    const redis = new Redis(server.url);
    const both = async () => [(await openRedisReceiptStore(redis)).durability, (await findings(server.url)).durability];
    expect(await both()).toEqual(['B', 'ok']);
    await server.command('CONFIG', 'SET', 'no-appendfsync-on-rewrite', 'yes');
    expect(await both()).toEqual(['C', 'warning']);
    await server.command('CONFIG', 'SET', 'no-appendfsync-on-rewrite', 'no', 'appendfsync', 'everysec');
    expect(await both()).toEqual(['C', 'warning']);
    redis.disconnect();
  });
});

describe.skipIf(!hasRedisServer())('a Redis that no store opens on', () => {
  it('is looked at all the same: one that evicts, and one that hides what it does', async () => {
    const server = await OwnServer.start('--maxmemory', '100mb', '--maxmemory-policy', 'noeviction');
    const redis = new Redis(server.url);
    await fill(await openRedisReceiptStore(redis));
    redis.disconnect();
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await findings(server.url)).toMatchObject({ eviction: 'problem', schema: 'ok', ambiguous: 'warning' });
    expect((await receipts(['list'], server.url)).stdout).toContain('send_email unknown');
    await server.command('ACL', 'SETUSER', 'looks', 'on', '>hunter2', '~*', '+@read', '+@scripting', '+@connection');
    const looks = server.url.replace('//', '//looks:hunter2@');
    expect(await findings(looks)).toMatchObject({
      server: 'warning',
      eviction: 'note',
      clock: 'problem',
      schema: 'ok',
      receipts: 'problem',
    });
  });
});
