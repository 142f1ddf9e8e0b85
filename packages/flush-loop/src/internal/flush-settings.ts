/** The parameters of a run, checked and with their defaults, before anything is called. */

import { FlushLoopOptionError } from '../errors.js';
import {
  DEFAULT_MAX_FLUSH_ITERATIONS,
  DEFAULT_MAX_TOOL_RESULT_CHARS,
  type FlushLoopParams,
} from '../flush-loop-params.js';

/** The longest delay that timers of every runtime keep; a longer one fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

export interface FlushSettings {
  readonly model: FlushLoopParams['model'];
  readonly unboundModel: FlushLoopParams['unboundModel'];
  readonly initialMessages: FlushLoopParams['initialMessages'];
  readonly onIteration: FlushLoopParams['onIteration'];
  readonly signal: FlushLoopParams['signal'];
  readonly messageClasses: FlushLoopParams['messageClasses'];
  readonly toolTimeoutMs: number | undefined;
  readonly modelTimeoutMs: number | undefined;
  readonly maxIterations: number;
  readonly maxToolResultChars: number;
  readonly maxIdenticalCalls: number;
  readonly maxAppendedChars: number;
  readonly onCap: 'stop' | 'final-answer';
  readonly appends: ReadonlySet<string>;
  readonly parallel: ReadonlySet<string>;
  readonly toolsByName: ReadonlyMap<string, FlushLoopParams['tools'][number]>;
}

/** @throws {FlushLoopOptionError} ERR_HOLDFAST_FLUSH_LOOP_OPTION for a value that an option cannot have. */
export function readSettings(params: FlushLoopParams): FlushSettings {
  const { maxIterations = DEFAULT_MAX_FLUSH_ITERATIONS, maxToolResultChars = DEFAULT_MAX_TOOL_RESULT_CHARS } = params;
  const { maxIdenticalCalls, maxAppendedChars, toolTimeoutMs, modelTimeoutMs, onCap = 'stop' } = params;
  checkModel('model', params.model);
  if (params.unboundModel !== undefined) checkModel('unboundModel', params.unboundModel);
  if (!Array.isArray(params.initialMessages))
    throw new FlushLoopOptionError('initialMessages', params.initialMessages, 'an array of messages');
  if (params.appendTools !== undefined && !Array.isArray(params.appendTools))
    throw new FlushLoopOptionError('appendTools', params.appendTools, 'an array of names');
  if (params.parallelTools !== undefined && !Array.isArray(params.parallelTools))
    throw new FlushLoopOptionError('parallelTools', params.parallelTools, 'an array of names');
  checkCount('maxIterations', maxIterations);
  checkCount('maxToolResultChars', maxToolResultChars);
  if (maxIdenticalCalls !== undefined) checkCount('maxIdenticalCalls', maxIdenticalCalls);
  if (maxAppendedChars !== undefined) checkCount('maxAppendedChars', maxAppendedChars);
  if (toolTimeoutMs !== undefined) checkDelay('toolTimeoutMs', toolTimeoutMs);
  if (modelTimeoutMs !== undefined) checkDelay('modelTimeoutMs', modelTimeoutMs);
  if (onCap !== 'stop' && onCap !== 'final-answer')
    throw new FlushLoopOptionError('onCap', onCap, "'stop' or 'final-answer'");
  const { model, unboundModel, initialMessages, onIteration, signal, messageClasses } = params;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    throw new FlushLoopOptionError('signal', signal, 'an AbortSignal');
  return {
    model,
    unboundModel,
    initialMessages,
    onIteration,
    signal,
    messageClasses,
    toolTimeoutMs,
    modelTimeoutMs,
    maxIterations,
    maxToolResultChars,
    maxIdenticalCalls: maxIdenticalCalls ?? Number.POSITIVE_INFINITY,
    maxAppendedChars: maxAppendedChars ?? Number.POSITIVE_INFINITY,
    onCap,
    appends: new Set(params.appendTools ?? ['memory_append']),
    parallel: new Set(params.parallelTools),
    toolsByName: indexTools(params.tools),
  };
}

function indexTools(tools: FlushLoopParams['tools']): FlushSettings['toolsByName'] {
  if (!Array.isArray(tools)) throw new FlushLoopOptionError('tools', tools, 'an array of tools');
  const byName: Map<string, FlushLoopParams['tools'][number]> = new Map();
  for (const tool of tools) {
    if (typeof tool?.name !== 'string' || typeof tool.invoke !== 'function') {
      throw new FlushLoopOptionError('tools', tool, 'tools with a name and an invoke method');
    }
    if (byName.has(tool.name)) throw new FlushLoopOptionError('tools', tool.name, 'tools with different names');
    byName.set(tool.name, tool);
  }
  return byName;
}

function checkModel(option: string, model: FlushLoopParams['model']): void {
  if (typeof model?.invoke !== 'function')
    throw new FlushLoopOptionError(option, model, 'a model with an invoke method');
}

function checkCount(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) throw new FlushLoopOptionError(option, value, 'a whole number from 1');
}

function checkDelay(option: string, value: number): void {
  if (typeof value !== 'number' || !(value > 0 && value <= MAX_TIMER_MS)) {
    throw new FlushLoopOptionError(option, value, `a number of milliseconds above 0 and at most ${MAX_TIMER_MS}`);
  }
}
