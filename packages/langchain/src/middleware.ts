/** The middleware that stands on every edge of a turn. */

import { annotateMessagesForLLM } from '@holdfast/tool-refs';
import type { BaseMessage } from '@langchain/core/messages';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { z } from 'zod';
import { advanceLedger, LEDGER_KEY, type RunLedger, readLedger } from './internal/ledger.js';
import { offeredTools } from './internal/offered-tools.js';
import { guideFor } from './internal/prompt-guide.js';
import { rehydrate } from './internal/references.js';
import { requireRunId } from './internal/run-id.js';
import { forkForRun } from './internal/run-registry.js';
import { runToolCall } from './internal/run-tool-call.js';
import type { HoldfastOptions, RunRequest } from './options.js';
import { checkedModelCall } from './reply/checked-model-call.js';

/** The part of LangChain's requests that says which run they belong to. */
interface AgentRequest {
  readonly state: { readonly messages: BaseMessage[] };
  readonly runtime: {
    readonly configurable?: Record<string, unknown>;
    readonly context?: unknown;
    readonly signal?: AbortSignal;
  };
}

/**
 * Makes the middleware for `createAgent`. Put it last in the list, so that what other middleware does to a call or to
 * the messages comes first, and nothing stands between a receipt and its tool.
 *
 * Each piece of `options` works without the others. References and receipts need a run identity: LangGraph's
 * `thread_id`, or the `runId` option. They need a checkpointer to survive a restart.
 */
export function holdfastMiddleware(options: HoldfastOptions): AgentMiddleware {
  return createMiddleware({
    name: 'holdfast',
    stateSchema: z.object({ [LEDGER_KEY]: z.custom<RunLedger>().optional() }),
    wrapModelCall: (request, handler) => {
      const run = runRequest(request);
      const ledger = readLedger(request.state);
      const registry = options.tools && forkForRun(options.tools, run, ledger);
      const tools = registry ? [...request.tools, ...offeredTools(registry, request.tools)] : request.tools;
      const guide = guideFor(options, registry);
      const systemMessage = guide === undefined ? request.systemMessage : request.systemMessage.concat(guide);
      const ask = (messages: BaseMessage[]) => handler({ ...request, messages, tools, systemMessage });
      const messages = annotated(request.messages, run, options);
      if (options.replies === false) return ask(messages);
      return checkedModelCall(messages, request.state.messages, options.replies ?? {}, ask);
    },
    afterModel: (state) => ({ [LEDGER_KEY]: advanceLedger(state.messages, readLedger(state)) }),
    wrapToolCall: (request, handler) =>
      runToolCall(
        {
          call: request.toolCall,
          tool: request.tool,
          request: runRequest(request),
          ledger: readLedger(request.state),
          execute: async (args) => handler({ ...request, toolCall: { ...request.toolCall, args } }),
        },
        options,
      ),
  });
}

function runRequest({ state, runtime }: AgentRequest): RunRequest {
  return {
    messages: state.messages,
    ...(runtime.configurable !== undefined && { configurable: runtime.configurable }),
    ...(runtime.context !== undefined && { context: runtime.context }),
    ...(runtime.signal !== undefined && { signal: runtime.signal }),
  };
}

/** The messages as the model reads them: each output with its key. The state's own stay as they are. */
function annotated(messages: BaseMessage[], run: RunRequest, options: HoldfastOptions): BaseMessage[] {
  if (options.references === undefined) return messages;
  const runId = requireRunId(run, options);
  rehydrate(options.references.registry, runId, run.messages);
  return annotateMessagesForLLM(messages, options.references.registry, runId);
}
