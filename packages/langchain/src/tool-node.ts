/** The tool node for graphs without `createAgent`. */

import { isPlainObject } from '@holdfast/kernel';
import type { ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { Command } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { unknownToolAnswer } from './internal/answers.js';
import { checkOptions } from './internal/check-options.js';
import { configRequest, stateMessages } from './internal/run-request.js';
import { runToolCall } from './internal/run-tool-call.js';
import { errorMessage } from './internal/tool-result.js';
import type { HoldfastOptions } from './options.js';

/** What identifies the node in its graph. */
export interface HoldfastToolNodeOptions {
  readonly name?: string;
  readonly tags?: string[];
}

/**
 * LangGraph's `ToolNode` with Holdfast around each call: a graph that resumes after a crash or an interrupt runs the
 * node again from its start, and the calls that have happened are replayed. Call the model through
 * `holdfastModelCall`, which shows it the keys of the outputs.
 *
 * A plain graph keeps no ledger: turns and repeated calls are counted from the messages, so the state must keep them.
 */
export class HoldfastToolNode extends ToolNode {
  readonly #holdfast: HoldfastOptions;

  /** @throws {HoldfastOptionError} `ERR_HOLDFAST_LANGCHAIN_OPTION` for an option that cannot be meant. */
  constructor(tools: StructuredToolInterface[], holdfast: HoldfastOptions, options: HoldfastToolNodeOptions = {}) {
    // What a tool throws decides what its receipt says, so the node must not turn it into a message first.
    super(tools, { ...options, handleToolErrors: false });
    checkOptions(holdfast);
    this.#holdfast = holdfast;
  }

  protected override async runTool(
    call: ToolCall,
    config: RunnableConfig,
    ...rest: unknown[]
  ): Promise<ToolMessage | Command> {
    // Older versions of LangGraph pass no state here; the graph's task has it.
    const input = rest[0] ?? taskInput(config);
    const tool = this.tools.find(({ name }) => name === call.name);
    return runToolCall(
      {
        call,
        tool,
        request: configRequest(stateMessages(input), config),
        ledger: undefined,
        execute: async (args) =>
          tool === undefined
            ? errorMessage(
                call,
                unknownToolAnswer(
                  call.name,
                  this.tools.map(({ name }) => name),
                ),
              )
            : super.runTool({ ...call, args }, config, ...(rest as [never])),
      },
      this.#holdfast,
    );
  }
}

function taskInput(config: RunnableConfig): unknown {
  const scratchpad: unknown = config.configurable?.['__pregel_scratchpad'];
  return isPlainObject(scratchpad) ? scratchpad['currentTaskInput'] : undefined;
}
