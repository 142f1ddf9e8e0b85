/** The worker's line to its supervisor: it tells what happens and stands still where it may be killed. */
import type { KillPoint } from '../kill-plan.js';
import type { CallMessage, Job, SupervisorMessage, WorkerMessage } from '../protocol.js';

export interface Stage {
  /** Tells the supervisor that this point is reached, and waits: for the kill, or for the word to go on. */
  at(point: KillPoint): Promise<void>;
  /** Tells what is known about a call. */
  call(message: Omit<CallMessage, 'kind'>): void;
  /** Tells how the work ended, and ends the process. */
  leave(message: Extract<WorkerMessage, { readonly kind: 'done' | 'failed' }>): void;
}

/** Connects to the supervisor and waits for the job. A worker whose supervisor is gone ends with it. */
export async function connectStage(): Promise<{ readonly stage: Stage; readonly job: Job }> {
  const waiting: ((message: SupervisorMessage) => void)[] = [];
  process.on('message', (message) => waiting.shift()?.(message as SupervisorMessage));
  process.on('disconnect', () => process.exit(1));
  const answer = (): Promise<SupervisorMessage> => new Promise((resolve) => waiting.push(resolve));
  const send = (message: WorkerMessage): void => {
    process.send?.(message);
  };
  const stage: Stage = {
    async at(point) {
      const told = answer();
      send({ kind: 'at', point });
      await told;
    },
    call: (message) => send({ kind: 'call', ...message }),
    leave(message) {
      process.send?.(message, () => process.exit(message.kind === 'done' ? 0 : 1));
    },
  };
  const first = answer();
  send({ kind: 'ready' });
  const start = await first;
  if (start.kind !== 'start') throw new Error(`The first message has to be "start", not "${start.kind}".`);
  return { stage, job: start.job };
}
