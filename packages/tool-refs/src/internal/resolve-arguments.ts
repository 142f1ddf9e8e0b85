/** Resolves one set of arguments: a tree, a JSON text, or a plain text. */

import type { UnresolvedReason } from '../events.js';
import { ArgumentStrings, isContainer, type StringEntry } from './argument-strings.js';
import type { FinishedTexts } from './finished-texts.js';
import { isJsonContainer, jsonStringValues } from './json-text.js';
import { nextPlaceholder } from './placeholder.js';
import { type OutputLookup, Replacer } from './replacer.js';

interface ResolutionSource {
  readonly lookup: OutputLookup;
  /** Most characters that the resolved arguments may have. */
  readonly limit: number;
  readonly finished?: FinishedTexts | undefined;
}

interface Resolution<T> {
  readonly resolved: T;
  readonly unresolved: ReadonlyMap<string, UnresolvedReason>;
}

const NONE: ReadonlyMap<string, UnresolvedReason> = new Map();

export function resolveArguments<T>(args: T, source: ResolutionSource): Resolution<T> {
  // Strings come out as strings and containers as containers of the same shape.
  if (typeof args === 'string') return resolveText(args, source) as Resolution<T>;
  if (isContainer(args)) return resolveTree(args, source) as Resolution<T>;
  return { resolved: args, unresolved: NONE };
}

function resolveTree(args: object, source: ResolutionSource): Resolution<unknown> {
  const strings = new ArgumentStrings(args);
  const entries = strings.inDocumentOrder();
  if (entries.length === 0) return { resolved: args, unresolved: NONE };
  const replacer = new Replacer(source.lookup, source.limit - strings.characters, source.finished);
  const changes = new Map<StringEntry, string>();
  for (const entry of entries) {
    const replaced = replacer.replaceText(entry.text);
    if (replaced !== entry.text) changes.set(entry, replaced);
  }
  const resolved = changes.size === 0 ? args : strings.withChanges(changes);
  return { resolved, unresolved: replacer.end() };
}

function resolveText(text: string, source: ResolutionSource): Resolution<string> {
  // A JSON text may spell a placeholder with escapes.
  if (!nextPlaceholder(text, 0) && !text.includes('\\u')) return { resolved: text, unresolved: NONE };
  const replacer = new Replacer(source.lookup, source.limit - text.length, source.finished);
  // A finished text may look like JSON although it was resolved as text.
  const isText = source.finished?.get(text) !== undefined || !isJsonContainer(text);
  const resolved = isText ? replacer.replaceText(text) : replaceInJson(text, replacer);
  return { resolved, unresolved: replacer.end() };
}

/** Splices outputs into the strings of a JSON text, so they can inject neither arguments nor broken JSON. */
function replaceInJson(text: string, replacer: Replacer): string {
  let replaced = '';
  let position = 0;
  for (const { start, end } of jsonStringValues(text)) {
    const written = text.slice(start, end);
    const string = replacer.replaceJsonString(written);
    if (string === written) continue;
    replaced += text.slice(position, start) + string;
    position = end;
  }
  return position === 0 ? text : replaced + text.slice(position);
}
