/** One turn: the model's call is followed into the file until it is whole or the stream breaks. */

import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { type FinishedCall, followToolCalls } from '@holdfast/stream-buffer/follow';
import { openAIChatReader } from '@holdfast/stream-buffer/openai-chat';
import type OpenAI from 'openai';

export interface TurnOptions {
  readonly client: OpenAI;
  readonly model: string;
  readonly messages: readonly OpenAI.ChatCompletionMessageParam[];
  /** Takes what is new of the content. */
  readonly onContent: (delta: {
    readonly kind: 'delta' | 'reset';
    readonly text: string;
    readonly closed: boolean;
  }) => void;
  /** Stops reading behind so many characters of arguments. */
  readonly stopAfter?: number;
}

export interface TurnReport {
  readonly call: FinishedCall | undefined;
  /** The argument text as it arrived, joined by hand: what the proof compares with. */
  readonly arrived: string;
  /** Why the stream broke. */
  readonly failure?: string;
}

const TOOLS: OpenAI.ChatCompletionTool[] = [
  tool('write_file', 'Writes a file.'),
  tool('append_file', 'Adds content at the end of a file.'),
];

/** Asks the model for a call. What a broken stream leaves is judged like any other. */
export async function runTurn(options: TurnOptions): Promise<TurnReport> {
  const buffer = new StreamingToolCallBuffer();
  buffer.onFieldDelta('content', options.onContent);
  const follower = followToolCalls(buffer, openAIChatReader());
  const calls: FinishedCall[] = [];
  let arrived = '';
  let failure: string | undefined;
  try {
    const stream = await options.client.chat.completions.create({
      model: options.model,
      messages: [...options.messages],
      tools: TOOLS,
      tool_choice: 'required',
      parallel_tool_calls: false,
      stream: true,
    });
    for await (const chunk of stream) {
      calls.push(...follower.push(chunk));
      arrived += chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '';
      if (arrived.length >= (options.stopAfter ?? Number.POSITIVE_INFINITY)) break;
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  calls.push(...follower.end());
  return { call: calls[0], arrived, ...(failure !== undefined && { failure }) };
}

function tool(name: string, description: string): OpenAI.ChatCompletionTool {
  const text = { type: 'string' };
  const parameters = { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] };
  return { type: 'function', function: { name, description, parameters } };
}
