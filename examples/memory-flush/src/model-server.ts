/** A server with OpenAI's chat API that plays the model, so that the example runs offline with the real client. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChatRequest, contentOf, type Reply, replyTo } from './scripted-replies.js';

export interface ModelServer {
  readonly url: string;
  /** Switches the bad habit on or off: the same call again and again. */
  setRepeats(repeats: boolean): void;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  let repeats = false;
  let count = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const chat = JSON.parse(body) as ChatRequest;
    count += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(completion(count, chat, replyTo(chat, repeats))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    setRepeats(on) {
      repeats = on;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function completion(count: number, { messages }: ChatRequest, { content, calls }: Reply): object {
  const list = calls.map(({ name, args }, index) => ({
    id: `call_${count}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const prompt = tokensOf(messages.map(contentOf).join(''));
  const reply = tokensOf(content);
  return {
    id: `chatcmpl-${count}`,
    object: 'chat.completion',
    created: 1,
    model: 'local',
    choices: [
      {
        index: 0,
        finish_reason: list.length > 0 ? 'tool_calls' : 'stop',
        message: { role: 'assistant', content, ...(list.length > 0 && { tool_calls: list }) },
      },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: reply, total_tokens: prompt + reply },
  };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
