/** Telling the host's telemetry of a call, whatever that telemetry does. */

import type { ToolRegistryConfig } from '../tool-registry-config.js';
import type { ToolExecutionResult } from '../tool-result.js';
import type { ToolCallEnd, ToolCallSpan } from '../tool-telemetry.js';
import { ignoreRejection, isThenable, type MaybePromise } from './thenable.js';
import { warnHost } from './warn-host.js';

export interface TracedCall {
  readonly config: ToolRegistryConfig;
  /** The name that the model wrote; traced only when a tool has it. */
  readonly toolName: string;
  readonly isKnown: boolean;
  readonly toolUseId: string | undefined;
}

/** Does the work inside a span. Without telemetry it only does the work. */
export async function traceCall(
  call: TracedCall,
  work: () => MaybePromise<ToolExecutionResult>,
): Promise<ToolExecutionResult> {
  const span = startSpan(call);
  if (!span) return await work();
  try {
    const result = await runInside(call, span, work);
    endSpan(call, span, endOf(result));
    return result;
  } catch (error) {
    endSpan(call, span, { attributes: { 'error.type': 'rethrown' }, success: false, started: true });
    throw error;
  }
}

/** Traces a call that was refused before it could run. */
export function traceRefusal(call: TracedCall, result: ToolExecutionResult): void {
  const span = startSpan(call);
  if (span) endSpan(call, span, endOf(result));
}

function startSpan(call: TracedCall): ToolCallSpan | undefined {
  const { config, toolName, isKnown, toolUseId } = call;
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.type': 'function',
    ...(isKnown && { 'gen_ai.tool.name': toolName }),
  };
  try {
    const name = isKnown ? `execute_tool ${toolName}` : 'execute_tool';
    const span: unknown = config.telemetry?.startCall({ name, attributes, toolUseId });
    // A promise is no span: it fails when it is told of the end, which is logged.
    if (isThenable(span)) ignoreRejection(span);
    return span as ToolCallSpan | undefined;
  } catch (error) {
    warnHost(config, call.toolName, 'Telemetry threw when a call began', error);
    return undefined;
  }
}

/** A `run` that throws or forgets the work does not keep the call from running, and one that repeats it runs it once. */
function runInside(
  { config, toolName }: TracedCall,
  span: ToolCallSpan,
  work: () => MaybePromise<ToolExecutionResult>,
): MaybePromise<ToolExecutionResult> {
  let running: { readonly result: MaybePromise<ToolExecutionResult> } | undefined;
  const once = () => {
    running ??= { result: work() };
    return running.result;
  };
  try {
    const given: unknown = span.run?.(once);
    if (isThenable(given)) ignoreRejection(given);
  } catch (error) {
    warnHost(config, toolName, 'Telemetry threw around a call', error);
  }
  return once();
}

function endSpan({ config, toolName }: TracedCall, span: ToolCallSpan, end: ToolCallEnd): void {
  const failed = (error: unknown) => warnHost(config, toolName, 'Telemetry threw when a call ended', error);
  try {
    const ended: unknown = span.end(end);
    // An async `end` fits the type as well.
    if (isThenable(ended)) ended.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

function endOf({ success, code, started }: ToolExecutionResult): ToolCallEnd {
  const attributes: ToolCallEnd['attributes'] = success && !code ? {} : { 'error.type': code ?? 'tool_failure' };
  return { attributes, success, started: started !== false };
}
