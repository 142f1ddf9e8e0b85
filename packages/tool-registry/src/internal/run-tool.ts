/** The run itself: time limit, abort, whatever the tool throws or returns. */

import { type AbortSignalLike, describeValue, runtime } from '@holdfast/kernel';
import type { ToolResultGuardrail } from '../guardrail.js';
import type { ToolCall } from '../tool-definition.js';
import type { ToolRegistry } from '../tool-registry.js';
import type { ToolRegistryConfig } from '../tool-registry-config.js';
import type { ToolExecutionResult } from '../tool-result.js';
import type { AdmittedTool } from './admission.js';
import { boundText, describeThrown } from './bounded-text.js';
import type { CallContext } from './call-context.js';
import { type GuardedCall, guardResult } from './guard-result.js';
import { failure, isRefusedInside, refusal } from './refusals.js';
import { type Outcome, type Settled, settle } from './settle.js';
import { warnHost } from './warn-host.js';

export interface ToolRun {
  readonly tool: AdmittedTool;
  readonly input: unknown;
  readonly context: CallContext;
  readonly registry: ToolRegistry;
  readonly config: ToolRegistryConfig;
}

/** Runs a tool that has passed all checks. Rejects only with what `rethrow` recognises. */
export async function runTool(run: ToolRun): Promise<ToolExecutionResult> {
  const { tool, context } = run;
  if (context.abortSignal?.aborted) {
    return refusal('aborted', `"${tool.name}" did not run: the call was aborted before it began.`);
  }
  const call = new Call(tool.name, run.registry);
  const work = () => tool.definition.execute(run.input, context.host, call);
  let outcome: Outcome;
  if (context.abortSignal === undefined && tool.definition.timeoutMs === undefined) {
    // A call without a limit is awaited right here, which saves it a promise and the closures of `settle`.
    try {
      outcome = { kind: 'returned', value: await work() };
    } catch (error) {
      outcome = { kind: 'threw', error };
    }
  } else {
    outcome = await settle(work, {
      abortSignal: context.abortSignal,
      timeoutMs: tool.definition.timeoutMs,
      onStop: (_, reason) => Call.stop(call, reason),
      onLate: (late) => warnLate(run, late),
    });
  }
  if (outcome.kind === 'timeout' || outcome.kind === 'aborted') return refuseUnfinished(tool, outcome.kind);
  if (outcome.kind === 'threw' && isForHost(run, outcome.error)) throw outcome.error;
  const result = readOutcome(run, outcome);
  const guardrails = guardrailsOf(run);
  return guardrails.length === 0 ? result : guard(run, result, guardrails);
}

/** A caller who gives up waits for no guardrail; what none has passed does not get out. */
async function guard(
  run: ToolRun,
  result: ToolExecutionResult,
  guardrails: readonly ToolResultGuardrail[],
): Promise<ToolExecutionResult> {
  const { abortSignal } = run.context;
  const work = () => guardResult(result, guardrails, guardedCall(run));
  const guarded = await settle(work, { abortSignal, timeoutMs: undefined });
  if (guarded.kind === 'returned') return guarded.value as ToolExecutionResult;
  const why = 'the call was aborted before its result had passed the guardrails';
  return failure('aborted', `"${run.tool.name}" ran, and ${why}.`);
}

function guardrailsOf({ config, context }: ToolRun): readonly ToolResultGuardrail[] {
  const { resultGuardrails = [] } = config;
  return context.resultGuardrails.length === 0 ? resultGuardrails : [...resultGuardrails, ...context.resultGuardrails];
}

function guardedCall(run: ToolRun): GuardedCall {
  const { tool, context } = run;
  return {
    toolName: tool.name,
    toolUseId: context.toolUseId,
    warn: (message, error) => warn(run, message, error),
  };
}

/** Most tools never look at the signal, so it is made when one does. */
class Call implements ToolCall {
  readonly toolName: string;
  readonly registry: ToolRegistry;
  #controller: { readonly signal: AbortSignalLike; abort(reason?: unknown): void } | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  constructor(toolName: string, registry: ToolRegistry) {
    this.toolName = toolName;
    this.registry = registry;
  }

  get signal(): AbortSignalLike {
    if (!this.#controller) {
      this.#controller = new runtime.AbortController();
      if (this.#stopped) this.#controller.abort(this.#stopped.reason);
    }
    return this.#controller.signal;
  }

  static stop(call: Call, reason: unknown): void {
    call.#stopped = { reason };
    call.#controller?.abort(reason);
  }
}

/** A predicate that fails, say over a thrown `null`, has not recognised the error: the call still ends in a result. */
function isForHost(run: ToolRun, error: unknown): boolean {
  try {
    return Boolean(run.config.rethrow?.(error));
  } catch (fault) {
    warn(run, 'rethrow threw, so the error of the tool became a result', fault);
    return false;
  }
}

function refuseUnfinished(tool: AdmittedTool, kind: 'timeout' | 'aborted'): ToolExecutionResult {
  const what =
    kind === 'timeout' ? `did not finish within ${tool.definition.timeoutMs} ms` : 'was aborted while it ran';
  return failure(kind, `"${tool.name}" ${what}. Whether it took effect is not known.`);
}

function readOutcome(run: ToolRun, outcome: Settled): ToolExecutionResult {
  const { name } = run.tool;
  if (outcome.kind === 'threw') {
    warn(run, 'A tool threw', outcome.error);
    return failure('tool_error', boundText(`"${name}" failed: ${describeThrown(outcome.error)}`));
  }
  const result = readResult(outcome.value);
  if (result) return result;
  warn(run, `A tool returned ${describeValue(outcome.value)} instead of a result`);
  return failure('invalid_result', `"${name}" ran, but what it returned is not a result.`, { retryable: false });
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * A copy of the result, so that what was checked is what goes on; `undefined` when it is no result. What only the
 * registry may say is left out: a tool that has run cannot claim that it has not.
 */
function readResult(value: unknown): ToolExecutionResult | undefined {
  try {
    if (typeof value !== 'object' || value === null) return undefined;
    // A copy, so that no other tool can hand it on as its own.
    if (isRefusedInside(value)) return { ...(value as ToolExecutionResult) };
    const result: Mutable<ToolExecutionResult> = { ...(value as ToolExecutionResult) };
    if ('code' in result) delete result.code;
    if ('started' in result) delete result.started;
    const { success, output, error, content } = result;
    if (typeof success !== 'boolean' || typeof output !== 'string') return undefined;
    if (content !== undefined && !Array.isArray(content)) return undefined;
    if (error === undefined) return result;
    return typeof error === 'string' ? { ...result, error: boundText(error) } : undefined;
  } catch {
    return undefined;
  }
}

function warnLate(run: ToolRun, outcome: Settled): void {
  if (outcome.kind === 'returned') warn(run, 'A tool finished after its call had ended; the result is dropped');
  if (outcome.kind === 'threw') warn(run, 'A tool failed after its call had ended', outcome.error);
}

function warn({ tool, config }: ToolRun, message: string, error?: unknown): void {
  warnHost(config, tool.name, message, error);
}
