import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeOnce, type ReceiptStore, type ToolCallReceiptKey } from '@holdfast/receipts';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { REDIS_URL, serverAnswers } from '../../../test/support/services.js';
import { CLIENTS, type OpenClient } from './support/clients.js';
import { hasRedisServer, OwnServer } from './support/own-server.js';
import { usePrefixes } from './support/prefixes.js';

const WORKER = new URL('./support/worker.mjs', import.meta.url);
const WORKERS = 50;
/** More processes prove no more and take longer; `HOLDFAST_TEST_PROCESSES=50` gives each worker its own. */
const PROCESSES = Number(process.env.HOLDFAST_TEST_PROCESSES ?? 5);

const newPrefix = usePrefixes();
const directory = mkdtempSync(join(tmpdir(), 'receipts-redis-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let serial = 0;

type Message = { readonly what: string } & Record<string, unknown>;

/** A process of several workers, each with its own client. */
class Crew {
  readonly process: ChildProcess;
  readonly exited: Promise<unknown[]>;
  readonly #inbox: Message[] = [];

  constructor(url: string, prefix: string, effects: string, workers: number) {
    // The test runner's own flags, such as export conditions, are not for the worker.
    this.process = fork(WORKER, [url, prefix, effects, String(workers)], { execArgv: [] });
    this.exited = once(this.process, 'exit');
    this.process.on('message', (message) => this.#inbox.push(message as Message));
    onTestFinished(() => void this.process.kill('SIGKILL'));
  }

  /** The next message of this kind; a process that dies first fails the test. */
  async hears(what: string): Promise<Message> {
    for (;;) {
      const index = this.#inbox.findIndex((message) => message.what === what);
      if (index >= 0) return this.#inbox.splice(index, 1)[0] as Message;
      const died = this.exited.then((codes) => {
        throw new Error(`The process ended with ${codes} before it said "${what}".`);
      });
      await Promise.race([once(this.process, 'message'), died]);
    }
  }

  does(order: Record<string, unknown>): void {
    this.process.send({ what: 'do', ...order });
  }
}

function newEffects() {
  const path = join(directory, `effects-${serial++}`);
  const seen = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []);
  return { path, seen };
}

function total(messages: readonly Message[], kind: string): number {
  return messages.reduce((sum, { counts }) => sum + ((counts as Record<string, number>)[kind] ?? 0), 0);
}

describe.skipIf(!(await serverAnswers(REDIS_URL)))('fifty workers of several processes', () => {
  it('run the effect of one key, and of each of 5,000 keys, exactly once', async () => {
    const { path, seen } = newEffects();
    const prefix = newPrefix();
    const each = Math.ceil(WORKERS / PROCESSES);
    const crews = Array.from({ length: PROCESSES }, () => new Crew(REDIS_URL, prefix, path, each));
    await Promise.all(crews.map((crew) => crew.hears('ready')));
    for (const crew of crews) crew.does({ job: 'all', keys: [0] });
    const one = await Promise.all(crews.map((crew) => crew.hears('done')));
    expect([total(one, 'executed'), total(one, 'replayed')]).toEqual([1, PROCESSES * each - 1]);
    expect(seen()).toEqual(['0']);
    const keys = Array.from({ length: 5_000 }, (_, index) => index + 1);
    for (const [index, crew] of crews.entries()) crew.does({ job: 'all', keys, mine: index * each });
    const many = await Promise.all(crews.map((crew) => crew.hears('done')));
    expect([total(many, 'executed'), total(many, 'replayed')]).toEqual([5_000, 5_000]);
    expect(
      seen()
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual([0, ...keys]);
    for (const crew of crews) crew.process.send({ what: 'end' });
    expect(await Promise.all(crews.map(({ exited }) => exited))).toEqual(crews.map(() => [0, null]));
  }, 60_000);
});

describe.skipIf(!hasRedisServer())('on a server that is killed', () => {
  let server: OwnServer;
  let redis: Redis;
  let store: ReceiptStore;
  const key = (argsHash: string): ToolCallReceiptKey => ({ tenantId: 't', runId: 'r', toolName: 'pay', argsHash });
  beforeAll(async () => {
    server = await OwnServer.start('--appendonly', 'yes', '--appendfsync', 'always');
    redis = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    redis.on('error', () => {});
    store = await openRedisReceiptStore(redis, { prefix: 'killed' });
    return () => redis.disconnect();
  });

  it('loses no receipt, and repeats no effect, with an append-only file synced on every write', async () => {
    expect(store.durability).toBe('B');
    const { seen, path } = newEffects();
    const crew = new Crew(server.url, 'killed', path, 1);
    await crew.hears('ready');
    crew.does({ job: 'hold', key: key('held'), effect: 'opaque', leaseMs: 60_000 });
    await crew.hears('inside');
    await executeOnce(store, key('done'), () => 'result');
    await server.kill();
    const meanwhile = executeOnce(store, key('begun while it was down'), () => 'later');
    await server.start();
    expect(await meanwhile).toMatchObject({ kind: 'executed', value: 'later' });
    expect(await executeOnce(store, key('done'), () => 'never')).toMatchObject({ kind: 'replayed', value: 'result' });
    expect(await executeOnce(store, key('held'), () => 'never')).toMatchObject({ kind: 'busy', attempt: 1 });
    crew.process.send({ what: 'go on' });
    expect(await crew.hears('done')).toMatchObject({ kind: 'executed' });
    expect(await executeOnce(store, key('held'), () => 'never')).toMatchObject({ kind: 'replayed', value: 'late' });
    expect(seen()).toEqual(['held']);
    expect((await store.list()).receipts).toHaveLength(3);
  });

  it('shows an opaque call ambiguous after its worker was killed, until somebody knows', async () => {
    const { seen, path } = newEffects();
    const crew = new Crew(server.url, 'killed', path, 1);
    await crew.hears('ready');
    crew.does({ job: 'hold', key: key('dead'), effect: 'opaque', leaseMs: 150 });
    await crew.hears('inside');
    crew.process.kill('SIGKILL');
    await crew.exited;
    let outcome = await executeOnce(store, key('dead'), () => 'never');
    while (outcome.kind === 'busy') outcome = await executeOnce(store, key('dead'), () => 'never');
    expect(outcome).toMatchObject({ kind: 'ambiguous', attempt: 1 });
    expect(await store.resolve(key('dead'), 1, { kind: 'happened', result: '"seen"' })).toEqual({ kind: 'ok' });
    expect(await executeOnce(store, key('dead'), () => 'never')).toMatchObject({ kind: 'replayed', value: 'seen' });
    expect(seen()).toEqual(['dead']);
  });

  it('leaves no claim behind in the queue of node-redis that would run for nobody', async () => {
    const { client, close } = await (CLIENTS['node-redis 5'] as OpenClient)(server.url);
    const impatient = await openRedisReceiptStore(client, { prefix: 'queued', timeoutMs: 500 });
    await server.kill();
    while ((client as { readonly isReady?: boolean }).isReady) await new Promise((resolve) => setImmediate(resolve));
    const request = { effect: 'opaque', token: 'a', leaseMs: 60_000, maxAttempts: 1 } as const;
    await expect(impatient.claim(key('queued'), request)).rejects.toThrow(/500 ?ms|timeout/i);
    await server.start();
    // Whatever the client still holds is sent before this.
    while ((await Promise.allSettled([impatient.list()]))[0]?.status === 'rejected') await server.command('PING');
    expect(await impatient.list()).toEqual({ receipts: [] });
    await close();
  });
});
