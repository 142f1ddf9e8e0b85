/** The calls of a model's reply, with the raw text of their arguments where LangChain still has it. */

import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { type AIMessage, AIMessageChunk } from '@langchain/core/messages';
import type { ToolCallChunk } from '@langchain/core/messages/tool';

/** A call as the model wrote it. */
export interface ReplyCall {
  readonly id: string | undefined;
  readonly name: string;
  /** The argument text as it came. LangChain parses leniently, so a cut text can look like whole arguments. */
  readonly raw?: string;
  /** The arguments as LangChain parsed them, where no text is left. */
  readonly args?: Record<string, unknown>;
}

/** Reads the calls of a reply in the model's order: those that LangChain accepted and those that it did not. */
export function replyCalls(reply: AIMessage): ReplyCall[] {
  const chunks = AIMessageChunk.isInstance(reply) ? (reply.tool_call_chunks ?? []) : [];
  // A custom tool's text is no JSON; LangChain hands it over as one string.
  if (chunks.length > 0 && !chunks.some((chunk) => 'isCustomTool' in chunk && chunk.isCustomTool === true)) {
    return chunkCalls(chunks);
  }
  return [
    ...(reply.tool_calls ?? []).map(({ id, name, args }) => ({ id: realId(id), name, args })),
    ...(reply.invalid_tool_calls ?? []).map((call) => ({
      id: realId(call.id),
      name: call.name ?? '',
      raw: call.args ?? '',
    })),
  ];
}

/** Joins what belongs together. One id at two indexes is two calls, which is how LangChain reads it as well. */
function chunkCalls(chunks: readonly ToolCallChunk[]): ReplyCall[] {
  const buffer = new StreamingToolCallBuffer({ duplicates: 'keep' });
  const ids = new Map<string, string | undefined>();
  for (const { id, index, name, args } of chunks) {
    const real = realId(id);
    const outcome = buffer.ingest({
      ...(real !== undefined && { id: index === undefined ? real : `${index}:${real}` }),
      ...(index !== undefined && { index }),
      ...(name !== undefined && { name }),
      ...(args !== undefined && { args }),
    });
    if ('id' in outcome && outcome.id !== undefined && !ids.get(outcome.id)) ids.set(outcome.id, real);
  }
  return [...ids].map(([key, id]) => ({
    id,
    name: buffer.getToolName(key) ?? '',
    raw: buffer.getRawArgs(key) ?? '',
  }));
}

/** Some providers send blanks or the word null for an id that they do not have. */
function realId(id: string | null | undefined): string | undefined {
  return id === undefined || id === null || id.trim() === '' || id === 'null' ? undefined : id;
}
