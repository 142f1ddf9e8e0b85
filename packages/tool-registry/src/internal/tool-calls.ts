/** The calls of one registry: checked, traced, run. */

import type { ToolContext } from '../tool-definition.js';
import type { ToolRegistry } from '../tool-registry.js';
import type { ToolRegistryConfig } from '../tool-registry-config.js';
import type { PreparedToolExecution, ToolExecutionResult, ToolPreparationResult } from '../tool-result.js';
import { type CallContext, readContext } from './call-context.js';
import { checkCall, checkCallNow, recheckCall } from './check-call.js';
import { type Preparation, PreparedCall } from './prepared-call.js';
import { runTool } from './run-tool.js';
import { type MaybePromise, promiseOf } from './thenable.js';
import type { ToolDirectory } from './tool-state.js';
import { type TracedCall, traceCall, traceRefusal } from './trace-call.js';
import type { Validated } from './validation.js';

export class ToolCalls {
  readonly #registry: ToolRegistry;
  readonly #directory: ToolDirectory;
  readonly #config: ToolRegistryConfig;

  constructor(registry: ToolRegistry, directory: ToolDirectory, config: ToolRegistryConfig) {
    this.#registry = registry;
    this.#directory = directory;
    this.#config = config;
  }

  prepare(toolName: string, rawInput: unknown, context: ToolContext | undefined): ToolPreparationResult {
    const call = context === undefined ? undefined : readContext(context);
    return this.#keep(toolName, call, checkCallNow({ directory: this.#directory, toolName, rawInput, context: call }));
  }

  async prepareAsync(
    toolName: string,
    rawInput: unknown,
    context: ToolContext | undefined,
  ): Promise<ToolPreparationResult> {
    const call = context === undefined ? undefined : readContext(context);
    const checked = await checkCall({ directory: this.#directory, toolName, rawInput, context: call });
    return this.#keep(toolName, call, checked);
  }

  executePrepared(prepared: PreparedToolExecution, context: ToolContext): Promise<ToolExecutionResult> {
    return promiseOf(() => {
      const call = readContext(context);
      const preparation = PreparedCall.take(prepared, this);
      return this.#traced(preparation.tool.name, call, () => {
        const refused = recheckCall(this.#directory, preparation, call);
        return refused ?? this.#run(preparation, call);
      });
    });
  }

  execute(toolName: string, rawInput: unknown, context: ToolContext): Promise<ToolExecutionResult> {
    return promiseOf(() => {
      const call = readContext(context);
      return this.#traced(toolName, call, () => {
        const checked = checkCall({ directory: this.#directory, toolName, rawInput, context: call });
        return checked instanceof Promise
          ? checked.then((late) => this.#runChecked(late, call))
          : this.#runChecked(checked, call);
      });
    });
  }

  #keep(toolName: string, call: CallContext | undefined, checked: Validated): ToolPreparationResult {
    if (checked.ok) return { success: true, prepared: new PreparedCall(checked, this) };
    if (this.#config.telemetry) traceRefusal(this.#tracedCall(toolName, call), checked.result);
    return { success: false, result: checked.result };
  }

  #runChecked(checked: Validated, call: CallContext): MaybePromise<ToolExecutionResult> {
    return checked.ok ? this.#run(checked, call) : checked.result;
  }

  #run({ tool, input }: Preparation, context: CallContext): Promise<ToolExecutionResult> {
    return runTool({ tool, input, context, registry: this.#registry, config: this.#config });
  }

  #traced(
    toolName: string,
    call: CallContext,
    work: () => MaybePromise<ToolExecutionResult>,
  ): MaybePromise<ToolExecutionResult> {
    return this.#config.telemetry ? traceCall(this.#tracedCall(toolName, call), work) : work();
  }

  #tracedCall(toolName: string, call: CallContext | undefined): TracedCall {
    const isKnown = this.#directory.states.has(toolName);
    return { config: this.#config, toolName, isKnown, toolUseId: call?.toolUseId };
  }
}
