/** A model call with Holdfast on both sides of it, for graphs without `createAgent`. */

import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { annotatedMessages } from './internal/annotated-messages.js';
import { configRequest } from './internal/run-request.js';
import type { HoldfastOptions } from './options.js';
import { checkedModelCall } from './reply/checked-model-call.js';

/**
 * Calls the model of a plain graph: outputs are shown with their keys, and the reply's calls are whole and have ids of
 * their own. The messages of the state stay as they are.
 *
 * @param messages The run's messages, from the graph's state.
 * @param config What the node was given; its `thread_id` names the run.
 * @param ask Calls the model.
 * @throws {RunIdMissingError} `ERR_HOLDFAST_RUN_ID_MISSING` when references are on and the run has no name.
 */
export async function holdfastModelCall(
  options: HoldfastOptions,
  messages: BaseMessage[],
  config: RunnableConfig,
  ask: (messages: BaseMessage[]) => Promise<AIMessage>,
): Promise<AIMessage> {
  const shown = annotatedMessages(messages, configRequest(messages, config), options);
  return options.replies === false ? ask(shown) : checkedModelCall(shown, messages, options.replies ?? {}, ask);
}
