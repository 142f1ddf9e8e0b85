/** A reply with its calls put right, in a form that every provider takes back as history. */

import { AIMessage } from '@langchain/core/messages';
import { withRecord } from '../internal/metadata.js';
import type { JudgedCall } from './judge-reply.js';

/** Content blocks in which providers repeat the calls of a reply. */
const CALL_BLOCKS: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'invalid_tool_call',
  'input_json_delta',
  'function_call',
  'functionCall',
]);

/**
 * The reply with these calls in the place of its own, under `id`; LangGraph gives one to a message without. Which calls
 * are broken, and why, is remembered in it.
 */
export function rebuildReply(reply: AIMessage, calls: readonly JudgedCall[], id: string | undefined): AIMessage {
  const { tool_calls: _calls, ...additional } = reply.additional_kwargs ?? {};
  const { output: _output, ...metadata } = reply.response_metadata ?? {};
  const broken = Object.fromEntries(calls.flatMap((call) => (call.broken ? [[call.id, call.broken.reason]] : [])));
  return new AIMessage({
    content: contentWith(reply.content, calls),
    tool_calls: calls.map(({ id, name, args }) => ({ id, name, args, type: 'tool_call' as const })),
    invalid_tool_calls: [],
    additional_kwargs: additional,
    response_metadata: Object.keys(broken).length > 0 ? withRecord(metadata, { broken }) : metadata,
    ...(id !== undefined && { id }),
    ...(reply.name !== undefined && { name: reply.name }),
    ...(reply.usage_metadata !== undefined && { usage_metadata: reply.usage_metadata }),
  });
}

function contentWith(content: AIMessage['content'], calls: readonly JudgedCall[]): AIMessage['content'] {
  if (typeof content === 'string') return content;
  const words = content.filter((block) => !CALL_BLOCKS.has(block.type));
  if (!content.some((block) => block.type === 'tool_use')) return words;
  return [...words, ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))];
}
