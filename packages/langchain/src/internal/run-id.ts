/** Which run a request belongs to. */

import { RunIdMissingError } from '../errors.js';
import type { HoldfastOptions, RunRequest } from '../options.js';
import { currentFrame } from './frames.js';

/** The names of a run. */
export interface RunNames {
  /**
   * Names the run in its receipts. An agent that runs inside a tool shares its caller's thread, and is a run of its own
   * under that call's receipt.
   */
  readonly runId: string;
  /** Names the run's outputs. An agent that runs inside a tool counts its turns by itself. */
  readonly outputScope: string;
}

/** The run's names by the host's `runId` or LangGraph's `thread_id`; `undefined` when there is neither. */
export function findRun(request: RunRequest, options: HoldfastOptions): RunNames | undefined {
  const named: unknown = options.runId ? options.runId(request) : request.configurable?.['thread_id'];
  const name = typeof named === 'number' ? String(named) : named;
  if (typeof name !== 'string' || name === '') return undefined;
  const frame = currentFrame();
  return { runId: within(name, frame?.receiptScope), outputScope: within(name, frame?.place) };
}

/** The run's names, for the pieces that need them. */
export function requireRun(request: RunRequest, options: HoldfastOptions): RunNames {
  const run = findRun(request, options);
  if (run === undefined) throw new RunIdMissingError();
  return run;
}

function within(name: string, scope: string | undefined): string {
  return scope === undefined ? name : `${name}/${scope}`;
}
