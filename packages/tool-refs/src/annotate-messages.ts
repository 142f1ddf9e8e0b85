/** Projects a conversation for the model: keys shown, our own metadata gone. Works on the shape of messages alone. */

import { getOwn } from '@holdfast/kernel';
import type { BaseMessage } from '@langchain/core/messages';
import { annotateToolOutputWithReference } from './annotate-output.js';
import { lineBefore, lineBehind } from './internal/annotation-lines.js';
import { isReference } from './internal/placeholder.js';
import type { ToolOutputReferenceRegistry } from './registry.js';

const METADATA_KEYS = ['_refKey', '_refScope', '_unresolvedRefs'] as const;

type Metadata = Readonly<Record<string, unknown>>;
type Content = BaseMessage['content'];

interface Annotation {
  readonly content: string;
  readonly key: string | undefined;
  readonly unresolved: string;
  readonly annotated: string;
}

/** The last annotation of each message, so that an output is parsed once and not on every request. */
const annotations = new WeakMap<BaseMessage, Annotation>();

/**
 * The messages as the model shall see them. A tool message with reference metadata in `additional_kwargs` is replaced
 * by a copy without it, whose content shows its key and its unresolved references. Input messages are not changed,
 * and the same array comes back when no message has metadata or there is no registry.
 *
 * A key is shown only while it can be used: its output is stored, and its scope (`_refScope`) is the run that would
 * resolve it. Unresolved references are always shown.
 *
 * Messages of any LangChain version keep their prototype and all other fields.
 */
export function annotateMessagesForLLM(
  messages: BaseMessage[],
  registry: ToolOutputReferenceRegistry | undefined,
  runId: string | undefined,
): BaseMessage[] {
  if (!registry) return messages;
  let projected: BaseMessage[] | undefined;
  for (const [index, message] of messages.entries()) {
    const metadata = readMetadata(message);
    if (!metadata) continue;
    projected ??= messages.slice();
    projected[index] = project(message, metadata, readUsableKey(metadata, registry, runId));
  }
  return projected ?? messages;
}

function readMetadata(message: BaseMessage): Metadata | undefined {
  const metadata = message.additional_kwargs as Metadata | undefined;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  if (!METADATA_KEYS.some((key) => Object.hasOwn(metadata, key))) return undefined;
  return typeOf(message) === 'tool' ? metadata : undefined;
}

/** LangChain 0.3 knows the type by method alone, a message restored without its class by field alone. */
function typeOf(message: BaseMessage): string {
  return typeof message._getType === 'function' ? message._getType() : message.type;
}

function readUsableKey(
  metadata: Metadata,
  registry: ToolOutputReferenceRegistry,
  runId: string | undefined,
): string | undefined {
  const { _refKey: key, _refScope: scope } = metadata;
  if (typeof key !== 'string' || (scope ?? runId) !== runId) return undefined;
  return registry.has(runId, key) ? key : undefined;
}

/** History may come from outside, so only what can be a reference is shown. */
function readUnresolved(metadata: Metadata): string[] {
  const { _unresolvedRefs: listed } = metadata;
  if (!Array.isArray(listed)) return [];
  return listed.filter((key): key is string => typeof key === 'string' && isReference(key));
}

function project(message: BaseMessage, metadata: Metadata, key: string | undefined): BaseMessage {
  const unresolved = readUnresolved(metadata);
  const content =
    typeof message.content === 'string'
      ? annotateText(message, message.content, key, unresolved)
      : annotateBlocks(message.content, key, unresolved);
  const kept = Object.fromEntries(
    Object.entries(metadata).filter(([field]) => !METADATA_KEYS.some((ours) => ours === field)),
  );
  return copyWith(message, { content, additional_kwargs: kept });
}

function annotateText(message: BaseMessage, content: string, key: string | undefined, unresolved: string[]): string {
  const list = unresolved.join();
  const last = annotations.get(message);
  if (last?.content === content && last.key === key && last.unresolved === list) return last.annotated;
  const annotated = annotateToolOutputWithReference(content, key, unresolved);
  annotations.set(message, { content, key, unresolved: list, annotated });
  return annotated;
}

/** Content in blocks gets the same lines as blocks of text. */
function annotateBlocks(content: Content, key: string | undefined, unresolved: string[]): Content {
  if (!Array.isArray(content)) return content;
  const before = lineBefore(textOf(content[0]), key);
  const behind = lineBehind(textOf(content.at(-1)), unresolved);
  const lines = [before, behind].map((line) => (line === undefined ? [] : [{ type: 'text' as const, text: line }]));
  return [...(lines[0] ?? []), ...content, ...(lines[1] ?? [])];
}

function textOf(block: unknown): string {
  const text = typeof block === 'object' && block !== null ? getOwn(block, 'text') : block;
  return typeof text === 'string' ? text : '';
}

/** A copy of the same class. LangChain serialises from `lc_kwargs`, which repeats the constructor's fields. */
function copyWith(message: BaseMessage, fields: Pick<BaseMessage, 'content' | 'additional_kwargs'>): BaseMessage {
  const properties = Object.getOwnPropertyDescriptors(message) as PropertyDescriptorMap;
  const replaced: Record<string, unknown> = { ...fields };
  if (properties['lc_kwargs']) replaced['lc_kwargs'] = { ...message.lc_kwargs, ...fields };
  for (const [name, value] of Object.entries(replaced)) {
    properties[name] = { value, writable: true, enumerable: true, configurable: true };
  }
  return Object.create(Object.getPrototypeOf(message) as object, properties) as BaseMessage;
}
