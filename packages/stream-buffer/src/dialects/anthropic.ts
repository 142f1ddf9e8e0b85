/** The events of Anthropic's Messages, with and without fine-grained tool streaming. */

import type { CallRunner, DialectEvent, DialectReader } from './event.js';
import { argsText, idText, numberOf, readObjects, readReason, textOf } from './wording.js';

export type { DialectEvent, DialectReader } from './event.js';

/** The parts of an event that are read. */
export interface AnthropicEvent {
  readonly type: string;
  readonly index?: number | null | undefined;
  readonly content_block?:
    | { readonly type: string; readonly id?: unknown; readonly name?: unknown; readonly input?: unknown }
    | null
    | undefined;
  readonly delta?:
    | {
        readonly type?: string | undefined;
        readonly partial_json?: unknown;
        readonly stop_reason?: string | null | undefined;
      }
    | null
    | undefined;
}

/** The blocks that are calls, and who runs them. */
const runners: Readonly<Record<string, CallRunner>> = {
  tool_use: 'host',
  server_tool_use: 'provider',
  mcp_tool_use: 'provider',
};

/**
 * Makes a reader of a stream's events. A start block carries `{}` for an input that is to come; one that carries the
 * input itself, as servers that speak like Anthropic's may send it, counts if no deltas follow.
 */
export function anthropicReader(): DialectReader<AnthropicEvent> {
  const startInputs = new Map<number | undefined, string>();
  return readObjects((event) => readEvent(event, numberOf(event.index), startInputs));
}

function readEvent(
  { type, content_block: block, delta }: AnthropicEvent,
  index: number | undefined,
  startInputs: Map<number | undefined, string>,
): DialectEvent[] {
  switch (type) {
    case 'message_start':
      startInputs.clear();
      return [{ kind: 'turn-start' }];
    case 'content_block_start':
      startInputs.delete(index);
      return block ? readStart(block, index, startInputs) : [];
    case 'content_block_delta':
      if (delta?.type !== 'input_json_delta') return [];
      if (delta.partial_json !== '') startInputs.delete(index);
      return [{ kind: 'piece', piece: { index, args: argsText(delta.partial_json) } }];
    case 'content_block_stop': {
      const args = startInputs.get(index);
      return [args === undefined ? { kind: 'call-end', index } : { kind: 'whole', piece: { index, args } }];
    }
    case 'message_delta': {
      const reason = readReason(delta?.stop_reason);
      return reason === undefined ? [] : [{ kind: 'turn-end', reason }];
    }
    case 'error':
      return [{ kind: 'turn-end', reason: 'error' }];
    default:
      return [];
  }
}

function readStart(
  block: NonNullable<AnthropicEvent['content_block']>,
  index: number | undefined,
  startInputs: Map<number | undefined, string>,
): DialectEvent[] {
  const ranBy = Object.hasOwn(runners, block.type) ? runners[block.type] : undefined;
  if (ranBy === undefined) return [];
  const input = argsText(block.input);
  if (input !== undefined && input !== '{}') startInputs.set(index, input);
  return [{ kind: 'piece', ranBy, piece: { id: idText(block.id), index, name: textOf(block.name) } }];
}
