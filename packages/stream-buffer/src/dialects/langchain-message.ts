/** What a message of LangChain's says of tool calls, and why the model stopped. */

import type { ToolCallPiece } from '../piece.js';
import { argsText, idText, itemsOf, numberOf, readReason, textOf } from './wording.js';

/** The parts of an `AIMessageChunk` or an `AIMessage` that are read. */
export interface LangChainMessage {
  readonly id?: unknown;
  readonly tool_call_chunks?: readonly LangChainCall[];
  readonly tool_calls?: readonly LangChainCall[];
  readonly invalid_tool_calls?: readonly LangChainCall[];
  readonly response_metadata?: Readonly<Record<string, unknown>>;
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
}

interface LangChainCall {
  readonly id?: unknown;
  readonly index?: unknown;
  readonly name?: unknown;
  readonly args?: unknown;
}

/**
 * The pieces of a message. Of a chunk its `tool_call_chunks`: what LangChain made of them (`tool_calls`) may have been
 * repaired. Of a whole message its calls, those included that LangChain could not parse.
 */
export function readMessage(message: LangChainMessage): ToolCallPiece[] {
  const calls = [...itemsOf(message.tool_calls), ...itemsOf(message.invalid_tool_calls)];
  const chunks = isStreamed(message) ? itemsOf(message.tool_call_chunks) : undefined;
  return (chunks !== undefined && (chunks.length > 0 || calls.length === 0) ? chunks : calls).map(toPiece);
}

function toPiece({ id, index, name, args }: LangChainCall): ToolCallPiece {
  return { id: idText(id), index: numberOf(index), name: textOf(name), args: argsText(args) };
}

/** Tells a chunk from a whole message. */
export function isStreamed({ tool_call_chunks }: LangChainMessage): boolean {
  return Array.isArray(tool_call_chunks);
}

const REASON_NAMES = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

/** Why the model stopped, under the names that providers give it. */
export function reasonOf({ response_metadata, additional_kwargs }: LangChainMessage): string | undefined {
  const places = [response_metadata, additional_kwargs, response_metadata?.['messageStop']];
  for (const place of places) {
    if (typeof place !== 'object' || place === null) continue;
    for (const name of REASON_NAMES) {
      const reason = readReason((place as Record<string, unknown>)[name]);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}
