/** Models and tools that follow a script and keep what they were given. */

import type { FlushLoopParams, FlushLoopResult, InvokableModel } from '@holdfast/flush-loop';
import { runFlushLoop } from '@holdfast/flush-loop';
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';

/** What a scripted model answers: a text, an error to throw, the fields of a message, or a message. */
export type Reply = string | Error | AIMessage | Record<string, unknown>;

export interface ScriptedModel extends InvokableModel {
  /** The messages of each call, as they were when it was made. */
  readonly requests: BaseMessage[][];
  readonly options: unknown[];
}

export function toMessage(reply: Exclude<Reply, Error>): AIMessage {
  if (typeof reply === 'string') return new AIMessage(reply);
  if (reply instanceof AIMessage) return reply;
  const fields = { content: '', additional_kwargs: {}, response_metadata: {}, ...reply };
  return new AIMessage(fields as ConstructorParameters<typeof AIMessage>[0]);
}

/** Answers with the replies in order; the last one again and again when the script is over. */
export function scriptedModel(replies: readonly Reply[]): ScriptedModel {
  const requests: BaseMessage[][] = [];
  const options: unknown[] = [];
  return {
    requests,
    options,
    invoke: async (messages, callOptions) => {
      const reply = replies[Math.min(requests.length, replies.length - 1)] ?? '';
      requests.push([...messages]);
      options.push(callOptions);
      if (reply instanceof Error) throw reply;
      return toMessage(reply);
    },
  };
}

/** A tool in the shape that the loop calls, without LangChain's own validation. */
export function plainTool(
  name: string,
  run: (args: Record<string, unknown>, config?: { signal?: AbortSignal }) => unknown,
): FlushLoopParams['tools'][number] {
  return { name, invoke: run } as unknown as FlushLoopParams['tools'][number];
}

export const okTool = (name = 'memory_append') => plainTool(name, async () => '{"ok":true}');

export function append(args: Record<string, unknown>, id?: string) {
  return id === undefined ? { name: 'memory_append', args } : { name: 'memory_append', args, id };
}

export const opening = (): BaseMessage[] => [
  new SystemMessage('You keep notes.'),
  new HumanMessage('Save what matters.'),
];

/** Runs a script from the usual opening. */
export function run(replies: readonly Reply[], params: Partial<FlushLoopParams> = {}): Promise<FlushLoopResult> {
  return runFlushLoop({ model: scriptedModel(replies), tools: [okTool()], initialMessages: opening(), ...params });
}

/** The answers of a transcript, by id and text. */
export function answers(messages: readonly BaseMessage[]): { id: string; text: string }[] {
  return messages
    .filter((message) => message.getType() === 'tool')
    .map((message) => ({
      id: (message as unknown as { tool_call_id: string }).tool_call_id,
      text: message.content as string,
    }));
}
