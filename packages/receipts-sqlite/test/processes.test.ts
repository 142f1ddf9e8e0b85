import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { executeOnce, type ReceiptStore } from '@holdfast/receipts';
import { bootClock, openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyOf, request } from '../../receipts/test/support/claiming.js';
import { opened, openLibsql, temporaryFile } from './support/databases.js';

const WORKER = new URL('./support/worker.mjs', import.meta.url);
const MINUTE = 60_000;

type Message = { readonly what: string } & Record<string, unknown>;

/** A real process with its own connection to the same file. */
class Worker {
  readonly process: ChildProcess;
  readonly exited: Promise<unknown[]>;
  readonly #inbox: Message[] = [];

  constructor(readonly path: string) {
    // The test runner's own flags, such as export conditions, are not for the worker.
    this.process = fork(WORKER, [path, `${path}.effects`], { execArgv: [] });
    this.exited = once(this.process, 'exit');
    this.process.on('message', (message) => this.#inbox.push(message as Message));
    onTestFinished(() => void this.process.kill('SIGKILL'));
  }

  /** The next message of this kind; a worker that dies first fails the test. */
  async hears(what: string): Promise<Message> {
    for (;;) {
      const index = this.#inbox.findIndex((message) => message.what === what);
      if (index >= 0) return this.#inbox.splice(index, 1)[0] as Message;
      const died = this.exited.then((codes) => {
        throw new Error(`The worker ended with ${codes} before it said "${what}".`);
      });
      await Promise.race([once(this.process, 'message'), died]);
    }
  }

  async starts(order: Record<string, unknown>): Promise<void> {
    await this.hears('ready');
    this.process.send({ what: 'do', ...order });
  }

  goesOn(): void {
    this.process.send({ what: 'go on' });
  }

  async isKilled(): Promise<void> {
    this.process.kill('SIGKILL');
    expect(await this.exited).toEqual([null, 'SIGKILL']);
  }
}

function effectsOf(path: string): string[] {
  const file = `${path}.effects`;
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/** This process's store on the file, `laterMs` after now by its own clock: waiting for a lease without waiting. */
function storeLater(path: string, laterMs: number): ReceiptStore {
  const { epoch, now } = bootClock();
  return openSqliteReceiptStore(opened(openLibsql, path), { clock: { epoch, now: () => now() + laterMs } });
}

describe('several processes on one file', () => {
  it('run every effect once, and all get its result', async () => {
    const path = temporaryFile();
    const keys = Array.from({ length: 20 }, (_, index) => keyOf(`key-${index}`));
    const workers = Array.from({ length: 5 }, () => new Worker(path));
    await Promise.all(workers.map((worker, index) => worker.starts({ job: 'all', keys, turn: index * 4 })));
    const done = await Promise.all(workers.map((worker) => worker.hears('done')));
    expect(effectsOf(path).sort()).toEqual(keys.map(({ argsHash }) => argsHash).sort());
    const counts = done.map(({ kinds }) => kinds as Record<string, number>);
    const total = (kind: string) => counts.reduce((sum, kinds) => sum + (kinds[kind] ?? 0), 0);
    expect([total('executed'), total('replayed')]).toEqual([20, 80]);
    expect(await Promise.all(workers.map(({ exited }) => exited))).toEqual(workers.map(() => [0, null]));
  });

  it('find an opaque call ambiguous after SIGKILL inside its effect, until a reconciler knows', async () => {
    const path = temporaryFile();
    const key = keyOf('killed');
    const worker = new Worker(path);
    await worker.starts({ job: 'steps', key, effect: 'opaque', leaseMs: MINUTE });
    await worker.hears('inside');
    await worker.isKilled();
    const live = await executeOnce(storeLater(path, 0), key, () => 'never');
    expect(live).toMatchObject({ kind: 'busy', attempt: 1 });
    const store = storeLater(path, MINUTE);
    expect(await executeOnce(store, key, () => 'never')).toMatchObject({ kind: 'ambiguous', attempt: 1 });
    const reconcile = async () => ({ kind: 'happened', result: 'in the ledger' }) as const;
    expect(await executeOnce(store, key, () => 'never', { reconcile })).toMatchObject({
      kind: 'replayed',
      value: 'in the ledger',
    });
    expect(effectsOf(path)).toEqual(['killed-one', 'killed-two']);
  });

  it('resume a resumable call after SIGKILL where its journal ends', async () => {
    const path = temporaryFile();
    const key = keyOf('killed');
    const worker = new Worker(path);
    await worker.starts({ job: 'steps', key, effect: 'resumable', leaseMs: MINUTE });
    await worker.hears('inside');
    await worker.isKilled();
    const ran: string[] = [];
    const outcome = await executeOnce(
      storeLater(path, MINUTE),
      key,
      async ({ step, attempt }) => {
        await step('one', () => void ran.push('one'));
        await step('two', () => void ran.push('two'));
        return attempt;
      },
      { effect: 'resumable' },
    );
    expect(outcome).toMatchObject({ kind: 'executed', value: 2 });
    expect(ran).toEqual(['two']);
  });

  it('fence every write of a worker that was stopped past its lease and taken over', async () => {
    const path = temporaryFile();
    const key = keyOf('stopped');
    const worker = new Worker(path);
    const resumable = { effect: 'resumable', leaseMs: MINUTE } as const;
    await worker.starts({ job: 'writes', key, request: request('zombie', resumable) });
    expect(await worker.hears('inside')).toMatchObject({ claimed: 'execute' });
    worker.process.kill('SIGSTOP');
    const store = storeLater(path, MINUTE);
    expect(await store.claim(key, request('holder', resumable))).toMatchObject({ kind: 'execute', attempt: 2 });
    worker.goesOn();
    worker.process.kill('SIGCONT');
    expect((await worker.hears('done')).answers).toEqual(['fenced', 'fenced', 'fenced', 'fenced']);
    expect((await store.list()).receipts).toMatchObject([
      { status: 'running', attempt: 2, evidence: { attempt: 1, kind: 'completed', text: '"late"' } },
    ]);
    expect(await store.complete(key, { attempt: 2, token: 'holder' }, '"new"')).toEqual({ kind: 'ok' });
  });

  it('let a stopped opaque worker heal its own receipt when it wakes', async () => {
    const path = temporaryFile();
    const key = keyOf('stopped');
    const worker = new Worker(path);
    await worker.starts({ job: 'steps', key, effect: 'opaque', leaseMs: MINUTE });
    await worker.hears('inside');
    worker.process.kill('SIGSTOP');
    const store = storeLater(path, MINUTE);
    expect(await executeOnce(store, key, () => 'never')).toMatchObject({ kind: 'ambiguous' });
    worker.goesOn();
    worker.process.kill('SIGCONT');
    expect(await worker.hears('done')).toMatchObject({ kind: 'executed' });
    expect(await executeOnce(store, key, () => 'never')).toMatchObject({ kind: 'replayed', value: { aborted: false } });
  });

  it('tell a worker that wakes up past its lease that it has lost it', async () => {
    const path = temporaryFile();
    const key = keyOf('stopped');
    const leaseMs = 800;
    const worker = new Worker(path);
    await worker.starts({ job: 'steps', key, effect: 'resumable', leaseMs });
    await worker.hears('inside');
    worker.process.kill('SIGSTOP');
    const { now } = bootClock();
    const past = now() + leaseMs;
    const store = storeLater(path, leaseMs);
    expect(await executeOnce(store, key, ({ attempt }) => attempt, { effect: 'resumable' })).toMatchObject({
      value: 2,
    });
    // The worker measures its own deadline on its own clock, which no test can move: let it pass.
    while (now() < past) await new Promise((resolve) => setImmediate(resolve));
    worker.goesOn();
    worker.process.kill('SIGCONT');
    expect(await worker.hears('done')).toMatchObject({ kind: 'lost', threw: 'ERR_HOLDFAST_LEASE_LOST' });
    expect(effectsOf(path)).toEqual(['stopped-one', 'stopped-two']);
  });
});
