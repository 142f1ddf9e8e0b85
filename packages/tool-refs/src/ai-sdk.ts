/** `@holdfast/tool-refs/ai-sdk`: references in the `tool-result` parts of the AI SDK's model messages. */

import { getOwn, isPlainObject } from '@holdfast/kernel';
import {
  annotateContent,
  annotateText,
  mapShownParts,
  readShownReference,
  type ShownReference,
  type UsableKeys,
  withoutMetadata,
} from './internal/shown-reference.js';
import { TOOL_OUTPUT_REF_KEY, TOOL_OUTPUT_UNRESOLVED_KEY } from './reference-key.js';

/**
 * Model messages as the model shall see them. A `tool-result` part that carries reference metadata (`_refKey`,
 * `_refScope`, `_unresolvedRefs` beside its own fields) is replaced by a copy without it, whose output shows its key
 * and its unresolved references. Input is not changed, and the same array comes back when no part has metadata or there
 * is no registry.
 *
 * An output of type `json` or `error-json` that is an object gets the fields. Any other becomes the text of its JSON,
 * with a line before it. The reason of a denied call is left alone.
 *
 * @param registry Shows a key only while its output is stored for the run, and its scope is that run.
 */
export function annotateModelMessages<Message extends object>(
  messages: Message[],
  registry: UsableKeys | undefined,
  runId: string | undefined,
): Message[] {
  if (!registry) return messages;
  const read = (part: object) => readShownReference(part, registry, runId);
  return mapShownParts(messages, 'tool-result', read, annotatePart);
}

function annotatePart(part: object, reference: ShownReference): unknown {
  const output = getOwn(part, 'output');
  const kept = withoutMetadata(part);
  return isPlainObject(output) ? { ...kept, output: annotateOutput(part, output, reference) } : kept;
}

const TEXT_FOR_JSON: Readonly<Record<string, string>> = { json: 'text', 'error-json': 'error-text' };

function annotateOutput(part: object, output: Record<string, unknown>, reference: ShownReference): object {
  const { type, value } = output;
  if (typeof type !== 'string' || !Object.hasOwn(TEXT_FOR_JSON, type)) {
    const annotated = annotateContent(part, value, reference, (text) => ({ type: 'text', text }));
    return annotated === value ? output : { ...output, value: annotated };
  }
  if (
    isPlainObject(value) &&
    !Object.hasOwn(value, TOOL_OUTPUT_REF_KEY) &&
    !Object.hasOwn(value, TOOL_OUTPUT_UNRESOLVED_KEY)
  ) {
    return { ...output, value: { ...fieldsOf(reference), ...value } };
  }
  const json = toJson(value);
  const annotated = json === undefined ? undefined : annotateText(part, json, reference);
  return annotated === json ? output : { ...output, type: TEXT_FOR_JSON[type], value: annotated };
}

function fieldsOf({ key, unresolved }: ShownReference): object {
  return {
    ...(key !== undefined && { [TOOL_OUTPUT_REF_KEY]: key }),
    ...(unresolved.length > 0 && { [TOOL_OUTPUT_UNRESOLVED_KEY]: unresolved }),
  };
}

/** `undefined` for what is no JSON, such as a cycle: the SDK itself will refuse it, and annotation does not throw. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
