/** A server with OpenAI's chat API that plays the model, so that the example runs offline with the real client. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tokensOf } from '../wire.js';
import type { ChatRequest } from './chat.js';
import { type Reply, replyTo } from './scripted-replies.js';

export interface ModelServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  let count = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const chat = JSON.parse(body) as ChatRequest;
    count += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(completion(count, chat, replyTo(chat))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function completion(count: number, chat: ChatRequest, { content, call }: Reply): object {
  const call_ = call && { name: call.name, arguments: JSON.stringify(call.args) };
  const calls = call_ && [{ id: `call_${count}`, type: 'function', function: call_ }];
  const prompt = tokensOf(chat);
  const reply = tokensOf({ content, call });
  return {
    id: `chatcmpl-${count}`,
    object: 'chat.completion',
    created: 1,
    model: 'local',
    choices: [
      {
        index: 0,
        finish_reason: calls ? 'tool_calls' : 'stop',
        message: { role: 'assistant', content, ...(calls && { tool_calls: calls }) },
      },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: reply, total_tokens: prompt + reply },
  };
}
