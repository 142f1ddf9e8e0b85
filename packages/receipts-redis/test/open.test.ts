import { executeOnce, VolatileStoreError } from '@holdfast/receipts';
import { openRedisReceiptStore, type RedisClientLike, RedisEvictionError } from '@holdfast/receipts-redis';
import { Redis } from 'ioredis';
import { createClient, createClientPool, RESP_TYPES } from 'redis';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLIENTS, type OpenedClient } from './support/clients.js';
import { hasRedisServer, OwnServer } from './support/own-server.js';

const KEY = { tenantId: 'tenant', runId: 'run', toolName: 'tool', argsHash: 'hash' };

describe.skipIf(!hasRedisServer())('openRedisReceiptStore', () => {
  let server: OwnServer;
  let serial = 0;
  const set = (...settings: string[]) => server.command('CONFIG', 'SET', ...settings);
  beforeAll(async () => {
    server = await OwnServer.start();
  });
  beforeEach(() =>
    set('maxmemory', '0', 'maxmemory-policy', 'noeviction', 'appendonly', 'no', 'appendfsync', 'everysec'),
  );

  describe.each(Object.entries(CLIENTS))('on %s', (_, open) => {
    let opened: OpenedClient;
    const opening = (more = {}) => openRedisReceiptStore(opened.client, { prefix: `own:${serial++}`, ...more });
    /** A user of the server that may do all but these commands. */
    const without = async (...forbidden: string[]) => {
      const user = `user${serial++}`;
      await server.command(
        'ACL',
        'SETUSER',
        user,
        'on',
        '>secret',
        '~*',
        '+@all',
        ...forbidden.map((name) => `-${name}`),
      );
      return open(server.url.replace('//', `//${user}:secret@`));
    };
    beforeAll(async () => {
      opened = await open(server.url);
      return () => opened.close();
    });

    it('refuses a server that evicts, and says the way out', async () => {
      await set('maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
      await expect(opening()).rejects.toBeInstanceOf(RedisEvictionError);
      await expect(opening()).rejects.toMatchObject({ code: 'ERR_HOLDFAST_REDIS_EVICTION', policy: 'allkeys-lru' });
      await expect(opening()).rejects.toThrow(/Set it to noeviction/);
      await set('maxmemory-policy', 'volatile-ttl');
      await expect(opening()).rejects.toMatchObject({ policy: 'volatile-ttl' });
      await set('maxmemory-policy', 'noeviction');
      expect((await opening()).durability).toBe('C');
    });

    it('takes any policy without a memory limit', async () => {
      await set('maxmemory-policy', 'allkeys-lru');
      expect((await opening()).durability).toBe('C');
    });

    it('learns the policy from whichever of INFO and CONFIG is allowed, and refuses when neither is', async () => {
      // ioredis warns that it may not run INFO, which is the point.
      vi.spyOn(console, 'warn').mockReturnValue();
      await set('maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
      for (const forbidden of ['config', 'info']) {
        const user = await without(forbidden);
        const refused = { policy: 'allkeys-lru' };
        await expect(openRedisReceiptStore(user.client)).rejects.toMatchObject(refused);
        await user.close();
      }
      await set('maxmemory-policy', 'noeviction');
      for (const forbidden of ['config', 'info']) {
        const user = await without(forbidden);
        expect((await openRedisReceiptStore(user.client)).durability).toBe('C');
        await user.close();
      }
      const user = await without('config', 'info');
      const refused = { code: 'ERR_HOLDFAST_REDIS_EVICTION', policy: undefined };
      await expect(openRedisReceiptStore(user.client)).rejects.toMatchObject(refused);
      await expect(openRedisReceiptStore(user.client)).rejects.toThrow(/assumeNoEviction/);
      expect((await openRedisReceiptStore(user.client, { assumeNoEviction: true })).durability).toBe('C');
      await user.close();
    });

    it('only looks, where it is told to: writes nothing, and refuses a prefix without receipts', async () => {
      const prefix = `own:${serial++}`;
      const keys = () => server.command('KEYS', `${prefix}*`);
      const refused = { code: 'ERR_HOLDFAST_REDIS_SCHEMA', found: undefined };
      await expect(opening({ prefix, migrations: 'check' })).rejects.toMatchObject(refused);
      expect(await keys()).toEqual([]);
      await opening({ prefix });
      expect((await opening({ prefix, migrations: 'check' })).durability).toBe('C');
      expect(await keys()).toEqual([`${prefix}:schema`]);
    });

    it('is of class B only with an append-only file synced on every write', async () => {
      expect((await opening()).durability).toBe('C');
      await set('appendonly', 'yes');
      expect((await opening()).durability).toBe('C');
      await set('appendfsync', 'always');
      expect((await opening()).durability).toBe('B');
      await set('no-appendfsync-on-rewrite', 'yes');
      expect((await opening()).durability).toBe('C');
      await set('no-appendfsync-on-rewrite', 'no');
      const user = await without('config');
      expect((await openRedisReceiptStore(user.client)).durability).toBe('C');
      expect((await openRedisReceiptStore(user.client, { durability: 'A' })).durability).toBe('A');
      await user.close();
    });

    it('runs no opaque effect on class C without an explicit yes', async () => {
      const store = await opening();
      await expect(executeOnce(store, KEY, () => 1)).rejects.toBeInstanceOf(VolatileStoreError);
      expect(await executeOnce(store, KEY, () => 1, { allowVolatile: true })).toMatchObject({ kind: 'executed' });
      expect(await executeOnce(store, KEY, () => 2, { effect: 'resumable' })).toMatchObject({ value: 1 });
    });
  });

  it('works on a pool of node-redis', async () => {
    const pool = createClientPool({ url: server.url });
    await pool.connect();
    const store = await openRedisReceiptStore(pool, { prefix: 'pool' });
    expect(await executeOnce(store, KEY, () => 1, { allowVolatile: true })).toMatchObject({ kind: 'executed' });
    expect(await executeOnce(store, KEY, () => 2, { allowVolatile: true })).toMatchObject({ kind: 'replayed' });
    await pool.close();
  });

  it('works on clients that put a prefix before keys, or give numbers and texts in another form', async () => {
    const clients = [
      new Redis(server.url, { keyPrefix: 'app:{1}:', stringNumbers: true }),
      await createClient({ url: server.url })
        .withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
        .connect(),
    ];
    for (const client of clients) {
      const store = await openRedisReceiptStore(client, { prefix: `form:${serial++}` });
      const options = { effect: 'resumable', maxAttempts: 2 } as const;
      await executeOnce(store, KEY, ({ step }) => step('one', () => Promise.reject(new Error('no'))), {
        ...options,
        classifyError: () => 'clean',
      });
      expect(await executeOnce(store, KEY, ({ step }) => step('one', () => 1), options)).toMatchObject({ value: 1 });
      expect(await executeOnce(store, KEY, () => 2, options)).toMatchObject({ kind: 'replayed', value: 1 });
      expect((await store.list()).receipts).toMatchObject([{ key: KEY, status: 'completed', attempt: 2 }]);
      const collected = await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 });
      expect(collected).toMatchObject({ keysRemoved: 1 });
      await ('disconnect' in client && client instanceof Redis ? client.disconnect() : client.quit());
    }
  });

  it('refuses options and clients that it cannot use', async () => {
    const refused = (field: string) => ({ code: 'ERR_HOLDFAST_RECEIPT_OPTION', field });
    const { client, close } = await (CLIENTS['ioredis 6'] as (url: string) => Promise<OpenedClient>)(server.url);
    for (const prefix of ['', 'a b', 'a{b', 'a}b', 'a\u0000', '\ud800', 'x'.repeat(101), 7 as never]) {
      await expect(openRedisReceiptStore(client, { prefix })).rejects.toMatchObject(refused('prefix'));
    }
    for (const timeoutMs of [0, 1.5, 600_001, Number.NaN]) {
      await expect(openRedisReceiptStore(client, { timeoutMs })).rejects.toMatchObject(refused('timeoutMs'));
    }
    await expect(openRedisReceiptStore(client, { durability: 'D' as 'C' })).rejects.toMatchObject(
      refused('durability'),
    );
    const sentinel = { sendCommand: async () => 'OK', use: () => {} } as unknown as RedisClientLike;
    for (const other of [undefined, null, {}, 'redis://', sentinel]) {
      await expect(openRedisReceiptStore(other as RedisClientLike)).rejects.toMatchObject(refused('client'));
    }
    await close();
  });
});
