import { executeOnce, type ReceiptClaim, type ReceiptStore, type ToolCallReceiptKey } from '@holdfast/receipts';
import { openRedisReceiptStore, RedisReplyError, RedisSchemaError, RedisTimeoutError } from '@holdfast/receipts-redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REDIS_URL, serverAnswers } from '../../../test/support/services.js';
import { CLIENTS, type OpenClient, type OpenedClient } from './support/clients.js';
import { counting, intercepted, sending } from './support/intercepted.js';
import { hasRedisServer, OwnServer } from './support/own-server.js';
import { usePrefixes } from './support/prefixes.js';

const newPrefix = usePrefixes();
const LEASE = 60_000;

function keyOf(argsHash: string): ToolCallReceiptKey {
  return { tenantId: 'tenant', runId: 'run', toolName: 'send_email', argsHash };
}

async function granted(store: ReceiptStore, key: ToolCallReceiptKey, token: string): Promise<ReceiptClaim> {
  const outcome = await store.claim(key, { effect: 'resumable', token, leaseMs: LEASE, maxAttempts: 3 });
  if (outcome.kind !== 'execute') throw new Error(`The claim was answered with ${outcome.kind}.`);
  return { attempt: outcome.attempt, token };
}

/** Every verb that a call makes, on keys of its own; ends with its receipts settled. */
async function everyVerb(store: ReceiptStore, run: string): Promise<void> {
  const [done, failed] = [keyOf(`${run} done`), keyOf(`${run} failed`)];
  const claim = await granted(store, done, 'a');
  await store.renew(done, claim, LEASE);
  await store.step(done, claim, LEASE, 'one', '1');
  await store.complete(done, claim, 'result');
  await granted(store, failed, 'a').then((unknown) => store.fail(failed, unknown, { kind: 'unknown', error: 'no' }));
  await store.resolve(failed, 1, { kind: 'did-not-happen' });
  expect(await store.claim(done, { effect: 'opaque', token: 'b', leaseMs: LEASE, maxAttempts: 3 })).toEqual({
    kind: 'replay',
    attempt: 1,
    result: 'result',
  });
}

describe.skipIf(!(await serverAnswers(REDIS_URL))).each(Object.entries(CLIENTS))('on %s', (_, open) => {
  let opened: OpenedClient;
  beforeAll(async () => {
    opened = await open(REDIS_URL);
  });
  afterAll(() => opened.close());

  it('takes one round trip a verb', async () => {
    const { client, takeCounts } = counting(opened.client);
    const store = await openRedisReceiptStore(client, { prefix: newPrefix() });
    await everyVerb(store, 'first');
    await store.read(keyOf('first done'));
    takeCounts();
    await everyVerb(store, 'second');
    expect(takeCounts()).toEqual({ EVALSHA: 8 });
    expect(await store.read(keyOf('second done'))).toMatchObject({ result: 'result', steps: new Map([['one', '1']]) });
    expect(await store.read(keyOf('nobody'))).toBeUndefined();
    expect(takeCounts()).toEqual({ EVALSHA: 2 });
  });

  it('takes text for no attempt', async () => {
    const store = await openRedisReceiptStore(opened.client, { prefix: newPrefix() });
    const key = keyOf('text');
    const { token } = await granted(store, key, 'a');
    const claim = { attempt: '1' as unknown as number, token };
    expect(await store.renew(key, claim, LEASE)).toEqual({ kind: 'fenced' });
    expect(await store.complete(key, claim, 'result')).toEqual({ kind: 'fenced' });
    await store.fail(key, { attempt: 1, token }, { kind: 'unknown', error: 'no' });
    expect(await store.resolve(key, claim.attempt, { kind: 'did-not-happen' })).toEqual({ kind: 'fenced' });
    expect(await store.read(key)).toMatchObject({ status: 'ambiguous', error: 'no' });
    expect(await store.read(key)).not.toHaveProperty('evidence');
  });

  it('takes one round trip in a herd of 32 as well', async () => {
    const { client, takeCounts } = counting(opened.client);
    const store = await openRedisReceiptStore(client, { prefix: newPrefix() });
    await everyVerb(store, 'first');
    takeCounts();
    const claim = (token: number) =>
      store.claim(keyOf('herd'), { effect: 'opaque', token: `t${token}`, leaseMs: LEASE, maxAttempts: 3 });
    const kinds = (await Promise.all(Array.from({ length: 32 }, (_, token) => claim(token)))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'execute')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'wait')).toHaveLength(31);
    expect(takeCounts()).toEqual({ EVALSHA: 32 });
  });

  it('gives up on a server that does not answer', async () => {
    const silent = intercepted(opened.client, (command, args, send) =>
      args.some((arg) => arg.includes('silent')) ? new Promise(() => {}) : send(command, args),
    );
    const store = await openRedisReceiptStore(silent, { prefix: newPrefix(), timeoutMs: 500 });
    const error: unknown = await granted(store, keyOf('silent'), 'a').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RedisTimeoutError);
    expect(error).toMatchObject({ code: 'ERR_HOLDFAST_REDIS_TIMEOUT', timeoutMs: 500 });
  });

  it('sends no text for a hash that turns out to be unknown when nobody waits any more', async () => {
    const sent: string[] = [];
    let forget = (_: Error) => {};
    const forgetful = intercepted(opened.client, (command, args, send) => {
      if (!args.some((arg) => arg.includes('late'))) return send(command, args);
      sent.push(command);
      return command === 'EVALSHA' ? new Promise((_, reject) => (forget = reject)) : send(command, args);
    });
    const store = await openRedisReceiptStore(forgetful, { prefix: newPrefix(), timeoutMs: 500 });
    await expect(granted(store, keyOf('late'), 'a')).rejects.toBeInstanceOf(RedisTimeoutError);
    forget(new Error('NOSCRIPT No matching script.'));
    // What would be sent has been sent before this is answered.
    expect(await store.read(keyOf('other'))).toBeUndefined();
    expect(sent).toEqual(['EVALSHA']);
  });

  it('is asked again by executeOnce, which finds the claim that was granted without an answer', async () => {
    let answers = 0;
    const silentOnce = intercepted(opened.client, async (command, args, send) => {
      if (!args.some((arg) => arg.includes('silent'))) return send(command, args);
      const answer = await send(command, args);
      return answers++ === 0 ? new Promise(() => {}) : answer;
    });
    const store = await openRedisReceiptStore(silentOnce, { prefix: newPrefix(), timeoutMs: 500, durability: 'B' });
    const outcome = await executeOnce(store, keyOf('silent'), ({ attempt }) => attempt, { resendDelayMs: 0 });
    expect(outcome).toMatchObject({ kind: 'executed', attempt: 1 });
  });

  it('refuses answers that are not its own, such as QUEUED', async () => {
    let queued = false;
    const inTransaction = intercepted(opened.client, (command, args, send) =>
      queued ? Promise.resolve('QUEUED') : send(command, args),
    );
    const store = await openRedisReceiptStore(inTransaction, { prefix: newPrefix() });
    const claim = await granted(store, keyOf('call'), 'a');
    queued = true;
    const refused = { code: 'ERR_HOLDFAST_REDIS_REPLY' };
    await expect(granted(store, keyOf('other'), 'a')).rejects.toBeInstanceOf(RedisReplyError);
    await expect(store.renew(keyOf('call'), claim, LEASE)).rejects.toMatchObject(refused);
    await expect(store.complete(keyOf('call'), claim, 'done')).rejects.toMatchObject(refused);
    await expect(store.list()).rejects.toMatchObject(refused);
    await expect(store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 })).rejects.toMatchObject(refused);
  });

  it('refuses receipts of a newer version, and leaves them alone', async () => {
    const prefix = newPrefix();
    const sent: string[][] = [];
    const client = intercepted(opened.client, (command, args, send) => {
      if (command.startsWith('EVAL')) sent.push(args);
      return send(command, args);
    });
    const store = await openRedisReceiptStore(client, { prefix });
    await granted(store, keyOf('newer'), 'a');
    const receipt = sent.at(-1)?.[2] as string;
    const send = sending(opened.client);
    await send('HSET', [receipt, 'status', 'paused']);
    const error = { code: 'ERR_HOLDFAST_REDIS_SCHEMA', found: 'with status paused', supported: 1 };
    await expect(granted(store, keyOf('newer'), 'b')).rejects.toMatchObject(error);
    await send('SET', [`${prefix}:schema`, '2']);
    await expect(openRedisReceiptStore(client, { prefix })).rejects.toBeInstanceOf(RedisSchemaError);
    await expect(openRedisReceiptStore(client, { prefix })).rejects.toThrow(/format 2/);
  });
});

describe.skipIf(!hasRedisServer())('a server of its own', () => {
  it('finds the one ambiguous receipt of a run in few round trips', async () => {
    const server = await OwnServer.start();
    const { client, close } = await (CLIENTS['ioredis 6'] as OpenClient)(server.url);
    const { client: counted, takeCounts } = counting(client);
    const store = await openRedisReceiptStore(counted);
    const keys = Array.from({ length: 1_500 }, (_, index) => keyOf(`call ${index}`));
    await Promise.all(keys.map(async (key) => store.complete(key, await granted(store, key, 'a'), 'done')));
    const claim = await granted(store, keyOf('lost'), 'a');
    await store.fail(keyOf('lost'), claim, { kind: 'unknown', error: 'timeout' });
    await store.list();
    takeCounts();
    const { receipts, next } = await store.list({ tenantId: 'tenant', runId: 'run', status: 'ambiguous', limit: 1 });
    expect(receipts).toMatchObject([{ key: keyOf('lost') }]);
    expect(next).toBeUndefined();
    expect(takeCounts()).toEqual({ EVALSHA: 4 });
    expect((await store.list({ runId: 'run', limit: 1, status: 'ambiguous' })).receipts).toHaveLength(1);
    expect(takeCounts().EVALSHA).toBeLessThan(140);
    await close();
  });

  it('writes nothing of a verb for which there is no memory, and still replays', async () => {
    const server = await OwnServer.start();
    const { client, close } = await (CLIENTS['ioredis 6'] as OpenClient)(server.url);
    const store = await openRedisReceiptStore(client);
    await everyVerb(store, 'first');
    const live = keyOf('live');
    const claim = await granted(store, live, 'a');
    await server.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(granted(store, keyOf('new'), 'a')).rejects.toThrow(/OOM/);
    await expect(store.step(live, claim, LEASE, 'one', '1')).rejects.toThrow(/OOM/);
    await expect(store.complete(live, claim, 'done')).rejects.toThrow(/OOM/);
    const again = { effect: 'opaque', token: 'b', leaseMs: LEASE, maxAttempts: 3 } as const;
    expect(await store.claim(keyOf('first done'), again)).toMatchObject({ kind: 'replay', result: 'result' });
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    expect((await store.list()).receipts).toHaveLength(3);
    expect(await store.complete(live, claim, 'done')).toEqual({ kind: 'ok' });
    await close();
  });
  it('keeps nothing of receipts that were collected, not even in an index', async () => {
    const server = await OwnServer.start();
    const { client, close } = await (CLIENTS['ioredis 6'] as OpenClient)(server.url);
    const store = await openRedisReceiptStore(client, { prefix: 'own' });
    const keys = async () => ((await server.command('KEYS', '*')) as string[]).sort();
    await everyVerb(store, 'first');
    expect(await keys()).toHaveLength(4);
    await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: Number.POSITIVE_INFINITY });
    expect(await keys()).toHaveLength(5);
    expect((await store.list()).receipts.map(({ status }) => status).sort()).toEqual(['failed', 'gone']);
    const gone = (await keys()).find((key) => key.endsWith('first done')) as string;
    const fields = ((await server.command('HKEYS', gone)) as string[]).sort();
    expect(fields).toEqual(['attempt', 'changed', 'created', 'effect', 'lease', 'status', 'token']);
    await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 });
    expect(await keys()).toEqual(['own:schema']);
    await close();
  });

  it.each(['ioredis 6', 'node-redis 6'])('is told them again: %s', async (name) => {
    const server = await OwnServer.start('--appendonly', 'yes', '--appendfsync', 'always');
    const { client, close } = await (CLIENTS[name] as OpenClient)(server.url);
    const { client: counted, takeCounts } = counting(client);
    const store = await openRedisReceiptStore(counted);
    await everyVerb(store, 'first');
    await server.command('SCRIPT', 'FLUSH');
    takeCounts();
    await everyVerb(store, 'second');
    expect(takeCounts()).toEqual({ EVALSHA: 8, EVAL: 4 });
    await everyVerb(store, 'third');
    expect(takeCounts()).toEqual({ EVALSHA: 8 });
    await close();
  });
});
