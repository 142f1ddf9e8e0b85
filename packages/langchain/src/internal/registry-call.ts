/** Calls of registered tools: prepared before anything is claimed, executed by the registry, told as a message. */

import type { ToolContext, ToolDefinition, ToolExecutionResult, ToolRegistry } from '@holdfast/tool-registry';
import { ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { RegistryOptions } from '../options.js';
import { CallRefused, type PlacedCall, type RunResult } from './call.js';
import type { Preparation } from './prepare.js';
import { forkForRun } from './run-registry.js';

/** With these codes the tool has not run. */
const NOT_RUN: ReadonlySet<string> = new Set([
  'unknown_tool',
  'not_allowed',
  'deferred',
  'suspended',
  'read_only_mode',
  'invalid_input',
  'changed',
]);

/** Checks the call in the run's fork of the registry. */
export function prepareRegistryCall(
  call: PlacedCall,
  args: Record<string, unknown>,
  options: RegistryOptions,
): Preparation {
  const { registry, context } = forkForRun(options, call.request, call.ledger);
  const thrown = captureThrown(registry, call.toolName);
  const callContext: ToolContext = {
    ...context,
    toolUseId: call.call.id ?? '',
    abortSignal: context.abortSignal ?? call.request.signal,
  };
  const preparation = registry.prepareExecution(call.toolName, args, callContext);
  if (!preparation.success) return refused(preparation.result);
  return {
    kind: 'ready',
    run: async () => {
      const deferred = new Set(deferredNames(registry));
      const result = await registry.executePrepared(preparation.prepared, callContext);
      if (result.code !== undefined && NOT_RUN.has(result.code)) throw new CallRefused(result.output, reasonOf(result));
      if (thrown.happened) throw thrown.error;
      if (result.code === 'timeout' || result.code === 'aborted') throw new Error(result.error ?? result.output);
      const activated = [...deferred].filter((name) => registry.getAvailability(name) === 'active');
      return resultOf(call.call, result, activated);
    },
  };
}

function refused(result: ToolExecutionResult): Preparation {
  return { kind: 'refused', answer: result.output, reason: result.code ?? reasonOf(result) };
}

function reasonOf({ error, output }: ToolExecutionResult): string {
  return error ?? output;
}

function resultOf(call: ToolCall, result: ToolExecutionResult, activated: readonly string[]): RunResult {
  const outcome = new ToolMessage({
    content: (result.content as ToolMessage['content'] | undefined) ?? result.output,
    tool_call_id: call.id ?? '',
    name: call.name,
    status: result.success ? 'success' : 'error',
    ...(result.data !== undefined && { artifact: result.data }),
  });
  return { outcome, ...(activated.length > 0 && { activated }) };
}

/**
 * Keeps what the tool throws. The registry makes a result of it, but a receipt has to know whether the effect took
 * place, and an interrupt has to reach the graph.
 */
function captureThrown(registry: ToolRegistry, name: string): { happened: boolean; error?: unknown } {
  const thrown: { happened: boolean; error?: unknown } = { happened: false };
  const definition = registry.get(name);
  if (definition === undefined) return thrown;
  const execute: ToolDefinition['execute'] = async (...input) => {
    try {
      return await definition.execute(...input);
    } catch (error) {
      Object.assign(thrown, { happened: true, error });
      throw error;
    }
  };
  // A definition may be an object of a class, whose fields a spread would lose.
  registry.replace(Object.create(definition, { execute: { value: execute } }) as ToolDefinition);
  return thrown;
}

function deferredNames(registry: ToolRegistry): string[] {
  return registry.listIds().filter((name) => registry.getAvailability(name) === 'deferred');
}
