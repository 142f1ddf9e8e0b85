/** Shows a model the key of an output, and the references that stayed unresolved, beside the output itself. */

import { getOwn, isPlainObject } from '@holdfast/kernel';
import { lineBefore, lineBehind, NONE } from './internal/annotation-lines.js';
import { parseJson, skipBlanks } from './internal/json-text.js';
import { TOOL_OUTPUT_REF_KEY, TOOL_OUTPUT_UNRESOLVED_KEY } from './reference-key.js';

/** Longest run of blanks after the opening brace that is taken over as indentation. */
const MAX_INDENTATION = 64;

/**
 * The output as a model sees it: with its reference key, and with the references that stayed in place in the call's
 * arguments.
 *
 * An output that is a JSON object gets the fields `_ref` and `_unresolved_refs`, spliced in after the opening brace.
 * Any other output, and an object that has one of these fields with another value, gets a first line `[ref: <key>]`
 * and a last line `[unresolved refs: <keys>]`. Either way every character of the output stays as it was.
 *
 * Only the very first line and the very last line are ours. An output that imitates one of them, or one of the fields,
 * without having a key or unresolved references of its own, is told apart by a line that says `none`.
 *
 * @param content What the model shall see of the output.
 * @param key Key of the output; `undefined` when it has none.
 * @param unresolved References that stayed in place, as written.
 */
export function annotateToolOutputWithReference(
  content: string,
  key: string | undefined,
  unresolved: string[] = [],
): string {
  // Without a field to add or to tell apart there is no need to parse.
  const needsObject = key !== undefined || unresolved.length > 0 || /_ref|\\u/.test(content);
  const object = needsObject ? readObject(content) : undefined;
  if (!object) return annotateWithLines(content, key, unresolved);
  const fields: Field[] = [
    [TOOL_OUTPUT_REF_KEY, key],
    [TOOL_OUTPUT_UNRESOLVED_KEY, unresolved.length > 0 ? unresolved : undefined],
  ];
  const present = fields.filter(([name]) => Object.hasOwn(object, name));
  if (present.every((field) => isOurs(content, object, field))) return addFields(content, object, fields);
  const claims = (name: string) => Object.hasOwn(object, name);
  return annotateWithLines(
    content,
    key ?? (claims(TOOL_OUTPUT_REF_KEY) ? NONE : undefined),
    unresolved.length === 0 && claims(TOOL_OUTPUT_UNRESOLVED_KEY) ? [NONE] : unresolved,
  );
}

/** What is ours to say in a field; `undefined` when there is nothing. */
type Field = readonly [name: string, value: string | readonly string[] | undefined];

function readObject(content: string): object | undefined {
  if (content[skipBlanks(content, 0)] !== '{') return undefined;
  const value = parseJson(content);
  return isPlainObject(value) ? value : undefined;
}

/**
 * Tells whether a field of the output says what we would say, and says it once: of a repeated name, parsing sees the
 * last value only. Compares without serialising, since what the tool put there may be nested too deep for that.
 */
function isOurs(content: string, object: object, [name, value]: Field): boolean {
  if (content.split(JSON.stringify(name)).length !== 2 || content.includes('\\u')) return false;
  const present = getOwn(object, name);
  if (!Array.isArray(present) || !Array.isArray(value)) return present === value;
  return present.length === value.length && value.every((key, at) => present[at] === key);
}

/** Writes the fields that the object lacks behind its opening brace, in the object's own indentation. */
function addFields(content: string, object: object, fields: readonly Field[]): string {
  const missing = fields.filter(([name, value]) => value !== undefined && !Object.hasOwn(object, name));
  if (missing.length === 0) return content;
  const inside = skipBlanks(content, 0) + 1;
  const gap = content.slice(inside, skipBlanks(content, inside));
  const indentation = gap.length > MAX_INDENTATION ? '' : gap;
  const colon = indentation === '' ? ':' : ': ';
  const written = missing.map(([name, value]) => JSON.stringify(name) + colon + JSON.stringify(value));
  const comma = Object.keys(object).length === 0 ? '' : ',';
  return content.slice(0, inside) + indentation + written.join(`,${indentation}`) + comma + content.slice(inside);
}

function annotateWithLines(content: string, key: string | undefined, unresolved: readonly string[]): string {
  const before = lineBefore(content, key);
  const behind = lineBehind(content, unresolved);
  return `${before === undefined ? '' : `${before}\n`}${content}${behind === undefined ? '' : `\n${behind}`}`;
}
