/** The chunks of OpenAI's Chat Completions, and of the many servers that speak like it. */

import type { DialectEvent, DialectReader } from './event.js';
import {
  argsText,
  idText,
  insideString,
  itemsOf,
  numberOf,
  PLAIN_INPUT_END,
  PLAIN_INPUT_START,
  readObjects,
  readReason,
} from './wording.js';

export type { DialectEvent, DialectReader } from './event.js';

/** The parts of a `chat.completion.chunk` that are read. */
export interface OpenAIChatChunk {
  readonly choices?: readonly OpenAIChatChoice[] | null | undefined;
  /** Routers report a failure within the stream. */
  readonly error?: unknown;
}

interface OpenAIChatChoice {
  readonly index?: number | null | undefined;
  readonly delta?: OpenAIChatDelta | null | undefined;
  readonly finish_reason?: string | null | undefined;
}

interface OpenAIChatDelta {
  readonly tool_calls?: readonly OpenAIChatToolCall[] | null | undefined;
  readonly function_call?: { readonly name?: unknown; readonly arguments?: unknown } | null | undefined;
}

interface OpenAIChatToolCall {
  readonly id?: unknown;
  readonly index?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null | undefined;
  readonly custom?: { readonly name?: unknown; readonly input?: unknown } | null | undefined;
}

/** Options of {@link openAIChatReader}. */
export interface OpenAIChatReaderOptions {
  /** Which of several choices is read. Each has its own calls, so give each its own buffer. Default 0. */
  readonly choice?: number;
}

/**
 * Makes a reader of one reply's chunks. The input of a custom tool, which is plain text, is read as the field `input`.
 *
 * Nothing in this dialect says that a new reply begins: use a follower and a buffer for each.
 */
export function openAIChatReader(options: OpenAIChatReaderOptions = {}): DialectReader<OpenAIChatChunk> {
  const { choice: wanted = 0 } = options;
  /** The custom tools whose input is under way, by index. */
  const plain = new Set<number | undefined>();
  return readObjects(({ choices, error }) => {
    const choice = itemsOf(choices).find(({ index }, at) => (index ?? at) === wanted);
    const events: DialectEvent[] = itemsOf(choice?.delta?.tool_calls).map((call) => readCall(call, plain));
    const legacy = choice?.delta?.function_call;
    if (legacy) {
      events.push({ kind: 'piece', piece: { name: idText(legacy.name), args: argsText(legacy.arguments) } });
    }
    const reason = readReason(choice?.finish_reason);
    if (reason === 'tool_calls' || reason === 'stop') events.push(...endPlain(plain));
    if (reason !== undefined) events.push({ kind: 'turn-end', reason });
    else if (error) events.push({ kind: 'turn-end', reason: 'error' });
    return events;
  });
}

function readCall(call: OpenAIChatToolCall, plain: Set<number | undefined>): DialectEvent {
  const { custom, function: called } = call;
  const index = numberOf(call.index);
  const place = { id: idText(call.id), index };
  if (!custom) {
    return { kind: 'piece', piece: { ...place, name: idText(called?.name), args: argsText(called?.arguments) } };
  }
  const start = plain.has(index) ? '' : PLAIN_INPUT_START;
  plain.add(index);
  const args = start + insideString(argsText(custom.input) ?? '');
  return { kind: 'piece', piece: { ...place, name: idText(custom.name), args } };
}

function endPlain(plain: Set<number | undefined>): DialectEvent[] {
  const ends = Array.from(plain, (index): DialectEvent => ({ kind: 'piece', piece: { index, args: PLAIN_INPUT_END } }));
  plain.clear();
  return ends;
}
