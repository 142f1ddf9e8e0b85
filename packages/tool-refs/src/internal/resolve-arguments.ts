/** Resolves one set of arguments: a tree, a JSON text, or a plain text. */

import type { UnresolvedReason } from '../events.js';
import { ArgumentStrings, pathOf, type StringEntry } from './argument-strings.js';
import { isContainer } from './containers.js';
import { JsonPathCursor } from './json-path-cursor.js';
import { isJsonContainer, jsonStringValues } from './json-text.js';
import { OPENING } from './placeholder.js';
import { mayHoldPlaceholder } from './placeholder-search.js';
import { type ReplacementSource, Replacer } from './replacer.js';

interface Resolution<T> {
  readonly resolved: T;
  readonly unresolved: ReadonlyMap<string, UnresolvedReason>;
}

/** For arguments in which every reference was replaced. */
const NONE: ReadonlyMap<string, UnresolvedReason> = new Map();

/** @param limit Most characters that the resolved arguments may have. */
export function resolveArguments<T>(args: T, source: ReplacementSource, limit: number): Resolution<T> {
  // Strings come out as strings and containers as containers of the same shape.
  if (typeof args === 'string') return resolveText(args, source, limit) as Resolution<T>;
  if (isContainer(args)) return resolveTree(args, source, limit) as Resolution<T>;
  return { resolved: args, unresolved: NONE };
}

function resolveTree(args: object, source: ReplacementSource, limit: number): Resolution<unknown> {
  if (!mayHoldPlaceholder(args)) return { resolved: args, unresolved: NONE };
  const strings = new ArgumentStrings(args);
  const replacer = new Replacer(source, limit - strings.characters);
  const changed: StringEntry[] = [];
  for (const entry of strings.inDocumentOrder()) {
    if (source.encode) replacer.enter(() => pathOf(entry));
    const value = replacer.replaceValue(entry.text, entry.first);
    if (value === entry.text) continue;
    entry.change = value;
    changed.push(entry);
  }
  const resolved = changed.length === 0 ? args : strings.withChanges(changed);
  return { resolved, unresolved: replacer.end() };
}

function resolveText(text: string, source: ReplacementSource, limit: number): Resolution<string> {
  // A JSON text may spell a placeholder with escapes.
  if (!text.includes(OPENING) && !text.includes('\\u')) return { resolved: text, unresolved: NONE };
  const replacer = new Replacer(source, limit - text.length);
  // A finished text may look like JSON although it was resolved as text.
  const isText = source.finished?.get(text) !== undefined || !isJsonContainer(text);
  const resolved = isText ? replacer.replaceText(text) : replaceInJson(text, replacer, source);
  return { resolved, unresolved: replacer.end() };
}

/** Splices outputs into the strings of a JSON text, so they can inject neither arguments nor broken JSON. */
function replaceInJson(text: string, replacer: Replacer, source: ReplacementSource): string {
  let replaced = '';
  let position = 0;
  const cursor = new JsonPathCursor(text);
  for (const { start, end } of jsonStringValues(text)) {
    if (source.encode) replacer.enter(() => cursor.pathAt(start));
    const written = text.slice(start, end);
    const string = replacer.replaceJsonString(written);
    if (string === written) continue;
    replaced += text.slice(position, start) + string;
    position = end;
  }
  replaced += text.slice(position);
  replacer.finishJson(text, replaced);
  return replaced;
}
