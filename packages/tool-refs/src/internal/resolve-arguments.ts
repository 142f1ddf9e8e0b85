/** Resolves one set of arguments: a tree, a JSON text, or a plain text. */

import type { UnresolvedReason } from '../events.js';
import { ArgumentStrings, type StringEntry } from './argument-strings.js';
import { isContainer } from './containers.js';
import type { FinishedTexts } from './finished-texts.js';
import { isJsonContainer, jsonStringValues } from './json-text.js';
import { OPENING } from './placeholder.js';
import { mayHoldPlaceholder } from './placeholder-search.js';
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

/** For arguments in which every reference was replaced. */
const NONE: ReadonlyMap<string, UnresolvedReason> = new Map();

export function resolveArguments<T>(args: T, source: ResolutionSource): Resolution<T> {
  // Strings come out as strings and containers as containers of the same shape.
  if (typeof args === 'string') return resolveText(args, source) as Resolution<T>;
  if (isContainer(args)) return resolveTree(args, source) as Resolution<T>;
  return { resolved: args, unresolved: NONE };
}

function resolveTree(args: object, source: ResolutionSource): Resolution<unknown> {
  if (!mayHoldPlaceholder(args)) return { resolved: args, unresolved: NONE };
  const strings = new ArgumentStrings(args);
  const replacer = new Replacer(source.lookup, source.limit - strings.characters, source.finished);
  const changed: StringEntry[] = [];
  for (const entry of strings.inDocumentOrder()) {
    const value = replacer.replaceValue(entry.text, entry.first);
    if (value === entry.text) continue;
    entry.change = value;
    changed.push(entry);
  }
  const resolved = changed.length === 0 ? args : strings.withChanges(changed);
  return { resolved, unresolved: replacer.end() };
}

function resolveText(text: string, source: ResolutionSource): Resolution<string> {
  // A JSON text may spell a placeholder with escapes.
  if (!text.includes(OPENING) && !text.includes('\\u')) return { resolved: text, unresolved: NONE };
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
  if (position === 0) return text;
  replaced += text.slice(position);
  replacer.finishJson(replaced);
  return replaced;
}
