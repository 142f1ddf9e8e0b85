/** Small scripted agents: a model that says what it is told to, and tools that count what they do. */

import { type CallDecision, type HoldfastOptions, holdfastMiddleware } from '@holdfast/langchain';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent, fakeModel, tool } from 'langchain';
import { z } from 'zod';

/** A call in a scripted reply. */
export type Call = readonly [name: string, args: Record<string, unknown>, id?: string];

/** What the model says in one turn: calls, words, or whatever a function makes of the messages that it sees. */
export type Turn = readonly Call[] | string | AIMessage | ((messages: BaseMessage[]) => AIMessage);

let unique = 0;

/** A reply that makes calls. Ids are unique unless given. */
export function calls(...list: readonly Call[]): AIMessage {
  return new AIMessage({
    content: '',
    tool_calls: list.map(([name, args, id]) => ({
      name,
      args,
      id: id ?? `call-${unique++}`,
      type: 'tool_call' as const,
    })),
  });
}

/** The scripted model. `seen(n)` are the messages that its n-th call was given. */
export function scripted(...turns: readonly Turn[]) {
  const model = fakeModel();
  for (const turn of turns) {
    if (typeof turn === 'function') model.respond(turn);
    else if (typeof turn === 'string') model.respond(new AIMessage(turn));
    else model.respond(AIMessage.isInstance(turn) ? turn : calls(...(turn as readonly Call[])));
  }
  const bound: string[][] = [];
  const bindTools = model.bindTools.bind(model);
  model.bindTools = (tools, ...rest) => {
    bound.push(tools.map((each) => String((each as { name?: unknown }).name)));
    return bindTools(tools, ...rest);
  };
  return { model, bound, seen: (index: number) => model.calls[index]?.messages ?? [] };
}

/** A tool that notes each run and returns what `work` returns. */
export function counted(name: string, work: (input: Record<string, unknown>, run: number) => unknown = () => 'done') {
  const runs: Record<string, unknown>[] = [];
  const made = tool(
    async (input: Record<string, unknown>) => {
      runs.push(input);
      return (await work(input, runs.length)) as string;
    },
    { name, description: `Runs ${name}.`, schema: z.object({ text: z.string().optional() }).loose() },
  );
  return { tool: made, runs };
}

/** The options of an agent under test, and what it decided. */
export function observed(options: HoldfastOptions) {
  const decisions: CallDecision[] = [];
  return {
    decisions,
    kinds: () => decisions.map(({ toolName, decision }) => `${toolName}:${decision}`),
    middleware: holdfastMiddleware({ ...options, onDecision: (decision) => decisions.push(decision) }),
  };
}

export const thread = (id: string) => ({ configurable: { thread_id: id } });

export const go = (text = 'go') => ({ messages: [new HumanMessage(text)] });

/** The contents of the tool messages, in order. */
export function answers(messages: readonly BaseMessage[]): string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map((message) => String(message.content));
}

export { type CallDecision, createAgent };
