import type { ReceiptStore, ToolCallReceiptKey } from '@holdfast/receipts';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLIENTS, type OpenClient } from './support/clients.js';
import { hasRedisServer, OwnServer } from './support/own-server.js';

/** Receipts as version 1 stored them. A change here is a new version. */
const KEY: ToolCallReceiptKey = { tenantId: 'acme', runId: 'run-7', toolName: 'send_email', argsHash: 'v1.s256.abc' };
const TEXT = '4:acme5:run-710:send_email11:v1.s256.abc';
const TAG = 'own:{113}:';
const AT = '1700000000000';

describe.skipIf(!hasRedisServer())('the stored format', () => {
  let server: OwnServer;
  let store: ReceiptStore;
  beforeAll(async () => {
    server = await OwnServer.start();
    const { client, close } = await (CLIENTS['ioredis 6'] as OpenClient)(server.url);
    store = await openRedisReceiptStore(client, { prefix: 'own' });
    return close;
  });
  beforeEach(async () => {
    await server.command('FLUSHALL');
  });
  const request = { effect: 'resumable', token: 'b', leaseMs: 60_000, maxAttempts: 3 } as const;
  const keep = async (...fields: string[]) => {
    const common = ['attempt', '1', 'effect', 'resumable', 'token', 'a', 'created', AT];
    await server.command('HSET', `${TAG}${TEXT}`, ...common, ...fields);
    await server.command('ZADD', `${TAG}live`, '0', `${AT}${TEXT}`);
  };

  it('has these keys and fields', async () => {
    await store.claim(KEY, request);
    await store.step(KEY, { attempt: 1, token: 'b' }, 60_000, 'one', '1');
    await store.complete(KEY, { attempt: 1, token: 'b' }, 'done');
    expect(((await server.command('KEYS', '*')) as string[]).sort()).toEqual([`${TAG}${TEXT}`, `${TAG}live`]);
    const fields = (await server.command('HGETALL', `${TAG}${TEXT}`)) as string[] | Record<string, string>;
    const receipt = Array.isArray(fields)
      ? Object.fromEntries(fields.flatMap((name, index) => (index % 2 ? [] : [[name, fields[index + 1]]])))
      : fields;
    expect(receipt).toEqual({
      status: 'completed',
      attempt: '1',
      effect: 'resumable',
      token: 'b',
      lease: expect.stringMatching(/^\d{13}$/),
      created: expect.stringMatching(/^\d{13}$/),
      changed: expect.stringMatching(/^\d{13}$/),
      text: 'done',
      'step:one': '1',
    });
    expect(await server.command('ZRANGE', `${TAG}live`, '0', '-1')).toEqual([`${receipt.created}${TEXT}`]);
  });

  it('is found again: a completed receipt', async () => {
    await keep('status', 'completed', 'lease', AT, 'changed', AT, 'text', '\\json:"\\u0000"');
    expect(await store.claim(KEY, request)).toEqual({ kind: 'replay', attempt: 1, result: '\u0000' });
    expect((await store.list()).receipts).toMatchObject([{ key: KEY, status: 'completed', attempt: 1 }]);
    expect(await store.collect({ dropResultsAfterMs: 1, removeKeysAfterMs: 1 })).toMatchObject({ keysRemoved: 1 });
  });

  it('is found again: an ambiguous receipt with evidence', async () => {
    await keep('status', 'ambiguous', 'lease', AT, 'changed', AT, 'text', 'timeout', 'evidence', 'completed:1:a:b');
    const evidence = { attempt: 1, kind: 'completed', text: 'a:b' };
    expect(await store.claim(KEY, request)).toMatchObject({
      kind: 'ambiguous',
      attempt: 1,
      error: 'timeout',
      evidence,
    });
    expect(await store.resolve(KEY, 1, { kind: 'did-not-happen' })).toEqual({ kind: 'ok' });
    expect(await store.claim(KEY, request)).toMatchObject({ kind: 'execute', attempt: 2, ageMs: 0 });
  });

  it('is found again: an attempt past its lease, with its journal', async () => {
    await keep('status', 'running', 'lease', AT, 'step:one', '1');
    const steps = new Map([['one', '1']]);
    expect(await store.claim(KEY, request)).toMatchObject({ kind: 'execute', attempt: 2, steps });
  });
});
