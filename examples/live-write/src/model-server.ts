/** A server with OpenAI's chat API that plays the model and breaks its first stream. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Cut, type Place, planCut } from './cut-plan.js';
import { argumentsText, STORY } from './story.js';

export interface ModelServer {
  readonly url: string;
  /** Set when a stream has been cut. */
  readonly cut: Cut | undefined;
  /** The argument text in the events of the cut stream that went out whole. */
  readonly sentArguments: string;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  readonly random: () => number;
  readonly place?: Place;
  /** Pause between events, in milliseconds. */
  readonly pause: number;
}

interface ChatRequest {
  readonly messages: readonly {
    readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
  }[];
}

/** A stream of events, and what their text is. */
interface Reply {
  readonly events: readonly { readonly bytes: Uint8Array; readonly text: string }[];
}

/** A lone backslash, part of `\\uXXXX`, or the first half of a pair of them. */
const ENDS_IN_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\(?:u(?:[\da-f]{0,3}|d[89ab][\da-f]{2}))?$/;

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  let cut: Cut | undefined;
  let sentArguments = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const reply = replyTo(JSON.parse(body) as ChatRequest, options.random);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (cut !== undefined) return send(response, reply, options.pause);
    cut = planReplyCut(reply, options);
    sentArguments = await sendUntil(response, reply, cut, options.pause);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get cut() {
      return cut;
    },
    get sentArguments() {
      return sentArguments;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The model goes on behind what it is shown of its own call; it is shown nothing else. */
function replyTo({ messages }: ChatRequest, random: () => number): Reply {
  const shown = messages.findLast(({ tool_calls }) => tool_calls !== undefined)?.tool_calls?.[0];
  const { content = '' } = JSON.parse(shown?.function.arguments ?? '{}') as { readonly content?: string };
  if (!STORY.startsWith(content)) throw new Error('The model does not know the text that it is shown as its own.');
  const id = `call_${messages.length}`;
  const name = shown === undefined ? 'write_file' : 'append_file';
  const pieces = split(argumentsText('story.md', STORY.slice(content.length)), random);
  return {
    events: [
      event({ role: 'assistant', content: null }),
      event({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces.map((text) => event({ tool_calls: [{ index: 0, function: { arguments: text } }] }, text)),
      event({}, '', 'tool_calls'),
      { bytes: new TextEncoder().encode('data: [DONE]\n\n'), text: '' },
    ],
  };
}

function event(delta: object, text = '', finish_reason: string | null = null): Reply['events'][number] {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'local',
    choices: [{ index: 0, delta, finish_reason }],
  };
  return { bytes: new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`), text };
}

/** Pieces of one to seven characters, as tokens come. */
function split(text: string, random: () => number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * 7);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

function planReplyCut({ events }: Reply, { random, place }: ModelServerOptions): Cut {
  const escapeEnds: number[] = [];
  let bytes = 0;
  let text = '';
  for (const event of events) {
    bytes += event.bytes.length;
    text += event.text;
    if (event.text !== '' && ENDS_IN_ESCAPE.test(text)) escapeEnds.push(bytes);
  }
  return planCut(Buffer.concat(events.map((event) => event.bytes)), escapeEnds, random, place);
}

async function send(response: ServerResponse, { events }: Reply, pause: number): Promise<void> {
  for (const { bytes } of events) {
    response.write(bytes);
    if (pause > 0) await wait(pause);
  }
  response.end();
}

/** Sends as many bytes as the cut allows, then breaks the connection without an end of the stream. */
async function sendUntil(response: ServerResponse, { events }: Reply, cut: Cut, pause: number): Promise<string> {
  let left = cut.bytes;
  let text = '';
  for (const event of events) {
    const bytes = event.bytes.subarray(0, left);
    left -= bytes.length;
    if (bytes.length > 0) response.write(bytes);
    if (bytes.length < event.bytes.length) break;
    text += event.text;
    if (pause > 0) await wait(pause);
  }
  // A FIN, so that the client gets all that was sent, and then finds the stream unfinished.
  response.socket?.end();
  return text;
}
