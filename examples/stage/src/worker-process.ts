/** The other side: worker processes that are started, killed and followed by others. */

import { type ChildProcess, fork } from 'node:child_process';
import type { Cue, Report } from './report.js';

/** A worker that tells nothing for so long has got stuck. */
const MAX_SILENCE_MS = 60_000;

export interface Relay {
  /** The file of the worker. */
  readonly file: string;
  readonly settings: unknown;
  /** The moment of each job at which the first worker is killed. */
  readonly killAt: Readonly<Record<string, string>>;
  /** Ends the relay and its workers early. */
  readonly signal: AbortSignal;
}

/** What both workers told, in order. */
export interface RelayOutcome {
  readonly killedPid: number;
  readonly secondPid: number;
  readonly reports: readonly Report[];
}

/**
 * Lets one worker come to its moment in every job, kills it with SIGKILL, and lets a second worker finish all jobs. How
 * the jobs come to the second one is the engine's business.
 */
export async function killAndCarryOn({ file, settings, killAt, signal }: Relay): Promise<RelayOutcome> {
  const jobs = Object.keys(killAt);
  const all = (kind: Report['kind']) => (reports: readonly Report[]) =>
    jobs.every((job) => reports.some((report) => report.kind === kind && report.job === job));

  const first = new WorkerProcess(file, { settings, standAt: killAt }, signal);
  await first.until(all('standing'));
  await first.end('SIGKILL');
  const second = new WorkerProcess(file, { settings, standAt: {} }, signal);
  await second.until(all('finished'));
  await second.end('leave');
  return { killedPid: first.pid, secondPid: second.pid, reports: [...first.reports, ...second.reports] };
}

class WorkerProcess {
  readonly reports: Report[] = [];
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #exit: Promise<string>;

  constructor(file: string, cue: Cue, signal: AbortSignal) {
    this.#child = fork(file, [JSON.stringify(cue)], { signal, killSignal: 'SIGKILL' });
    this.#child.on('message', (report: Report) => this.reports.push(report));
    this.#child.on('error', () => {}); // `fork` reports an abort so; the exit is what counts
    this.#exit = new Promise((resolve) => {
      this.#child.once('exit', (code, killedBy) => resolve(killedBy ?? `exit code ${code}`));
    });
    this.pid = this.#child.pid ?? 0;
  }

  /** Resolves as soon as the reports show what is waited for. */
  async until(shown: (reports: readonly Report[]) => boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stuck = setTimeout(() => {
        this.#child.kill('SIGKILL');
        reject(new Error(`Worker ${this.pid} told nothing for ${MAX_SILENCE_MS / 1000} seconds.`));
      }, MAX_SILENCE_MS);
      this.#child.on('message', () => {
        stuck.refresh();
        if (shown(this.reports)) resolve();
      });
      void this.#exit.then((how) => reject(new Error(`Worker ${this.pid} ended too early (${how}).`)));
      this.#exit.finally(() => clearTimeout(stuck));
    });
  }

  /** Kills the worker, or asks it to leave, and waits until it has ended so. */
  async end(how: 'SIGKILL' | 'leave'): Promise<void> {
    if (how === 'leave') this.#child.send('leave');
    else this.#child.kill(how);
    const ending = await this.#exit;
    const expected = how === 'leave' ? 'exit code 0' : how;
    if (ending !== expected) throw new Error(`Worker ${this.pid} ended with ${ending} instead of ${expected}.`);
  }
}
