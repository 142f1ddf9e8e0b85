/** A server with OpenAI's chat API that plays a script and refuses histories as OpenAI does. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A turn of the script: words, calls, or a status to fail with. */
export interface Turn {
  readonly content?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly status?: number;
  /** Ends the stream here, as at the limit of tokens. */
  readonly finish?: 'stop' | 'tool_calls' | 'length';
}

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

export interface WireRequest {
  readonly messages: readonly WireMessage[];
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export interface OpenAIServer {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  close(): Promise<void>;
}

export async function startOpenAIServer(script: readonly Turn[]): Promise<OpenAIServer> {
  const requests: WireRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readBody(request)) as WireRequest;
    const turn = script[requests.length] ?? { content: '' };
    requests.push(body);
    const fault = historyFault(body.messages);
    if (fault !== undefined) sendJson(response, 400, { error: { message: fault, type: 'invalid_request_error' } });
    else if (turn.status !== undefined)
      sendJson(response, turn.status, { error: { message: `status ${turn.status}` } });
    else if (body.stream) sendStream(response, turn);
    else sendJson(response, 200, completion('chat.completion', { message: wireMessage(turn), ...finishOf(turn) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

/** Each call is answered right after its message, and nothing is answered that was not called. */
function historyFault(messages: readonly WireMessage[]): string | undefined {
  let open: string[] = [];
  for (const { role, tool_calls: calls = [], tool_call_id: answers } of messages) {
    if (role === 'tool') {
      if (answers === undefined || !open.includes(answers)) return `tool_call_id ${answers} was not called`;
      open = open.filter((id) => id !== answers);
    } else {
      if (open.length > 0) return `tool_call_ids did not have response messages: ${open.join(', ')}`;
      open = calls.map(({ id }) => id);
    }
  }
  return open.length > 0 ? `tool_call_ids did not have response messages: ${open.join(', ')}` : undefined;
}

function wireMessage({ content = '', calls = [] }: Turn) {
  const list = calls.map(({ id, ...fn }) => ({ id, type: 'function', function: fn }));
  return { role: 'assistant', content, ...(list.length > 0 && { tool_calls: list }) };
}

function finishOf({ calls = [], finish = calls.length > 0 ? 'tool_calls' : 'stop' }: Turn) {
  return { index: 0, finish_reason: finish };
}

function completion(object: string, choice: object) {
  return { id: 'chatcmpl-1', object, created: 1, model: 'scripted', choices: [choice] };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Arguments go out in pieces of three characters. */
function sendStream(response: ServerResponse, turn: Turn): void {
  const send = (choice: object) =>
    response.write(
      `data: ${JSON.stringify(completion('chat.completion.chunk', { index: 0, finish_reason: null, ...choice }))}\n\n`,
    );
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ delta: { role: 'assistant', content: turn.content ?? '' } });
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
    send({ delta: { tool_calls: [start] } });
    for (const piece of call.arguments.match(/[\s\S]{1,3}/g) ?? []) {
      send({ delta: { tool_calls: [{ index, function: { arguments: piece } }] } });
    }
  }
  send({ delta: {}, ...finishOf(turn) });
  response.end('data: [DONE]\n\n');
}
