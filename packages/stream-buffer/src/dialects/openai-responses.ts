/** The events of OpenAI's Responses. */

import type { DialectEvent, DialectReader } from './event.js';
import {
  argsText,
  idText,
  insideString,
  numberOf,
  PLAIN_INPUT_START,
  readObjects,
  readReason,
  textOf,
} from './wording.js';

export type { DialectEvent, DialectReader } from './event.js';

/** The parts of an event that are read. */
export interface OpenAIResponsesEvent {
  readonly type: string;
  readonly sequence_number?: number | null | undefined;
  readonly output_index?: number | null | undefined;
  readonly item?: OpenAIResponsesItem | null | undefined;
  readonly delta?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly response?: OpenAIResponse | null | undefined;
}

interface OpenAIResponsesItem {
  readonly type: string;
  readonly call_id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
}

interface OpenAIResponse {
  readonly id?: string | undefined;
  readonly incomplete_details?: { readonly reason?: string | undefined } | null | undefined;
}

/** Options of {@link openAIResponsesReader}. */
export interface OpenAIResponsesReaderOptions {
  /** The response that is gone on with, where its beginning is not read again (`starting_after`). */
  readonly responseId?: string;
}

/**
 * Makes a reader of a stream's events. Each piece carries its `sequence_number`, so that what the server says again
 * after a reconnect changes nothing; numbers of different responses are told apart. The input of a custom tool, which is
 * plain text, is read as the field `input`. Tools that OpenAI runs itself are not read.
 */
export function openAIResponsesReader(options: OpenAIResponsesReaderOptions = {}): DialectReader<OpenAIResponsesEvent> {
  let source = options.responseId;
  return readObjects((event) => {
    const id = textOf(event.response?.id);
    const begins = id !== undefined && id !== source;
    if (begins) source = id;
    const read = readEvent(event, source);
    return begins ? [{ kind: 'turn-start', source }, ...read] : read;
  });
}

function readEvent(event: OpenAIResponsesEvent, source: string | undefined): DialectEvent[] {
  const place = { index: numberOf(event.output_index), source, sequence: numberOf(event.sequence_number) };
  switch (event.type) {
    case 'response.output_item.added':
      return readItem(event.item, ({ plain, args, ...call }) => {
        const text = plain ? PLAIN_INPUT_START + insideString(args) : args;
        return { kind: 'piece', piece: { ...place, ...call, args: text } };
      });
    case 'response.function_call_arguments.delta':
      return [{ kind: 'piece', piece: { ...place, args: argsText(event.delta) } }];
    case 'response.custom_tool_call_input.delta':
      return [{ kind: 'piece', piece: { ...place, args: insideString(argsText(event.delta) ?? '') } }];
    case 'response.function_call_arguments.done':
      return [{ kind: 'whole', piece: { ...place, args: argsText(event.arguments) ?? '' } }];
    case 'response.custom_tool_call_input.done':
      return [{ kind: 'whole', piece: { ...place, args: JSON.stringify({ input: textOf(event.input) ?? '' }) } }];
    case 'response.output_item.done':
      return readItem(event.item, ({ plain, args, ...call }) => {
        const text = plain ? JSON.stringify({ input: args }) : args;
        return { kind: 'whole', piece: { ...place, ...call, args: text } };
      });
    default:
      return readEnd(event, source);
  }
}

interface ReadItem {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly plain: boolean;
  readonly args: string;
}

function readItem(
  item: OpenAIResponsesItem | null | undefined,
  toEvent: (item: ReadItem) => DialectEvent,
): DialectEvent[] {
  if (item?.type !== 'function_call' && item?.type !== 'custom_tool_call') return [];
  const plain = item.type === 'custom_tool_call';
  const args = argsText(plain ? item.input : item.arguments) ?? '';
  return [toEvent({ id: idText(item.call_id), name: textOf(item.name), plain, args })];
}

function readEnd({ type, response }: OpenAIResponsesEvent, source: string | undefined): DialectEvent[] {
  switch (type) {
    case 'response.completed':
      return [{ kind: 'turn-end', reason: 'completed', source }];
    case 'response.incomplete':
      return [{ kind: 'turn-end', reason: readReason(response?.incomplete_details?.reason) ?? 'incomplete', source }];
    case 'response.cancelled':
      return [{ kind: 'turn-end', reason: 'cancelled', source }];
    case 'response.failed':
    case 'error':
      return [{ kind: 'turn-end', reason: 'error', source }];
    default:
      return [];
  }
}
