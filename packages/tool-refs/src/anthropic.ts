/** `@holdfast/tool-refs/anthropic`: references in the `tool_result` blocks of Anthropic's messages. */

import { getOwn } from '@holdfast/kernel';
import {
  annotateContent,
  mapChanged,
  readShownReference,
  type UsableKeys,
  withoutMetadata,
} from './internal/shown-reference.js';

/**
 * Messages as the model shall see them. A `tool_result` block that carries reference metadata (`_refKey`, `_refScope`,
 * `_unresolvedRefs` beside its own fields) is replaced by a copy without it, whose content shows its key and its
 * unresolved references. Input is not changed, and the same array comes back when no block has metadata or there is no
 * registry.
 *
 * @param registry Shows a key only while its output is stored for the run, and its scope is that run.
 */
export function annotateAnthropicMessages<Message extends object>(
  messages: Message[],
  registry: UsableKeys | undefined,
  runId: string | undefined,
): Message[] {
  if (!registry) return messages;
  return mapChanged(messages, (message) => {
    const blocks = getOwn(message, 'content');
    if (!Array.isArray(blocks)) return message;
    const content = mapChanged(blocks as unknown[], (block) => annotateBlock(block, registry, runId));
    return content === blocks ? message : { ...message, content };
  });
}

function annotateBlock(block: unknown, registry: UsableKeys, runId: string | undefined): unknown {
  if (typeof block !== 'object' || block === null || getOwn(block, 'type') !== 'tool_result') return block;
  const reference = readShownReference(block, registry, runId);
  if (!reference) return block;
  // A result without content is an empty text.
  const given = getOwn(block, 'content') ?? '';
  const content = annotateContent(block, given, reference, (text) => ({ type: 'text', text }));
  return { ...withoutMetadata(block), content };
}
