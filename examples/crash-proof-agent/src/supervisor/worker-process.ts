/** One worker: a child process that runs the agent until it is done or killed. */
import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KillPoint } from '../kill-plan.js';
import type { CallMessage, Job, SupervisorMessage, WorkerMessage, WorkerSummary } from '../protocol.js';

export interface WorkerEvents {
  /** The worker stands at a point: kill it or let it go on. */
  readonly onPoint: (point: KillPoint, pid: number) => 'kill' | 'go-on';
  readonly onCall: (message: CallMessage, pid: number) => void;
}

/** How a worker ended. `killed` only if the system reports that SIGKILL ended it. */
export type WorkerEnd =
  | { readonly kind: 'done'; readonly summary: WorkerSummary }
  | { readonly kind: 'killed' }
  | { readonly kind: 'failed'; readonly error: string };

/** A worker that says nothing for so long has got stuck. Longer than a slow model needs for one reply. */
const MAX_SILENCE_MS = 180_000;

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

/** Starts a worker on a job and waits for its end. What it prints goes to `worker.log` in the job's directory. */
export function runWorker(job: Job, events: WorkerEvents): Promise<WorkerEnd> {
  const log = openSync(join(job.directory, 'worker.log'), 'a');
  const child = fork(workerFile, [], { stdio: ['ignore', log, log, 'ipc'] });
  closeSync(log);
  return new Promise((resolve, reject) => {
    let end: WorkerEnd | undefined;
    const stuck = setTimeout(() => {
      end = { kind: 'failed', error: `Process ${child.pid} said nothing for ${MAX_SILENCE_MS / 1000} seconds.` };
      child.kill('SIGKILL');
    }, MAX_SILENCE_MS);
    child.on('message', (message: WorkerMessage) => {
      stuck.refresh();
      if (message.kind === 'done') end = { kind: 'done', summary: message.summary };
      else if (message.kind === 'failed') end = { kind: 'failed', error: message.error };
      else react(child, message, job, events);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(stuck);
      if (end) resolve(end);
      else if (signal === 'SIGKILL') resolve({ kind: 'killed' });
      else resolve({ kind: 'failed', error: `Process ${child.pid} ended with ${signal ?? `exit code ${code}`}.` });
    });
  });
}

type EarlyMessage = Exclude<WorkerMessage, { readonly kind: 'done' | 'failed' }>;

function react(child: ChildProcess, message: EarlyMessage, job: Job, events: WorkerEvents): void {
  const pid = child.pid ?? 0;
  const tell = (answer: SupervisorMessage): void => {
    child.send(answer);
  };
  if (message.kind === 'ready') tell({ kind: 'start', job });
  else if (message.kind === 'call') events.onCall(message, pid);
  else if (events.onPoint(message.point, pid) === 'kill') child.kill('SIGKILL');
  else tell({ kind: 'go-on' });
}
