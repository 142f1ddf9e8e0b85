/** The middleware that stands on every edge of a turn. */

import type { BaseMessage, SystemMessage } from '@langchain/core/messages';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { z } from 'zod';
import { annotatedMessages } from './internal/annotated-messages.js';
import { checkOptions } from './internal/check-options.js';
import { advanceLedger, LEDGER_KEY, readLedger } from './internal/ledger.js';
import { offeredTools } from './internal/offered-tools.js';
import { guideFor } from './internal/prompt-guide.js';
import { forkForRun } from './internal/run-registry.js';
import { agentRequest } from './internal/run-request.js';
import { runToolCall } from './internal/run-tool-call.js';
import type { HoldfastOptions } from './options.js';
import { checkedModelCall } from './reply/checked-model-call.js';

/**
 * Makes the middleware for `createAgent`. Put it last in the list, so that what other middleware does to a call or to
 * the messages comes first, and nothing stands between a receipt and its tool.
 *
 * Each piece of `options` works without the others. References and receipts need a run identity: LangGraph's
 * `thread_id`, or the `runId` option. They need a checkpointer to survive a restart.
 *
 * @throws {HoldfastOptionError} `ERR_HOLDFAST_LANGCHAIN_OPTION` for an option that cannot be meant.
 */
export function holdfastMiddleware(options: HoldfastOptions): AgentMiddleware {
  checkOptions(options);
  return createMiddleware({
    name: 'holdfast',
    stateSchema: z.object({ [LEDGER_KEY]: z.unknown().optional() }),
    wrapModelCall: (request, handler) => {
      const run = agentRequest(request);
      const ledger = readLedger(request.state);
      const registry = options.tools && forkForRun(options.tools, run, ledger);
      const tools = registry ? [...request.tools, ...offeredTools(registry, request.tools)] : request.tools;
      const guide = guideFor(options, registry);
      const systemMessage = withGuide(request.systemMessage, guide);
      const ask = (messages: BaseMessage[]) => handler({ ...request, messages, tools, systemMessage });
      const messages = annotatedMessages(request.messages, run, options);
      if (options.replies === false) return ask(messages);
      return checkedModelCall(messages, request.state.messages, options.replies ?? {}, ask);
    },
    afterModel: (state) => ({ [LEDGER_KEY]: advanceLedger(state.messages, readLedger(state)) }),
    wrapToolCall: (request, handler) =>
      runToolCall(
        {
          call: request.toolCall,
          tool: request.tool,
          request: agentRequest(request),
          ledger: readLedger(request.state),
          execute: async (args) => handler({ ...request, toolCall: { ...request.toolCall, args } }),
        },
        options,
      ),
  });
}

function withGuide(systemMessage: SystemMessage, guide: string | undefined): SystemMessage {
  if (guide === undefined) return systemMessage;
  return systemMessage.concat(systemMessage.text === '' ? guide : `\n\n${guide}`);
}
