import type { ReceiptStore } from '@holdfast/receipts';
import { receiptStoreConformance } from '@holdfast/receipts/conformance';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { beforeAll, describe, expect, it } from 'vitest';
import { CLUSTER_CLIENTS, type OpenedClient } from './support/clients.js';
import { hasRedisServer, type OwnServer, startCluster } from './support/own-server.js';

describe.skipIf(!hasRedisServer())('a cluster of three masters', () => {
  let servers: readonly OwnServer[] = [];
  beforeAll(async () => {
    servers = await startCluster();
  });

  describe.each(Object.entries(CLUSTER_CLIENTS))('through %s', (name, open) => {
    let opened: OpenedClient;
    let serial = 0;
    beforeAll(async () => {
      opened = await open(servers[0]?.url as string);
      return () => opened.close();
    });
    const openStore = () => openRedisReceiptStore(opened.client, { prefix: `${name.replace(' ', '-')}:${serial++}` });

    // One client is enough for what the scripts do there; how the others route shows in the test below.
    if (name === 'node-redis 6') {
      receiptStoreConformance({ describe, it }, async () => {
        const store = await openStore();
        return { store, other: store };
      });
    }

    it('keeps keys with braces apart, and each in one slot', async () => {
      const store = await openStore();
      const names = ['{', '}', '{}', '{a}', '}{', '{0}', '{{a}}', 'a}:{b', '\u0000', '\\json:"\\u0000"', '\ud800'];
      const keys = names.flatMap((tenantId) =>
        names.map((runId) => ({ tenantId, runId, toolName: '{t}', argsHash: '}' })),
      );
      for (const key of keys) {
        const token = `${key.tenantId} ${key.runId}`;
        const claimed = await store.claim(key, { effect: 'resumable', token, leaseMs: 60_000, maxAttempts: 1 });
        expect(claimed.kind).toBe('execute');
        expect(await store.step(key, { attempt: 1, token }, 60_000, '{s}', '1')).toEqual({ kind: 'ok' });
        expect(await store.complete(key, { attempt: 1, token }, token)).toEqual({ kind: 'ok' });
      }
      const { receipts } = await store.list({ limit: 1_000 });
      const texts = (list: readonly object[]) => list.map((key) => JSON.stringify(key)).sort();
      expect(texts(receipts.map(({ key }) => key))).toEqual(texts(keys));
      const collected = await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 });
      expect(collected).toEqual({ resultsDropped: 0, keysRemoved: keys.length, more: false });
      expect(await store.list()).toEqual({ receipts: [] });
    });
  });

  it('spreads runs over all masters', async () => {
    const { client, close } = await (CLUSTER_CLIENTS['ioredis 6'] as (url: string) => Promise<OpenedClient>)(
      servers[0]?.url as string,
    );
    const store: ReceiptStore = await openRedisReceiptStore(client, { prefix: 'spread' });
    const held = () => Promise.all(servers.map(async (server) => Number(await server.command('DBSIZE'))));
    const before = await held();
    for (let run = 0; run < 300; run++) {
      const key = { tenantId: 'acme', runId: `run-${run}`, toolName: 'tool', argsHash: 'hash' };
      await store.claim(key, { effect: 'opaque', token: 'a', leaseMs: 60_000, maxAttempts: 1 });
    }
    const after = await held();
    for (const [index, keys] of after.entries()) expect(keys - (before[index] as number)).toBeGreaterThan(60);
    await close();
  });

  it.each(Object.entries(CLUSTER_CLIENTS))('is refused when one master may evict, by %s', async (_, open) => {
    await servers[2]?.command('CONFIG', 'SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
    const { client, close } = await open(servers[0]?.url as string);
    const refused = { code: 'ERR_HOLDFAST_REDIS_EVICTION', policy: 'allkeys-lru' };
    await expect(openRedisReceiptStore(client)).rejects.toMatchObject(refused);
    await servers[2]?.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    expect((await openRedisReceiptStore(client)).durability).toBe('C');
    await close();
  });
});
