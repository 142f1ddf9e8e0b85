/** A local endpoint that streams scripted deltas as an OpenAI-compatible provider does. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A piece of a call, as a provider sends it. */
export interface CallDelta {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string };
}

/** One reply: its pieces in order, or words, and why it ended. */
export interface StreamedReply {
  readonly deltas?: readonly CallDelta[];
  readonly content?: string;
  readonly finishReason: string;
  /** The id of the completion. A new one by default. */
  readonly id?: string;
}

/** Serves the replies in order. `requests` holds the bodies that came. */
export async function serveChat(replies: readonly StreamedReply[]) {
  const requests: { messages: { role: string; content: unknown; tool_calls?: unknown[] }[] }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const reply = replies[requests.push(JSON.parse(body)) - 1];
    response.writeHead(reply ? 200 : 500, { 'content-type': 'text/event-stream' });
    const send = (delta: object, finish_reason: string | null = null) => {
      const chunk = {
        id: reply?.id ?? `completion-${requests.length}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
      };
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    };
    send({ role: 'assistant', content: reply?.content ?? '' });
    for (const delta of reply?.deltas ?? []) send({ tool_calls: [{ type: 'function', ...delta }] });
    send({}, reply?.finishReason);
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
