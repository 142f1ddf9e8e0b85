/** A local server that speaks OpenAI's streaming chat completions and answers as the scripted model. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { listen, type RunningServer, readJson, sendJson } from '../world/http.js';
import type { ChatRequest } from './chat.js';
import { ByteSplitter, habitualId, isCutShort, tinyPieces } from './habits.js';
import { nextReply, type ScriptedReply } from './script.js';

export interface ModelServerOptions {
  /** Milliseconds between two pieces, so that a person can watch. */
  readonly paceMs: number;
  /** Asked when half of a call's arguments are out; the stream goes on when the promise settles. */
  readonly halfway: (tool: string) => Promise<void> | undefined;
}

export interface ModelServer extends RunningServer {
  /** How often each tool's call was written, cut and repeated ones included. */
  readonly asked: ReadonlyMap<string, number>;
}

type Delta = Readonly<Record<string, unknown>>;
type Send = (delta: Delta, finishReason?: string) => Promise<void>;

/** Starts the model on a free local port; its base URL for a client is `url` + `/v1`. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const asked = new Map<string, number>();
  let serial = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      return sendJson(response, 404, { error: { message: 'The scripted model answers POST /v1/chat/completions.' } });
    }
    const chat = (await readJson(request)) as ChatRequest;
    if (chat.stream !== true) {
      return sendJson(response, 400, { error: { message: 'The scripted model only streams: set "stream": true.' } });
    }
    serial += 1;
    const reply = nextReply(chat);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const splitter = new ByteSplitter();
    const write = async (event: unknown): Promise<void> => {
      response.write(splitter.push(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`));
      await (options.paceMs > 0 ? setTimeout(options.paceMs) : setImmediate());
      if (response.destroyed) throw new Error('The client is gone.');
    };
    const head = { id: `chatcmpl-${serial}`, object: 'chat.completion.chunk', created: 0, model: chat.model };
    const send: Send = (delta, finishReason) =>
      write({ ...head, choices: [{ index: 0, delta, finish_reason: finishReason ?? null }] });
    const finishReason = await streamReply(reply, send);
    await send({}, finishReason);
    await write({ ...head, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
    await write('[DONE]');
    response.end(splitter.rest());
  }

  async function streamReply(reply: ScriptedReply, send: Send): Promise<string> {
    await send({ role: 'assistant', content: '' });
    for (const content of tinyPieces(reply.text)) await send({ content });
    if (reply.call === undefined) return 'stop';
    const { name, args } = reply.call;
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    const id = habitualId(name, times, serial);
    const start = { index: 0, type: 'function', function: { name, arguments: '' }, ...(id !== undefined && { id }) };
    await send({ tool_calls: [start] });
    const pieces = tinyPieces(JSON.stringify(args));
    const whole = !isCutShort(name, times);
    const sent = whole ? pieces : pieces.slice(0, Math.ceil(pieces.length * 0.7));
    for (const [at, piece] of sent.entries()) {
      if (at === pieces.length >> 1) await options.halfway(name);
      await send({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
    }
    return whole ? 'tool_calls' : 'length';
  }

  const server = await listen(createServer(), answer);
  return { ...server, asked };
}
