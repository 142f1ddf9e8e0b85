/** A tool's result: what a receipt records of it, and the message that the history keeps. */

import { isPlainObject } from '@holdfast/kernel';
import { canonicalJson } from '@holdfast/receipts';
import { ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { type CallRecord, withRecord } from './metadata.js';

/** What a receipt records of a tool message. Plain JSON, and part of the stored format. */
export interface RecordedResult {
  readonly content: ToolMessage['content'];
  readonly status?: 'success' | 'error';
  readonly artifact?: unknown;
  /** The artifact was no plain JSON and is not part of the record. */
  readonly artifactOmitted?: true;
}

/** What is recorded of a message that the tool returned. */
export function recordResult(message: ToolMessage): RecordedResult {
  return {
    content: message.content,
    ...(message.status !== undefined && { status: message.status }),
    ...recordArtifact(message.artifact),
  };
}

function recordArtifact(artifact: unknown): Pick<RecordedResult, 'artifact' | 'artifactOmitted'> {
  if (artifact === undefined) return {};
  try {
    canonicalJson(artifact);
    return { artifact };
  } catch {
    return { artifactOmitted: true };
  }
}

/** What a host's reconciler reported, in the form of a record. */
export function recordReconciled(result: unknown): RecordedResult {
  return { content: typeof result === 'string' ? result : (JSON.stringify(result) ?? '') };
}

/** The message that a record stands for, or `undefined` when the record is of no known form. */
export function replayMessage(call: ToolCall, recorded: unknown): ToolMessage | undefined {
  if (!isPlainObject(recorded)) return undefined;
  const { content, status, artifact } = recorded;
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined;
  return new ToolMessage({
    content,
    tool_call_id: call.id ?? '',
    name: call.name,
    status: status === 'error' ? 'error' : 'success',
    ...(artifact !== undefined && { artifact }),
  });
}

/** A message that answers a call with an error. */
export function errorMessage(call: ToolCall, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: call.id ?? '', name: call.name, status: 'error' });
}

/** Changes to a tool message. */
export interface MessageChanges {
  readonly content?: ToolMessage['content'];
  readonly record: CallRecord;
  /** Added to `additional_kwargs`, for the annotation. */
  readonly annotation?: Record<string, unknown>;
}

/** A copy of the message with its record and its annotation; what the tool set is kept. */
export function describeMessage(message: ToolMessage, changes: MessageChanges): ToolMessage {
  return new ToolMessage({
    ...message.lc_kwargs,
    content: changes.content ?? message.content,
    tool_call_id: message.tool_call_id,
    ...(message.id !== undefined && { id: message.id }),
    ...(message.name !== undefined && { name: message.name }),
    ...(message.status !== undefined && { status: message.status }),
    ...(message.artifact !== undefined && { artifact: message.artifact }),
    ...(message.metadata !== undefined && { metadata: message.metadata }),
    additional_kwargs: { ...message.additional_kwargs, ...changes.annotation },
    response_metadata: withRecord(message.response_metadata, changes.record),
  });
}
