/** What a message that carries our metadata shows of it, in whichever shape the message comes. */

import { getOwn } from '@holdfast/kernel';
import { annotateToolOutputWithReference } from '../annotate-output.js';
import type { ToolOutputReferenceRegistry } from '../registry.js';
import { lineBefore, lineBehind } from './annotation-lines.js';
import { isReference } from './placeholder.js';

const METADATA_KEYS = ['_refKey', '_refScope', '_unresolvedRefs'] as const;

/** The part of a registry that tells which keys can be used. */
export type UsableKeys = Pick<ToolOutputReferenceRegistry, 'has'>;

/** What stands beside one output. */
export interface ShownReference {
  /** `undefined` when the output has no key that the run could use. */
  readonly key: string | undefined;
  readonly unresolved: string[];
}

/** A block of text in a provider's shape. */
type TextBlock = (text: string) => object;

interface Annotation {
  readonly content: string;
  readonly key: string | undefined;
  readonly unresolved: string;
  readonly annotated: string;
}

/** The last annotation of each message, so that an output is parsed once and not on every request. */
const annotations = new WeakMap<object, Annotation>();

/** Reads our metadata among the fields of something; `undefined` when it has none. */
export function readShownReference(
  fields: unknown,
  registry: UsableKeys,
  runId: string | undefined,
): ShownReference | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined;
  if (!METADATA_KEYS.some((key) => Object.hasOwn(fields, key))) return undefined;
  return { key: readUsableKey(fields, registry, runId), unresolved: readUnresolved(fields) };
}

/** A copy of some fields without our metadata. */
export function withoutMetadata<T extends object>(fields: T): T {
  const kept = { ...fields } as T & Record<string, unknown>;
  for (const key of METADATA_KEYS) delete kept[key];
  return kept;
}

/**
 * Content with its reference: a text, or blocks with one more before and behind. Any other content stays.
 *
 * @param carrier The object that holds the content from one request to the next.
 */
export function annotateContent(
  carrier: object,
  content: unknown,
  reference: ShownReference,
  textBlock: TextBlock,
): unknown {
  if (typeof content === 'string') return annotateText(carrier, content, reference);
  return Array.isArray(content) ? annotateBlocks(content, reference, textBlock) : content;
}

/** Annotates a text, once for as long as nothing about it changes. */
export function annotateText(carrier: object, content: string, { key, unresolved }: ShownReference): string {
  const list = JSON.stringify(unresolved);
  const last = annotations.get(carrier);
  if (last?.content === content && last.key === key && last.unresolved === list) return last.annotated;
  const annotated = annotateToolOutputWithReference(content, key, unresolved);
  annotations.set(carrier, { content, key, unresolved: list, annotated });
  return annotated;
}

/** A list with some items exchanged; the same list when none is. */
export function mapChanged<T>(list: T[], change: (item: T) => T): T[] {
  let changed: T[] | undefined;
  for (const [index, item] of list.entries()) {
    const next = change(item);
    if (next === item) continue;
    changed ??= list.slice();
    changed[index] = next;
  }
  return changed ?? list;
}

/** Messages whose content is a list, with the parts of one type that carry our metadata exchanged. */
export function mapShownParts<Message extends object>(
  messages: Message[],
  type: string,
  read: (part: object) => ShownReference | undefined,
  annotate: (part: object, reference: ShownReference) => unknown,
): Message[] {
  return mapChanged(messages, (message) => {
    const parts = getOwn(message, 'content');
    if (!Array.isArray(parts)) return message;
    const content = mapChanged(parts as unknown[], (part) => {
      if (typeof part !== 'object' || part === null || getOwn(part, 'type') !== type) return part;
      const reference = read(part);
      return reference ? annotate(part, reference) : part;
    });
    return content === parts ? message : { ...message, content };
  });
}

/** Content in blocks gets the same lines as blocks of text. Blocks without a text or with blanks hide no imitation. */
function annotateBlocks(content: readonly unknown[], reference: ShownReference, textBlock: TextBlock): unknown[] {
  const texts = content.map(textOf);
  const before = lineBefore(texts.join(''), reference.key);
  const behind = lineBehind(texts.join('\n'), reference.unresolved);
  const blocks = [...content];
  if (before !== undefined) blocks.unshift(textBlock(before));
  if (behind !== undefined) blocks.push(textBlock(behind));
  return blocks;
}

function textOf(block: unknown): string {
  const text = typeof block === 'object' && block !== null ? getOwn(block, 'text') : block;
  return typeof text === 'string' ? text : '';
}

function readUsableKey(fields: object, registry: UsableKeys, runId: string | undefined): string | undefined {
  const key = getOwn(fields, '_refKey');
  const scope = getOwn(fields, '_refScope') ?? runId;
  return typeof key === 'string' && scope === runId && registry.has(runId, key) ? key : undefined;
}

/** History may come from outside, so only what can be a reference is shown. */
function readUnresolved(fields: object): string[] {
  const listed = getOwn(fields, '_unresolvedRefs');
  if (!Array.isArray(listed)) return [];
  return listed.filter((reference): reference is string => typeof reference === 'string' && isReference(reference));
}
