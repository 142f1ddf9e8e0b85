/** Real processes, each with connections of its own to the same schema. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { POSTGRES_URL } from './databases.js';

const WORKER = new URL('./worker.mjs', import.meta.url);

type Message = { readonly what: string } & Record<string, unknown>;

export class Worker {
  readonly process: ChildProcess;
  readonly exited: Promise<unknown[]>;
  readonly #inbox: Message[] = [];

  constructor(schema: string, effects: string, connections = 2) {
    // The test runner's own flags, such as export conditions, are not for the worker.
    this.process = fork(WORKER, [POSTGRES_URL, schema, effects, String(connections)], { execArgv: [] });
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

/** A file outside the database in which effects leave their traces. */
export function effectsFile() {
  const directory = mkdtempSync(join(tmpdir(), 'receipts-postgres-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'effects');
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []);
  return { path, read };
}
