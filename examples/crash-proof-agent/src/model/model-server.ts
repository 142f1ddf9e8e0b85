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

/** Starts the model on a free local port; its base URL for a client is `url` + `/v1`. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const asked = new Map<string, number>();
  let serial = 0;
  const server = await listen(createServer(), async (request, response) => {
    const chat = await acceptRequest(request, response);
    if (chat === undefined) return;
    serial += 1;
    await new ReplyStream(response, options, asked, serial).send(nextReply(chat), chat.model);
  });
  return { ...server, asked };
}

/** The request, or `undefined` when it was refused. */
async function acceptRequest(request: IncomingMessage, response: ServerResponse): Promise<ChatRequest | undefined> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    sendJson(response, 404, { error: { message: 'The scripted model answers POST /v1/chat/completions.' } });
    return undefined;
  }
  const chat = (await readJson(request)) as ChatRequest;
  if (chat.stream === true) return chat;
  sendJson(response, 400, { error: { message: 'The scripted model only streams: set "stream": true.' } });
  return undefined;
}

/** One reply on its way, as server-sent events. */
class ReplyStream {
  readonly #response: ServerResponse;
  readonly #options: ModelServerOptions;
  readonly #asked: Map<string, number>;
  readonly #serial: number;
  readonly #splitter = new ByteSplitter();
  #model = '';

  constructor(response: ServerResponse, options: ModelServerOptions, asked: Map<string, number>, serial: number) {
    this.#response = response;
    this.#options = options;
    this.#asked = asked;
    this.#serial = serial;
  }

  async send(reply: ScriptedReply, model: string): Promise<void> {
    this.#model = model;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    await this.#delta({ role: 'assistant', content: '' });
    for (const content of tinyPieces(reply.text)) await this.#delta({ content });
    await this.#delta({}, reply.call ? await this.#call(reply.call) : 'stop');
    await this.#chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
    await this.#event('[DONE]');
    this.#response.end(this.#splitter.rest());
  }

  /** Writes a call and returns the finish reason. */
  async #call({ name, args }: NonNullable<ScriptedReply['call']>): Promise<'tool_calls' | 'length'> {
    const times = this.#asked.get(name) ?? 0;
    this.#asked.set(name, times + 1);
    const id = habitualId(name, times, this.#serial);
    const start = { index: 0, type: 'function', function: { name, arguments: '' }, ...(id !== undefined && { id }) };
    await this.#delta({ tool_calls: [start] });
    const pieces = tinyPieces(JSON.stringify(args));
    const whole = !isCutShort(name, times);
    const sent = whole ? pieces : pieces.slice(0, Math.ceil(pieces.length * 0.7));
    for (const [at, piece] of sent.entries()) {
      if (at === pieces.length >> 1) await this.#options.halfway(name);
      await this.#delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
    }
    return whole ? 'tool_calls' : 'length';
  }

  #delta(delta: object, finishReason: string | null = null): Promise<void> {
    return this.#chunk({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
  }

  #chunk(fields: object): Promise<void> {
    const head = { id: `chatcmpl-${this.#serial}`, object: 'chat.completion.chunk', created: 0, model: this.#model };
    return this.#event(JSON.stringify({ ...head, ...fields }));
  }

  async #event(data: string): Promise<void> {
    this.#response.write(this.#splitter.push(`data: ${data}\n\n`));
    await (this.#options.paceMs > 0 ? setTimeout(this.#options.paceMs) : setImmediate());
    if (this.#response.destroyed) throw new Error('The client is gone.');
  }
}
