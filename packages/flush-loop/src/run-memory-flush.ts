/** A whole memory flush: history as data, one loop in a cycle, a mark for success. */

import { type AbortSignalLike, runtime } from '@holdfast/kernel';
import type { BaseMessage } from '@langchain/core/messages';
import { bindToolsIfSupported } from './bind-tools.js';
import { FlushLoopOptionError } from './errors.js';
import { runFlushLoop } from './flush-loop.js';
import type { FlushLoopParams, MessageClasses } from './flush-loop-params.js';
import type { FlushLoopResult } from './flush-loop-result.js';
import { DEFAULT_FLUSH_LEASE_MS, type FlushCycle, type FlushMarkerStore, MAX_FLUSH_LEASE_MS } from './flush-marker.js';
import { FLUSH_SYSTEM_PROMPT, flushTaskPrompt } from './flush-prompts.js';
import { boundError, describeThrown } from './internal/failure-text.js';
import { type FlushSettings, readSettings } from './internal/flush-settings.js';
import { loadMessageClasses } from './internal/message-classes.js';
import { type RenderedHistory, type RenderHistoryOptions, renderHistory } from './render-history.js';

/** The mark that keeps a flush from running twice in a cycle. */
export interface FlushMark extends FlushCycle {
  readonly store: FlushMarkerStore;
  /** How long a crashed attempt keeps others from trying, in milliseconds, at most a day. Default {@link DEFAULT_FLUSH_LEASE_MS}. */
  readonly leaseMs?: number;
}

/** The message classes of a flush; those of any LangChain version fit. */
export interface FlushMessageClasses extends MessageClasses {
  readonly SystemMessage: new (fields: { content: string }) => BaseMessage;
}

/** What {@link runMemoryFlush} is given: the options of the loop, and what is special to a flush. */
export interface MemoryFlushParams extends Omit<FlushLoopParams, 'initialMessages' | 'messageClasses'> {
  /** The conversation that is about to be shortened. It is rendered as data; none of its messages is sent as such. */
  history: readonly BaseMessage[];
  /** How the history is rendered, `redact` included. */
  render?: RenderHistoryOptions;
  /** The system message. Default {@link FLUSH_SYSTEM_PROMPT}. */
  systemPrompt?: string;
  /** Makes the human message of the rendered history. Default {@link flushTaskPrompt}. */
  taskPrompt?: (history: RenderedHistory) => string;
  /** Keeps the flush to once a cycle, over restarts and processes. Default: none, the host sees to it. */
  mark?: FlushMark;
  /** As in {@link FlushLoopParams}, with the class of the system message. */
  messageClasses?: FlushMessageClasses;
}

/** What a flush gives back that was not kept from running, however it ended. */
export interface MemoryFlushRun {
  readonly result: FlushLoopResult;
  readonly history: RenderedHistory;
  /** What the store threw when the end was to be marked. The notes are written; a later attempt may run again. */
  readonly markError?: unknown;
}

/** How a memory flush ended. */
export type MemoryFlushOutcome =
  /** The loop ended by itself, and at least one note was written, or none was wanted. */
  | ({ readonly kind: 'flushed' } & MemoryFlushRun)
  /** This attempt did not save what it should. `result` tells how far it came. The next call tries again. */
  | ({ readonly kind: 'failed'; readonly reason: string } & MemoryFlushRun)
  /** Nothing ran: this cycle has been flushed. */
  | { readonly kind: 'already-flushed' }
  /** Nothing ran: another attempt holds the mark for at most this much longer. */
  | { readonly kind: 'busy'; readonly remainingMs: number }
  /** Nothing ran: three attempts of this cycle have failed, the last for this reason. Show it. */
  | { readonly kind: 'given-up'; readonly attempts: number; readonly reason: string };

/**
 * Has the model write down what must not be forgotten: renders the history as data, binds the tools to the model, runs
 * {@link runFlushLoop}, and marks the cycle once the notes are written, never before.
 *
 * A flush has failed when the loop ended by `model_error`, `aborted` or `identical_calls`, and when no note was written
 * though appends or tools that do not exist were called, or the cap was reached. A cap after a note counts as flushed,
 * since a second attempt would spend it on the same notes: see `result.hitIterationCap`. So does a flush of whose
 * appends only some succeeded, since a model may have corrected them: see `result.toolErrors`. The notes of a failed
 * flush stay: let append tools refuse a note that is there already, as those of `./memory-files` do. With a mark, the
 * loop is stopped when its lease ends. A signal that has fired before costs no attempt.
 *
 * What `mark.store` throws when it is asked for the claim is thrown on, before anything ran.
 *
 * @throws {FlushLoopOptionError} ERR_HOLDFAST_FLUSH_LOOP_OPTION before anything is called or claimed, for a value that
 * an option cannot have, and when none of the tools is an append tool.
 * @throws {LangChainMissingError} ERR_HOLDFAST_LANGCHAIN_MISSING before anything is claimed, when there are no message
 * classes.
 */
export async function runMemoryFlush(params: MemoryFlushParams): Promise<MemoryFlushOutcome> {
  const { history: messages, render, systemPrompt, taskPrompt, mark, ...loop } = params;
  if (!Array.isArray(messages)) throw new FlushLoopOptionError('history', messages, 'an array of messages');
  if (mark !== undefined) checkMark(mark);
  const history = renderHistory(messages, render);
  const initialMessages = await promptMessages(params, history);
  const { toolsByName } = checkTools(readSettings({ ...loop, initialMessages }));
  const settings = { ...loop, model: bindToolsIfSupported(loop.model, loop.tools), initialMessages };
  const flush = async (signal: AbortSignalLike | undefined): Promise<FlushVerdict> => {
    const result = await runFlushLoop({ ...settings, ...(signal && { signal }) });
    const reason = failureOf(result, toolsByName);
    return reason === undefined ? { kind: 'flushed', result, history } : { kind: 'failed', reason, result, history };
  };
  if (mark === undefined || loop.signal?.aborted) return flush(loop.signal);

  const lease = startLease(mark.leaseMs ?? DEFAULT_FLUSH_LEASE_MS, loop.signal);
  try {
    const claim = await mark.store.claim(mark, lease.ms);
    if (claim.kind === 'done') return { kind: 'already-flushed' };
    if (claim.kind !== 'granted') return claim;
    return await runMarked(mark, claim.attempt, () => flush(lease.signal));
  } finally {
    lease.end();
  }
}

function checkMark({ store, conversationId, cycle, leaseMs }: FlushMark): void {
  for (const verb of ['claim', 'done', 'failed'] as const) {
    if (typeof store?.[verb] !== 'function') throw new FlushLoopOptionError('mark.store', store, 'a FlushMarkerStore');
  }
  if (typeof conversationId !== 'string' || conversationId === '') {
    throw new FlushLoopOptionError('mark.conversationId', conversationId, 'a string that is not empty');
  }
  if (!Number.isSafeInteger(cycle) || cycle < 0) {
    throw new FlushLoopOptionError('mark.cycle', cycle, 'a whole number from 0');
  }
  if (leaseMs === undefined || (Number.isSafeInteger(leaseMs) && leaseMs >= 1 && leaseMs <= MAX_FLUSH_LEASE_MS)) return;
  throw new FlushLoopOptionError('mark.leaseMs', leaseMs, 'whole milliseconds from 1 to 86,400,000');
}

async function promptMessages(params: MemoryFlushParams, history: RenderedHistory): Promise<BaseMessage[]> {
  const { systemPrompt = FLUSH_SYSTEM_PROMPT, taskPrompt = flushTaskPrompt } = params;
  const classes = params.messageClasses ?? ((await loadMessageClasses()) as FlushMessageClasses);
  if (typeof systemPrompt !== 'string') throw new FlushLoopOptionError('systemPrompt', systemPrompt, 'a string');
  const task: unknown = typeof taskPrompt === 'function' ? taskPrompt(history) : taskPrompt;
  if (typeof taskPrompt !== 'function' || typeof task !== 'string')
    throw new FlushLoopOptionError('taskPrompt', task, 'a function that gives a string');
  return [new classes.SystemMessage({ content: systemPrompt }), new classes.HumanMessage({ content: task })];
}

/** Without one that counts as an append, a flush that wrote nothing could not be told from one with nothing to write. */
function checkTools(settings: FlushSettings): FlushSettings {
  const { appends, toolsByName } = settings;
  if ([...appends].some((name) => toolsByName.has(name))) return settings;
  throw new FlushLoopOptionError('appendTools', [...appends].join(', '), 'names of which at least one is a tool');
}

type FlushVerdict = Extract<MemoryFlushOutcome, { readonly kind: 'flushed' | 'failed' }>;

function failureOf(result: FlushLoopResult, tools: FlushSettings['toolsByName']): string | undefined {
  const { stopReason, error, appendsAttempted, appendsSucceeded, toolErrors } = result;
  if (stopReason === 'model_error') return boundError(describeThrown(error));
  if (stopReason === 'aborted') return 'The flush was stopped before its end.';
  if (stopReason === 'identical_calls') return 'The model made the same call again and again.';
  if (appendsSucceeded > 0) return undefined;
  const last = toolErrors.at(-1)?.error ?? 'no reason given';
  if (appendsAttempted > 0) return boundError(`None of ${appendsAttempted} notes was written: ${last}`);
  const misnamed = toolErrors.find(({ toolName }) => !tools.has(toolName));
  if (misnamed !== undefined) return boundError(`No note was written: ${misnamed.error}`);
  return stopReason === 'iteration_cap' ? 'The limit of the loop was reached before the first note.' : undefined;
}

/** A mark that cannot be set does not undo the notes: the run is reported, and the store's error with it. */
async function runMarked(
  mark: FlushMark,
  attempt: number,
  flush: () => Promise<FlushVerdict>,
): Promise<MemoryFlushOutcome> {
  let outcome: FlushVerdict;
  try {
    outcome = await flush();
  } catch (thrown) {
    try {
      await mark.store.failed(mark, attempt, boundError(describeThrown(thrown)));
    } catch {
      // What the flush threw is the host's own mistake, and the error that it must see.
    }
    throw thrown;
  }
  try {
    if (outcome.kind === 'flushed') await mark.store.done(mark, attempt);
    else await mark.store.failed(mark, attempt, outcome.reason);
    return outcome;
  } catch (markError) {
    return { ...outcome, markError };
  }
}

/** A signal that fires with the host's own, and when the lease ends: from then on another attempt may run. */
function startLease(ms: number, signal: AbortSignalLike | undefined) {
  const controller = new runtime.AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = runtime.setTimeout(() => controller.abort(), ms);
  return {
    ms,
    signal: controller.signal,
    end() {
      runtime.clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
