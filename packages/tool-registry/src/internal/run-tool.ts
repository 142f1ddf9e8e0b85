/** The run itself: time limit, abort, whatever the tool throws or returns. */

import { type AbortSignalLike, describeValue, runtime } from '@holdfast/kernel';
import type { ToolCall } from '../tool-definition.js';
import type { ToolRegistry } from '../tool-registry.js';
import type { ToolRegistryConfig } from '../tool-registry-config.js';
import type { ToolExecutionResult } from '../tool-result.js';
import type { AdmittedTool } from './admission.js';
import { boundText, describeThrown } from './bounded-text.js';
import type { CallContext } from './call-context.js';
import { guardResult } from './guard-result.js';
import { failure, refusal } from './refusals.js';
import { ignoreRejection, isThenable } from './thenable.js';

export interface ToolRun {
  readonly tool: AdmittedTool;
  readonly input: unknown;
  readonly context: CallContext;
  readonly registry: ToolRegistry;
  readonly config: ToolRegistryConfig;
}

type Outcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' };

/** Runs a tool that has passed all checks. Rejects only with what `rethrow` recognises. */
export async function runTool(run: ToolRun): Promise<ToolExecutionResult> {
  const { tool, context, config } = run;
  if (context.abortSignal?.aborted) {
    return refusal('aborted', `"${tool.name}" did not run: the call was aborted before it began.`);
  }
  const outcome = await settle(run);
  if (outcome.kind === 'timeout' || outcome.kind === 'aborted') return refuseUnfinished(tool, outcome.kind);
  if (outcome.kind === 'threw' && isForHost(run, outcome.error)) throw outcome.error;
  const guardrails = [...(config.resultGuardrails ?? []), ...context.resultGuardrails];
  return guardResult(readOutcome(run, outcome), guardrails, {
    toolName: tool.name,
    toolUseId: context.toolUseId,
    warn: (message, error) => warn(run, message, error),
  });
}

function settle(run: ToolRun): Promise<Outcome> {
  const { tool, context, registry } = run;
  const { timeoutMs } = tool.definition;
  const { abortSignal } = context;
  return new Promise((resolve) => {
    const stopper = new Stopper();
    let timer: unknown;
    let ended = false;
    const end = (outcome: Outcome) => {
      if (ended) return warnLate(run, outcome);
      ended = true;
      if (timer !== undefined) runtime.clearTimeout(timer);
      abortSignal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const onAbort = () => {
      end({ kind: 'aborted' });
      stopper.stop(abortSignal?.reason);
    };
    abortSignal?.addEventListener('abort', onAbort, { once: true });
    if (timeoutMs !== undefined) {
      timer = runtime.setTimeout(() => {
        end({ kind: 'timeout' });
        stopper.stop(new Error(`The tool "${tool.name}" has run for longer than ${timeoutMs} ms.`));
      }, timeoutMs);
    }
    call(run, new Call(tool.name, registry, stopper)).then(
      (value) => end({ kind: 'returned', value }),
      (error: unknown) => end({ kind: 'threw', error }),
    );
  });
}

/** Async, so that a tool that throws at once and one that rejects later are the same. */
async function call({ tool, input, context }: ToolRun, handle: ToolCall): Promise<unknown> {
  return tool.definition.execute(input, context.host, handle);
}

/** Most tools never look at the signal, so it is made when one does. */
class Stopper {
  #controller: { readonly signal: AbortSignalLike; abort(reason?: unknown): void } | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  get signal(): AbortSignalLike {
    if (!this.#controller) {
      this.#controller = new runtime.AbortController();
      if (this.#stopped) this.#controller.abort(this.#stopped.reason);
    }
    return this.#controller.signal;
  }

  stop(reason: unknown): void {
    this.#stopped = { reason };
    this.#controller?.abort(reason);
  }
}

class Call implements ToolCall {
  readonly toolName: string;
  readonly registry: ToolRegistry;
  readonly #stopper: Stopper;

  constructor(toolName: string, registry: ToolRegistry, stopper: Stopper) {
    this.toolName = toolName;
    this.registry = registry;
    this.#stopper = stopper;
  }

  get signal(): AbortSignalLike {
    return this.#stopper.signal;
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

function readOutcome(run: ToolRun, outcome: Outcome & { kind: 'returned' | 'threw' }): ToolExecutionResult {
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

/**
 * A copy of the result, so that what was checked is what goes on; `undefined` when it is no result. What only the
 * registry may say is left out: a tool that has run cannot claim that it has not.
 */
function readResult(value: unknown): ToolExecutionResult | undefined {
  try {
    if (typeof value !== 'object' || value === null) return undefined;
    const { code: _code, started: _started, ...result } = value as ToolExecutionResult;
    const { success, output, error, content } = result;
    if (typeof success !== 'boolean' || typeof output !== 'string') return undefined;
    if (content !== undefined && !Array.isArray(content)) return undefined;
    if (error === undefined) return result;
    return typeof error === 'string' ? { ...result, error: boundText(error) } : undefined;
  } catch {
    return undefined;
  }
}

function warnLate(run: ToolRun, outcome: Outcome): void {
  if (outcome.kind === 'returned') warn(run, 'A tool finished after its call had ended; the result is dropped');
  if (outcome.kind === 'threw') warn(run, 'A tool failed after its call had ended', outcome.error);
}

/** A logger that fails must not turn a finished call into a failed one. */
function warn({ tool, config }: ToolRun, message: string, error?: unknown): void {
  try {
    const logged: unknown = config.logger?.warn(message, {
      toolName: tool.name,
      ...(error !== undefined && { error }),
    });
    // An async logger fits the type as well.
    if (isThenable(logged)) ignoreRejection(logged);
  } catch {
    // Nothing is left to tell it to.
  }
}
