/** The events and messages of LangChain.js: of models, agents and graphs. */

import type { DialectEvent, DialectReader } from './event.js';
import { isStreamed, type LangChainMessage, readMessage, reasonOf } from './langchain-message.js';

export type { DialectEvent, DialectReader } from './event.js';

interface StreamEventLike {
  readonly event: string;
  readonly run_id: string;
  readonly data?: { readonly chunk?: unknown; readonly output?: unknown };
}

/**
 * Makes a reader of what one run streams:
 *
 * - `streamEvents(…, { version: 'v2' })`: each event. The first run id that emits a chunk owns its call; a model that
 *   wraps another emits the same chunk object again, which is left out.
 * - `stream(…, { streamMode: 'messages' })`: each `[message, metadata]`, also with other modes and with subgraphs. The
 *   message's id tells replies apart, since no run is named: a model that wraps another and says the reply once more
 *   under an id of its own, when the other has ended, tells its calls again.
 * - `stream(…)` of a model: each `AIMessageChunk`.
 *
 * Anything else says nothing. Replies that stream side by side keep their calls apart; the calls need ids of their own.
 * At most 1,000 replies are remembered at a time; the oldest is forgotten.
 */
export function langChainReader(): DialectReader<unknown> {
  const replies = new Replies();
  return (input) => {
    if (isStreamEvent(input)) return replies.readEvent(input);
    const message = messageIn(input);
    return message === undefined ? [] : replies.readMessage(message);
  };
}

/** Replies that are remembered at a time. The oldest is forgotten. */
const MAX_REPLIES = 1_000;

/** What has come of a reply. */
interface Reply {
  /** It has said something of calls. */
  speaks: boolean;
  reason?: string | undefined;
}

class Replies {
  /** The run that emitted a chunk first. */
  readonly #owners = new WeakMap<object, string>();
  /** Runs whose chunks are those of another run. */
  readonly #owned = new Map<string, string>();
  readonly #replies = new Map<string, Reply>();

  readEvent({ event, run_id: run, data }: StreamEventLike): DialectEvent[] {
    switch (event) {
      case 'on_chat_model_start':
        return [{ kind: 'turn-start', source: run }];
      case 'on_chat_model_stream':
        return isMessage(data?.chunk) ? this.#readChunk(data.chunk, run) : [];
      case 'on_chat_model_end':
        return this.#endRun(isMessage(data?.output) ? data.output : undefined, run);
      default:
        return [];
    }
  }

  /** Reads a message whose run is not known: its id stands for the run. */
  readMessage(message: LangChainMessage): DialectEvent[] {
    if (this.#owners.has(message)) return [];
    const source = typeof message.id === 'string' ? message.id : '';
    this.#owners.set(message, source);
    const spoke = this.#replies.get(source)?.speaks === true;
    const isWhole = !isStreamed(message);
    // A graph may say a reply once more as a whole, when a node returns it.
    if (isWhole && spoke && source !== '') return [];
    const events = this.#read(message, source);
    if (events.length > 0 && !spoke && source !== '') events.unshift({ kind: 'turn-start', source });
    const reason = reasonOf(message);
    if (reason !== undefined || (isWhole && events.length > 0)) events.push({ kind: 'turn-end', reason, source });
    return events;
  }

  #readChunk(chunk: LangChainMessage, run: string): DialectEvent[] {
    const owner = this.#owners.get(chunk);
    if (owner !== undefined) {
      if (owner !== run) remember(this.#owned, run, owner);
      return [];
    }
    const source = this.#owned.get(run) ?? run;
    this.#owners.set(chunk, source);
    const reason = reasonOf(chunk);
    if (reason !== undefined) this.#replyOf(source).reason = reason;
    return this.#read(chunk, source);
  }

  /** What a model says as a whole counts only if it did not stream. */
  #endRun(output: LangChainMessage | undefined, run: string): DialectEvent[] {
    const source = this.#owned.get(run) ?? run;
    const reply = this.#replies.get(source);
    const events = output === undefined || reply?.speaks ? [] : this.#read(output, source);
    const reason = reply?.reason ?? (output && reasonOf(output));
    if (source !== run) events.push({ kind: 'turn-end', source: run });
    else this.#replies.delete(run);
    this.#owned.delete(run);
    return [...events, { kind: 'turn-end', reason, source }];
  }

  #read(message: LangChainMessage, source: string): DialectEvent[] {
    const pieces = readMessage(message);
    if (pieces.length > 0) this.#replyOf(source).speaks = true;
    return pieces.map((piece) => ({ kind: 'piece', piece: { ...piece, source } }));
  }

  #replyOf(source: string): Reply {
    let reply = this.#replies.get(source);
    if (reply === undefined) {
      reply = { speaks: false };
      remember(this.#replies, source, reply);
    }
    return reply;
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  if (map.size <= MAX_REPLIES) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

function isStreamEvent(input: unknown): input is StreamEventLike {
  return isObject(input) && typeof input['event'] === 'string' && typeof input['run_id'] === 'string';
}

/** The message in `[message, metadata]`, in `['messages', …]` and `[namespace, 'messages', …]`, or alone. */
function messageIn(input: unknown): LangChainMessage | undefined {
  if (isMessage(input)) return input;
  if (!Array.isArray(input)) return undefined;
  if (isMessage(input[0])) return input[0];
  const last: unknown = input.at(-1);
  return Array.isArray(last) && isMessage(last[0]) ? last[0] : undefined;
}

/** A message of the model, streamed or whole. */
function isMessage(value: unknown): value is LangChainMessage {
  return isObject(value) && (Array.isArray(value['tool_call_chunks']) || Array.isArray(value['tool_calls']));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
