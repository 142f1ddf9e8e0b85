/** A LangChain agent that has one tool, `search_tools`, and finds the others. */

import { holdfastMiddleware } from '@holdfast/langchain';
import type { ToolRegistry } from '@holdfast/tool-registry';
import { type AIMessage, HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import type { ChatRequest } from './chat.js';

export interface AgentOptions {
  readonly registry: ToolRegistry;
  readonly task: string;
  /** How many tools a search loads. */
  readonly limit: number;
  readonly modelName: string;
  /** The OpenAI-compatible endpoint; absent for what the environment says. */
  readonly baseURL?: string;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

export interface AgentRun {
  /** What the model was sent, request by request. */
  readonly requests: readonly ChatRequest[];
  readonly answer: string;
  readonly ended: boolean;
}

const SYSTEM_PROMPT =
  'You do one task with tools. Most tools are not loaded: search_tools finds and loads them. Call the tool that the task ' +
  'needs exactly once, then answer in one sentence. If no tool fits, say so.';

/** Steps of the graph: three a turn. */
const MAX_STEPS = 45;

export async function runAgent({ registry, task, signal, ...options }: AgentOptions): Promise<AgentRun> {
  const requests: ChatRequest[] = [];
  const model = modelOf(options, requests);
  // The guide would list every deferred tool in the prompt: with hundreds of them, searching has to do.
  const tools = { registry, search: { limit: options.limit }, guide: false } as const;
  const agent = createAgent({
    model,
    tools: [],
    systemPrompt: SYSTEM_PROMPT,
    middleware: [holdfastMiddleware({ tools })],
  });
  const { messages } = await agent.invoke(
    { messages: [new HumanMessage(task)] },
    { recursionLimit: MAX_STEPS, signal },
  );
  const last = messages.at(-1) as AIMessage | undefined;
  return { requests, answer: last?.text ?? '', ended: last?.type === 'ai' && (last.tool_calls ?? []).length === 0 };
}

/** The real client; what it sends is written down where it leaves the process. */
function modelOf(options: Pick<AgentOptions, 'modelName' | 'baseURL'>, requests: ChatRequest[]): ChatOpenAI {
  const record: typeof fetch = (url, init) => {
    requests.push(JSON.parse(String(init?.body)) as ChatRequest);
    return fetch(url, init);
  };
  return new ChatOpenAI({
    model: options.modelName,
    maxRetries: 1,
    configuration: { fetch: record, ...(options.baseURL && { baseURL: options.baseURL }) },
    ...(options.baseURL && !process.env['OPENAI_API_KEY'] && { apiKey: 'none' }),
  });
}
