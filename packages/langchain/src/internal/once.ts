/** Running one call under a receipt. */

import {
  type DigestFn,
  type EffectContext,
  type ExecuteOnceOptions,
  type ExecuteOnceOutcome,
  executeOnce,
  type ReceiptStore,
  type ToolCallReceiptKey,
} from '@holdfast/receipts';
import type { EffectPolicy } from '../options.js';
import type { RunResult } from './call.js';
import { isCommand, isGraphControlFlow, isPause } from './graph-control.js';
import { type RecordedResult, recordReconciled, recordResult } from './tool-result.js';

/** A call that is ready to run under a receipt. */
export interface TrackedCall {
  readonly store: ReceiptStore;
  readonly key: ToolCallReceiptKey;
  readonly policy: EffectPolicy & { readonly effect: 'opaque' | 'resumable' };
  /** Hashes the idempotency key. */
  readonly digest: DigestFn | undefined;
  readonly args: Record<string, unknown>;
  readonly signal: AbortSignal | undefined;
  /** How often the call has been interrupted and resumed. */
  readonly resumes: number;
  readonly run: (effect: EffectContext) => Promise<RunResult>;
  readonly onWaiting: (attempt: number, reason: string) => void;
}

/** What became of the call. `live` is what the tool returned, when it ran here. */
export interface TrackedOutcome {
  readonly outcome: ExecuteOnceOutcome<RecordedResult | undefined>;
  readonly live?: RunResult;
}

/**
 * Runs the call at most once. Control flow of the graph leaves as it was thrown; an interrupted tool counts as not
 * run, since LangGraph starts it from its beginning when it resumes.
 */
export async function runTracked(call: TrackedCall): Promise<TrackedOutcome> {
  let live: RunResult | undefined;
  const effect = async (context: EffectContext) => {
    const result = await call.run(context);
    live = result;
    // A command cannot be replayed: without a value the receipt keeps the fact and not the result.
    return isCommand(result.outcome) ? undefined : recordResult(result.outcome);
  };
  const outcome = await claimAndRun(call, effect);
  if ((outcome.kind === 'failed' || outcome.kind === 'lost') && isGraphControlFlow(thrownBy(outcome)))
    throw thrownBy(outcome);
  if (outcome.kind === 'aborted') throw outcome.reason;
  return { outcome, ...(live !== undefined && { live }) };
}

/** Waiting is told before it begins: the first claim returns at once, and only a busy call is claimed again. */
async function claimAndRun(call: TrackedCall, effect: (context: EffectContext) => Promise<RecordedResult | undefined>) {
  const options = executionOptions(call);
  const first = await executeOnce(call.store, call.key, effect, { ...options, whenBusy: 'return' });
  if (first.kind !== 'busy' || options.whenBusy === 'return') return first;
  call.onWaiting(first.attempt, first.reason);
  return executeOnce(call.store, call.key, effect, { ...options, whenBusy: 'wait' });
}

/** The attempts that `executeOnce` allows by default. */
const DEFAULT_MAX_ATTEMPTS = 5;

function executionOptions({
  policy,
  args,
  signal,
  digest,
  resumes,
}: TrackedCall): ExecuteOnceOptions<RecordedResult | undefined> {
  const { effect, reconcile, classifyError, ...limits } = policy;
  return {
    ...limits,
    effect,
    // An answered interrupt has used an attempt, and is no failure.
    maxAttempts: (limits.maxAttempts ?? DEFAULT_MAX_ATTEMPTS) + resumes,
    classifyError: (error) => (isPause(error) ? 'clean' : classifyError?.(error)),
    ...(signal !== undefined && { signal }),
    ...(digest !== undefined && { digest }),
    ...(reconcile !== undefined && {
      reconcile: async (question) => {
        const found = await reconcile({ ...question, args });
        return found.kind === 'happened' ? { kind: 'happened', result: recordReconciled(found.result) } : found;
      },
    }),
  };
}

function thrownBy(outcome: ExecuteOnceOutcome<unknown>): unknown {
  if (outcome.kind === 'failed') return outcome.error;
  return outcome.kind === 'lost' && outcome.effect.kind === 'threw' ? outcome.effect.error : undefined;
}
