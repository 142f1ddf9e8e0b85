/** `@holdfast/tool-refs/anthropic`: references in the `tool_result` blocks of Anthropic's messages. */

import { getOwn } from '@holdfast/kernel';
import {
  annotateContent,
  mapShownParts,
  readShownReference,
  type ShownReference,
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
  const read = (block: object) => readShownReference(block, registry, runId);
  return mapShownParts(messages, 'tool_result', read, annotateBlock);
}

function annotateBlock(block: object, reference: ShownReference): unknown {
  // A result without content is an empty text.
  const given = getOwn(block, 'content') ?? '';
  const content = annotateContent(block, given, reference, (text) => ({ type: 'text', text }));
  return { ...withoutMetadata(block), content };
}
