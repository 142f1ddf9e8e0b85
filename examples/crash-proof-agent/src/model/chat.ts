/** The part of OpenAI's chat-completions format that the scripted model reads. */

export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  readonly tool_calls?: readonly ChatToolCall[];
  readonly tool_call_id?: string;
}

export interface ChatToolCall {
  readonly id?: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A call with what it was answered, as the conversation tells it. */
export interface AnsweredCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
}

export function textOf(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content;
  return (message.content ?? []).map((part) => part.text ?? '').join('');
}

/** Pairs each call with its answer. Ids repeat across turns, so an answer is looked for only after its own call. */
export function answeredCalls(messages: readonly ChatMessage[]): AnsweredCall[] {
  const found: AnsweredCall[] = [];
  messages.forEach((message, at) => {
    for (const call of message.tool_calls ?? []) {
      const answers = messages.slice(at + 1, nextReplyAfter(messages, at));
      const answer = answers.find((candidate) => candidate.role === 'tool' && candidate.tool_call_id === call.id);
      if (answer === undefined) continue;
      found.push({ name: call.function.name, args: parseObject(call.function.arguments), result: textOf(answer) });
    }
  });
  return found;
}

/** The object that a JSON text holds, or an empty one. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

function nextReplyAfter(messages: readonly ChatMessage[], at: number): number {
  const next = messages.findIndex((message, index) => index > at && message.role === 'assistant');
  return next === -1 ? messages.length : next;
}
