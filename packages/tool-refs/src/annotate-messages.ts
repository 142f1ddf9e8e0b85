/** Projects a conversation for the model: keys shown, our own metadata gone. Works on the shape of messages alone. */

import type { BaseMessage } from '@langchain/core/messages';
import {
  annotateContent,
  mapChanged,
  readShownReference,
  type ShownReference,
  withoutMetadata,
} from './internal/shown-reference.js';
import type { ToolOutputReferenceRegistry } from './registry.js';

/**
 * The messages as the model shall see them. A tool message with reference metadata in `additional_kwargs` is replaced
 * by a copy without it, whose content shows its key and its unresolved references. Input messages are not changed,
 * and the same array comes back when no message has metadata or there is no registry.
 *
 * A key is shown only while it can be used: its output is stored, and its scope (`_refScope`) is the run that would
 * resolve it. Unresolved references are always shown.
 *
 * Messages of any LangChain version keep their prototype and all other fields. For messages in the plain shapes of
 * OpenAI, Anthropic and the AI SDK there are subpaths.
 */
export function annotateMessagesForLLM(
  messages: BaseMessage[],
  registry: ToolOutputReferenceRegistry | undefined,
  runId: string | undefined,
): BaseMessage[] {
  if (!registry) return messages;
  return mapChanged(messages, (message) => {
    const reference = readShownReference(message.additional_kwargs, registry, runId);
    return reference && typeOf(message) === 'tool' ? project(message, reference) : message;
  });
}

/** LangChain 0.3 knows the type by method alone, a message restored without its class by field alone. */
function typeOf(message: BaseMessage): string {
  return typeof message._getType === 'function' ? message._getType() : message.type;
}

function project(message: BaseMessage, reference: ShownReference): BaseMessage {
  const content = annotateContent(message, message.content, reference, (text) => ({ type: 'text', text }));
  return copyWith(message, {
    content: content as BaseMessage['content'],
    additional_kwargs: withoutMetadata(message.additional_kwargs),
  });
}

/** A copy of the same class. LangChain serialises from `lc_kwargs`, which repeats the constructor's fields. */
function copyWith(message: BaseMessage, fields: Pick<BaseMessage, 'content' | 'additional_kwargs'>): BaseMessage {
  const copy = { ...message, ...fields };
  if (Object.hasOwn(message, 'lc_kwargs')) copy.lc_kwargs = { ...message.lc_kwargs, ...fields };
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(message) as object) as BaseMessage;
}
