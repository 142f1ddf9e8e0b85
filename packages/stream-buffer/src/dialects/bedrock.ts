/** The events of Amazon Bedrock's ConverseStream. */

import type { CallRunner, DialectEvent, DialectReader } from './event.js';
import { argsText, idText, numberOf, readObjects, readReason, textOf } from './wording.js';

export type { DialectEvent, DialectReader } from './event.js';

/** The parts of an event that are read. */
export interface BedrockEvent {
  readonly messageStart?: unknown;
  readonly contentBlockStart?:
    | {
        readonly contentBlockIndex?: number | undefined;
        readonly start?: { readonly toolUse?: BedrockToolUse | undefined } | undefined;
      }
    | undefined;
  readonly contentBlockDelta?:
    | {
        readonly contentBlockIndex?: number | undefined;
        readonly delta?: { readonly toolUse?: { readonly input?: unknown } | undefined } | undefined;
      }
    | undefined;
  readonly contentBlockStop?: { readonly contentBlockIndex?: number | undefined } | undefined;
  readonly messageStop?: { readonly stopReason?: string | undefined } | undefined;
  readonly internalServerException?: unknown;
  readonly modelStreamErrorException?: unknown;
  readonly serviceUnavailableException?: unknown;
  readonly throttlingException?: unknown;
  readonly validationException?: unknown;
}

interface BedrockToolUse {
  readonly toolUseId?: unknown;
  readonly name?: unknown;
  readonly type?: unknown;
}

/** Makes a reader of a stream's events. It remembers nothing. */
export function bedrockReader(): DialectReader<BedrockEvent> {
  return readObjects(readEvent);
}

function readEvent(event: BedrockEvent): DialectEvent[] {
  if (event.messageStart) return [{ kind: 'turn-start' }];
  const { contentBlockStart: start, contentBlockDelta: delta, contentBlockStop: stop } = event;
  if (start) return readStart(start.start?.toolUse, numberOf(start.contentBlockIndex));
  const input = delta?.delta?.toolUse?.input;
  if (input !== undefined) {
    return [{ kind: 'piece', piece: { index: numberOf(delta?.contentBlockIndex), args: argsText(input) } }];
  }
  if (stop) return [{ kind: 'call-end', index: numberOf(stop.contentBlockIndex) }];
  if (event.messageStop) return [{ kind: 'turn-end', reason: readReason(event.messageStop.stopReason) }];
  return isFailure(event) ? [{ kind: 'turn-end', reason: 'error' }] : [];
}

function readStart(toolUse: BedrockToolUse | undefined, index: number | undefined): DialectEvent[] {
  if (!toolUse) return [];
  const ranBy: CallRunner = toolUse.type === 'server_tool_use' ? 'provider' : 'host';
  return [{ kind: 'piece', ranBy, piece: { id: idText(toolUse.toolUseId), index, name: textOf(toolUse.name) } }];
}

function isFailure(event: BedrockEvent): boolean {
  return Boolean(
    event.internalServerException ??
      event.modelStreamErrorException ??
      event.serviceUnavailableException ??
      event.throttlingException ??
      event.validationException,
  );
}
