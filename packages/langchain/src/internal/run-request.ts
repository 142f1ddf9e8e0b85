/** What is known about a run, read from what LangChain and LangGraph hand over. */

import { isPlainObject } from '@holdfast/kernel';
import { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { RunRequest } from '../options.js';

/** The part of an agent's requests that says which run they belong to. */
export interface AgentRequest {
  readonly state: { readonly messages: BaseMessage[] };
  readonly runtime: {
    readonly configurable?: Record<string, unknown>;
    readonly context?: unknown;
    readonly signal?: AbortSignal;
  };
}

/** The run of a request of `createAgent`. */
export function agentRequest({ state, runtime }: AgentRequest): RunRequest {
  return runRequest(state.messages, runtime);
}

/** The run of a node of a plain graph. */
export function configRequest(messages: readonly BaseMessage[], config: RunnableConfig): RunRequest {
  const { configurable, signal } = config;
  return runRequest(messages, { configurable, signal, context: (config as { context?: unknown }).context });
}

/** The messages in a graph's state, which is a list of them or holds one. */
export function stateMessages(state: unknown): readonly BaseMessage[] {
  const messages: unknown = isPlainObject(state) ? state['messages'] : state;
  return Array.isArray(messages) ? messages.filter((message) => BaseMessage.isInstance(message)) : [];
}

function runRequest(
  messages: readonly BaseMessage[],
  from: { readonly configurable?: unknown; readonly context?: unknown; readonly signal?: AbortSignal | undefined },
): RunRequest {
  return {
    messages,
    ...(isPlainObject(from.configurable) && { configurable: from.configurable }),
    ...(from.context !== undefined && { context: from.context }),
    ...(from.signal !== undefined && { signal: from.signal }),
  };
}
