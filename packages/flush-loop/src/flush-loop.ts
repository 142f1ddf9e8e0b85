/** The loop: ask the model, run its tool calls, answer them, ask again; bounded and honestly reported. */

import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { ModelReplyError, ModelTimeoutError } from './errors.js';
import { extractText } from './extract-text.js';
import type { FlushLoopParams, InvokableModel, MessageClasses } from './flush-loop-params.js';
import type { FlushLoopResult, FlushStopReason, ToolErrorRecord } from './flush-loop-result.js';
import { answerCall, type CallAnswer, failed } from './internal/answer-call.js';
import { CallBudget } from './internal/call-budget.js';
import { callWithin } from './internal/call-within.js';
import { type FlushSettings, readSettings } from './internal/flush-settings.js';
import { loadMessageClasses } from './internal/message-classes.js';
import { CallIds, type PlannedCall, planCalls } from './internal/planned-call.js';
import { repairReply } from './internal/repaired-reply.js';
import { isSilentReply } from './silent-reply.js';

const FINAL_ANSWER_REQUEST =
  'The limit of tool calls for this task is reached. Do not call any tool. Answer now, in words, with what you have.';

/** How many calls of tools that are marked safe run at a time. */
const MAX_PARALLEL_CALLS = 8;

/** What changes while a loop runs. */
interface FlushRun {
  readonly settings: FlushSettings;
  readonly messages: BaseMessage[];
  readonly ids: CallIds;
  readonly budget: CallBudget;
  readonly toolErrors: ToolErrorRecord[];
  iterations: number;
  appendsAttempted: number;
  appendsSucceeded: number;
  clippedResults: number;
  hitIterationCap: boolean;
  finalText: string;
  error?: { readonly reason: unknown };
  classes: MessageClasses | undefined;
}

/** A reply as it goes into the transcript, with its calls and its text. */
interface ModelReply {
  readonly ai: AIMessage;
  readonly calls: readonly PlannedCall[];
  readonly text: string;
}

/**
 * Calls the model, runs the tools that it calls one after another, feeds the results back and repeats, until the model
 * answers without a call, the cap is reached, the signal fires or the model fails.
 *
 * Each call is answered exactly once, in order, under an id of its own, also when its tool throws, is unknown or must
 * not run. A mistake of the model or of a tool is part of the result; nothing is thrown for it. Nothing that the
 * caller passed is changed.
 *
 * @throws {FlushLoopOptionError} ERR_HOLDFAST_FLUSH_LOOP_OPTION before any call, for a value that an option cannot have.
 * @throws {LangChainMissingError} ERR_HOLDFAST_LANGCHAIN_MISSING before any tool runs, when there are no message classes.
 */
export async function runFlushLoop(params: FlushLoopParams): Promise<FlushLoopResult> {
  const run = startRun(readSettings(params));
  const { maxIterations, onCap } = run.settings;
  for (let i = 0; i < maxIterations; i++) {
    const stopReason = await takeTurn(run, i);
    if (stopReason !== undefined) return endRun(run, stopReason);
  }
  run.hitIterationCap = true;
  return endRun(run, onCap === 'final-answer' ? await askForAnswer(run) : 'iteration_cap');
}

function startRun(settings: FlushSettings): FlushRun {
  return {
    settings,
    messages: [...settings.initialMessages],
    ids: new CallIds(settings.initialMessages),
    budget: new CallBudget(settings),
    toolErrors: [],
    iterations: 0,
    appendsAttempted: 0,
    appendsSucceeded: 0,
    clippedResults: 0,
    hitIterationCap: false,
    finalText: '',
    classes: settings.messageClasses,
  };
}

/** One reply and the answers to its calls. Gives the reason when the loop ends with it. */
async function takeTurn(run: FlushRun, i: number): Promise<FlushStopReason | undefined> {
  const reply = await askModel(run, run.settings.model);
  if (typeof reply === 'string') return reply;
  receiveReply(run, reply);
  const { calls } = reply;
  if (run.settings.onIteration) await tellHost(run.settings.onIteration, i, reply);
  if (calls.length === 0) return isSilentReply(run.finalText) ? 'silent' : 'completed';
  const classes = run.classes ?? (await loadClasses(run));
  for (const together of groupCalls(calls, run.settings)) {
    const running = together.map((call) => answerUnlessStopped(run, call));
    for (const [index, call] of together.entries()) {
      recordAnswer(run, i, call, await (running[index] as CallAnswer | Promise<CallAnswer>), classes);
    }
  }
  if (run.settings.signal?.aborted) return 'aborted';
  return run.budget.stalled ? 'identical_calls' : undefined;
}

function answerUnlessStopped(run: FlushRun, call: PlannedCall): CallAnswer | Promise<CallAnswer> {
  return run.settings.signal?.aborted ? failed('Not run: the run was stopped.') : answerCall(call, run.budget);
}

/** Neighbouring calls of tools that are marked safe run together; every other call runs alone. */
function groupCalls(calls: readonly PlannedCall[], { parallel }: FlushSettings): PlannedCall[][] {
  if (parallel.size === 0) return calls.map((call) => [call]);
  const groups: PlannedCall[][] = [];
  for (const [index, call] of calls.entries()) {
    const before = calls[index - 1];
    const group = groups.at(-1);
    const joins = parallel.has(call.name) && before !== undefined && parallel.has(before.name);
    if (joins && group !== undefined && group.length < MAX_PARALLEL_CALLS) group.push(call);
    else groups.push([call]);
  }
  return groups;
}

/** The one call beyond the cap. */
async function askForAnswer(run: FlushRun): Promise<FlushStopReason> {
  const { model, unboundModel, maxIterations } = run.settings;
  const classes = run.classes ?? (await loadClasses(run));
  run.messages.push(new classes.HumanMessage({ content: FINAL_ANSWER_REQUEST }));
  const reply = await askModel(run, unboundModel ?? model);
  if (typeof reply === 'string') return reply;
  receiveReply(run, reply);
  if (run.settings.onIteration) await tellHost(run.settings.onIteration, maxIterations, reply);
  for (const call of reply.calls) {
    const answer = failed(`Not run: the limit of ${maxIterations} replies that may call tools is reached.`);
    recordAnswer(run, maxIterations, call, answer, classes);
  }
  return 'iteration_cap';
}

async function askModel(run: FlushRun, model: InvokableModel): Promise<ModelReply | FlushStopReason> {
  const { signal, modelTimeoutMs } = run.settings;
  if (signal?.aborted) return 'aborted';
  run.iterations += 1;
  // Each call gets a list of its own: some models keep or extend what they are given.
  const messages = [...run.messages];
  const outcome = await callWithin(
    (own) => (own === undefined ? model.invoke(messages) : model.invoke(messages, { signal: own })),
    { signal, timeoutMs: modelTimeoutMs },
  );
  switch (outcome.kind) {
    case 'returned':
      return readReply(run, outcome.value);
    case 'threw':
      return failModel(run, outcome.thrown);
    case 'timeout':
      return failModel(run, new ModelTimeoutError(modelTimeoutMs ?? 0));
    case 'aborted':
      return 'aborted';
  }
}

function failModel(run: FlushRun, reason: unknown): FlushStopReason {
  run.error = { reason };
  return 'model_error';
}

/** A reply that cannot be read is a failure of the model: nothing of it is in the transcript, and no call has run. */
function readReply(run: FlushRun, value: unknown): ModelReply | FlushStopReason {
  try {
    if (!isMessage(value)) throw new ModelReplyError(value);
    const calls = planCalls(value, run.ids, run.settings.toolsByName);
    const ai = repairReply(value, calls);
    return { ai, calls, text: extractText(ai) };
  } catch (thrown) {
    return failModel(run, thrown);
  }
}

/** An error object, an HTTP response or a provider's raw body is none, and taking it for an empty reply would hide it. */
function isMessage(value: unknown): value is AIMessage {
  if (typeof value !== 'object' || value === null) return false;
  return 'content' in value || Array.isArray((value as Partial<AIMessage>).tool_calls);
}

function receiveReply(run: FlushRun, { ai, calls, text }: ModelReply): void {
  const { appends } = run.settings;
  run.messages.push(ai);
  run.finalText = text;
  run.appendsAttempted += calls.filter((call) => appends.has(call.name)).length;
}

/** An async function fits the hook's type, and its rejection must not go unhandled. */
async function tellHost(
  onIteration: NonNullable<FlushSettings['onIteration']>,
  i: number,
  { ai, calls }: ModelReply,
): Promise<void> {
  await onIteration({ i, ai, toolCalls: calls.map(({ name, args, id }) => ({ name, args, id })) });
}

function recordAnswer(run: FlushRun, i: number, call: PlannedCall, answer: CallAnswer, classes: MessageClasses): void {
  const { text, error, artifact, clipped } = answer;
  run.messages.push(
    new classes.ToolMessage({
      content: text,
      tool_call_id: call.id,
      status: error === undefined ? 'success' : 'error',
      name: call.shownName,
      ...(artifact !== undefined && { artifact }),
    }),
  );
  if (clipped) run.clippedResults += 1;
  if (error !== undefined) run.toolErrors.push(errorRecord(i, call, error));
  else if (run.settings.appends.has(call.name)) run.appendsSucceeded += 1;
}

function errorRecord(iteration: number, call: PlannedCall, error: string): ToolErrorRecord {
  const record = { iteration, toolName: call.name, toolCallId: call.id, error };
  return call.source.args === call.args ? { ...record, args: call.args } : record;
}

async function loadClasses(run: FlushRun): Promise<MessageClasses> {
  run.classes = await loadMessageClasses();
  return run.classes;
}

function endRun(run: FlushRun, stopReason: FlushStopReason): FlushLoopResult {
  const { iterations, appendsAttempted, appendsSucceeded, toolErrors, hitIterationCap, finalText, messages } = run;
  return {
    iterations,
    appendsAttempted,
    appendsSucceeded,
    toolErrors,
    silentReply: isSilentReply(finalText),
    hitIterationCap,
    finalText,
    messages,
    stopReason,
    clippedResults: run.clippedResults,
    ...(run.error && { error: run.error.reason }),
  };
}
