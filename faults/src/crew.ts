/** A worker process, as its parent sees it. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Order } from './calls.js';
import type { Instructions, Message } from './worker.js';

/** The built program; the harness itself may run from its sources. */
const PROGRAM = fileURLToPath(new URL('../dist/worker.js', import.meta.url));

type Heard = { readonly what: string } & Record<string, unknown>;

/** Every process that still runs, so that none outlives the harness. */
const running = new Set<ChildProcess>();

export class Crew {
  readonly #process: ChildProcess;
  readonly #exited: Promise<[number | null, string | null]>;
  readonly #inbox: Heard[] = [];
  /** Called with every call that has ended. */
  onBeat: () => void = () => {};

  private constructor(instructions: Instructions) {
    // Flags of a test runner, such as export conditions, are not for the worker.
    this.#process = fork(PROGRAM, [JSON.stringify(instructions)], { execArgv: [] });
    running.add(this.#process);
    this.#exited = once(this.#process, 'exit') as Promise<[number | null, string | null]>;
    void this.#exited.then(() => running.delete(this.#process));
    this.#process.on('message', (message: Heard) => {
      if (message.what === 'beat') this.onBeat();
      else this.#inbox.push(message);
    });
  }

  /** Starts a process and waits until it has opened its store. */
  static async start(instructions: Instructions): Promise<Crew> {
    const crew = new Crew(instructions);
    await crew.hears('ready');
    return crew;
  }

  tell(message: Message): void {
    this.#process.send(message);
  }

  /** The next message of this kind. @throws {Error} when the process ends first. */
  async hears(what: string): Promise<Heard> {
    for (;;) {
      const index = this.#inbox.findIndex((message) => message.what === what);
      if (index >= 0) return this.#inbox.splice(index, 1)[0] as Heard;
      const ended = this.#exited.then((codes) => {
        throw new Error(`A worker ended with ${codes} before it said "${what}".`);
      });
      await Promise.race([once(this.#process, 'message'), ended]);
    }
  }

  async runs(order: Order): Promise<void> {
    this.tell({ what: 'run', order });
    await this.hears('done');
  }

  /** Waits until the process has killed itself. */
  async dies(): Promise<void> {
    const codes = await this.#exited;
    if (codes[1] !== 'SIGKILL') throw new Error(`A worker that was to be killed ended with ${codes}.`);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.dies();
  }

  /** Stops the process, and waits until it stands still. */
  async stop(): Promise<void> {
    this.#process.kill('SIGSTOP');
    const status = `/proc/${this.#process.pid}/status`;
    while (!/^State:\s+T/m.test(readFileSync(status, 'utf8'))) await new Promise((resolve) => setImmediate(resolve));
  }

  continues(): void {
    this.tell({ what: 'go on' });
    this.#process.kill('SIGCONT');
  }

  async ends(): Promise<void> {
    this.tell({ what: 'end' });
    const codes = await this.#exited;
    if (codes[0] !== 0) throw new Error(`A worker ended with ${codes}.`);
  }
}

/** Kills what a failed scenario left behind. */
export function killAll(): void {
  for (const process of running) process.kill('SIGKILL');
}
