/** Which run a request belongs to. */

import { RunIdMissingError } from '../errors.js';
import type { HoldfastOptions, RunRequest } from '../options.js';

/** The run's identity: the host's, or LangGraph's `thread_id`; `undefined` when there is neither. */
export function findRunId(request: RunRequest, options: HoldfastOptions): string | undefined {
  const runId: unknown = options.runId ? options.runId(request) : request.configurable?.['thread_id'];
  if (typeof runId === 'number') return String(runId);
  return typeof runId === 'string' && runId !== '' ? runId : undefined;
}

/** The run's identity, for the pieces that need one. */
export function requireRunId(request: RunRequest, options: HoldfastOptions): string {
  const runId = findRunId(request, options);
  if (runId === undefined) throw new RunIdMissingError();
  return runId;
}
