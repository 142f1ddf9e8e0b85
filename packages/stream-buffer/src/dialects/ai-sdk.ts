/** The parts of the AI SDK's streams: of `fullStream`, of UI messages, and of language models. */

import type { CallRunner, DialectEvent, DialectReader } from './event.js';
import {
  argsText,
  idText,
  insideString,
  PLAIN_INPUT_END,
  PLAIN_INPUT_START,
  readObjects,
  readReason,
  textOf,
} from './wording.js';

export type { DialectEvent, DialectReader } from './event.js';

/** The fields of a part that are read. */
export interface AISDKPart {
  readonly type: string;
  readonly id?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly delta?: unknown;
  readonly inputTextDelta?: unknown;
  readonly input?: unknown;
  readonly inputEncoding?: unknown;
  readonly providerExecuted?: unknown;
  /** Of a language model's own stream, an object with `unified`. */
  readonly finishReason?: unknown;
}

/**
 * Makes a reader of a stream's parts. The final input of a `tool-call` is compared with what was streamed. Input that a
 * provider streams as plain text is read as the field `input`.
 */
export function aiSdkReader(): DialectReader<AISDKPart> {
  /** The calls whose input is plain text. */
  const plain = new Set<string>();
  return readObjects((part) => {
    switch (part.type) {
      case 'stream-start':
      case 'start-step':
        plain.clear();
        return [{ kind: 'turn-start' }];
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'tool-call':
      case 'tool-input-available':
      case 'tool-input-error':
        return readInput(part, plain);
      default:
        return readEnd(part);
    }
  });
}

function readInput(part: AISDKPart, plain: Set<string>): DialectEvent[] {
  const id = idText(part.toolCallId) ?? idText(part.id) ?? '';
  const name = textOf(part.toolName);
  const ranBy: CallRunner | undefined =
    part.providerExecuted === undefined ? undefined : part.providerExecuted === true ? 'provider' : 'host';
  const runner = ranBy && { ranBy };
  switch (part.type) {
    case 'tool-input-start':
      if (part.inputEncoding === 'text') plain.add(id);
      return [{ kind: 'piece', ...runner, piece: { id, name, args: plain.has(id) ? PLAIN_INPUT_START : undefined } }];
    case 'tool-input-delta': {
      const text = argsText(part.delta) ?? argsText(part.inputTextDelta) ?? '';
      return [{ kind: 'piece', piece: { id, args: plain.has(id) ? insideString(text) : text } }];
    }
    case 'tool-input-end': {
      const end: DialectEvent = { kind: 'call-end', id };
      return plain.has(id) ? [{ kind: 'piece', piece: { id, args: PLAIN_INPUT_END } }, end] : [end];
    }
    default: {
      const input = argsText(part.input) ?? '';
      const args = plain.has(id) && typeof part.input === 'string' ? JSON.stringify({ input }) : input;
      return [{ kind: 'whole', ...runner, piece: { id, name, args } }];
    }
  }
}

function readEnd({ type, finishReason }: AISDKPart): DialectEvent[] {
  switch (type) {
    case 'finish-step':
    case 'finish': {
      const reason = readReason(unified(finishReason));
      // In a stream of UI messages, a step ends without a reason; `finish` brings it.
      return type === 'finish-step' && reason === undefined ? [] : [{ kind: 'turn-end', reason }];
    }
    case 'abort':
      return [{ kind: 'turn-end', reason: 'aborted' }];
    case 'error':
      return [{ kind: 'turn-end', reason: 'error' }];
    default:
      return [];
  }
}

function unified(reason: unknown): unknown {
  return typeof reason === 'object' && reason !== null && 'unified' in reason ? reason.unified : reason;
}
