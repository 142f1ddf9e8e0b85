/** What the supervisor and a worker say to each other over the child process's IPC channel. */
import type { KillPoint } from './kill-plan.js';

/** What became of a call in one process. */
export type Decision = 'executed' | 'replayed' | 'reconciled' | 'ambiguous' | 'refused' | 'failed';

/** The job that a worker gets when it starts. Nothing in it changes from one restart to the next, except `lag`. */
export interface Job {
  readonly mode: 'holdfast' | 'plain' | 'no-kill';
  /** The name under which the model knows the input file. */
  readonly inputName: string;
  readonly inputPath: string;
  /** Everything that the worker writes lies below this directory. */
  readonly directory: string;
  readonly worldUrl: string;
  readonly model: ModelSettings;
  /** Whether an interrupted e-mail is settled by asking the outside world. */
  readonly reconcile: boolean;
  /** Whether this worker's checkpoints are still on their way when it is killed. */
  readonly checkpointLags: boolean;
}

export interface ModelSettings {
  readonly baseUrl: string | undefined;
  readonly apiKey: string;
  readonly name: string;
}

/** A call in this process changed: it opens with the first message about it and closes with a decision. */
export interface CallMessage {
  readonly kind: 'call';
  readonly tool: string;
  /** What the call is about, short. */
  readonly about?: string;
  /** The id under which the model made the call. */
  readonly callId?: string;
  readonly state: 'streaming' | 'running' | 'waiting' | Decision;
  readonly note?: string;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  /** The worker stands at this point and does not move until it is told to go on or is killed. */
  | { readonly kind: 'at'; readonly point: KillPoint }
  | CallMessage
  | { readonly kind: 'done'; readonly summary: WorkerSummary }
  | { readonly kind: 'failed'; readonly error: string };

export interface WorkerSummary {
  readonly finalText: string;
  /** The keys of the stored outputs that the model used as arguments. */
  readonly references: readonly string[];
  /** How the memory flush ended, in words. */
  readonly flush: string;
}

export type SupervisorMessage = { readonly kind: 'start'; readonly job: Job } | { readonly kind: 'go-on' };
