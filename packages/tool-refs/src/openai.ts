/** `@holdfast/tool-refs/openai`: references in the messages of OpenAI's Chat Completions and the items of Responses. */

import { getOwn } from '@holdfast/kernel';
import {
  annotateContent,
  mapChanged,
  readShownReference,
  type UsableKeys,
  withoutMetadata,
} from './internal/shown-reference.js';

/**
 * Chat Completions messages as the model shall see them. A message of role `tool` that carries reference metadata
 * (`_refKey`, `_refScope`, `_unresolvedRefs` beside its own fields) is replaced by a copy without it, whose content
 * shows its key and its unresolved references. Input is not changed, and the same array comes back when no message has
 * metadata or there is no registry.
 *
 * @param registry Shows a key only while its output is stored for the run, and its scope is that run.
 */
export function annotateChatMessages<Message extends object>(
  messages: Message[],
  registry: UsableKeys | undefined,
  runId: string | undefined,
): Message[] {
  if (!registry) return messages;
  return mapChanged(messages, (message) => {
    if (getOwn(message, 'role') !== 'tool') return message;
    const reference = readShownReference(message, registry, runId);
    if (!reference) return message;
    const content = annotateContent(message, getOwn(message, 'content'), reference, (text) => ({ type: 'text', text }));
    return { ...withoutMetadata(message), content };
  });
}

const SHOWN_TYPES: readonly unknown[] = ['function_call_output', 'custom_tool_call_output'];

/**
 * Responses input items as the model shall see them: {@link annotateChatMessages} for items of type
 * `function_call_output` and `custom_tool_call_output`, whose `output` shows the reference. The outputs of OpenAI's own
 * tools (`shell_call_output` and the like), which have forms of their own, only lose the metadata.
 */
export function annotateResponseItems<Item extends object>(
  items: Item[],
  registry: UsableKeys | undefined,
  runId: string | undefined,
): Item[] {
  if (!registry) return items;
  return mapChanged(items, (item) => {
    const type = getOwn(item, 'type');
    if (typeof type !== 'string' || !type.endsWith('_output')) return item;
    const reference = readShownReference(item, registry, runId);
    if (!reference) return item;
    if (!SHOWN_TYPES.includes(type)) return withoutMetadata(item);
    const output = annotateContent(item, getOwn(item, 'output'), reference, (text) => ({ type: 'input_text', text }));
    return { ...withoutMetadata(item), output };
  });
}
