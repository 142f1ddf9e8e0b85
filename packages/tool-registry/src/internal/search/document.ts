/** What search reads of a tool: its texts by field, and what each word in them is worth. */

import { isPlainObject } from '@holdfast/kernel';
import type { JsonSchema } from '../../tool-definition.js';
import { nameLetters, splitRuns, stem } from './words.js';

/** Where a word of a query can be found. */
export type ToolSearchField =
  | 'name'
  | 'server'
  | 'title'
  | 'description'
  | 'argumentNames'
  | 'argumentDescriptions'
  | 'searchTerms';

/** What search keeps of a tool. It does not change, so that it can be read again. */
export interface SearchDocument {
  readonly name: string;
  readonly server: string | undefined;
  readonly title: string | undefined;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly searchTerms: readonly string[];
}

interface FieldRule {
  readonly weight: number;
  /** The length, in words, at which a field neither gains nor loses. Fixed, so that no tool's rank depends on others'. */
  readonly length: number;
  /** How much of a field's length counts: 0 nothing, 1 in full. */
  readonly share: number;
}

/** The rule of each field. Weights and lengths are plateaus, measured on the tools of many servers. */
const FIELD_RULES: Readonly<Record<ToolSearchField, FieldRule>> = {
  name: { weight: 3.5, length: 3, share: 0.5 },
  server: { weight: 2, length: 1, share: 0 },
  title: { weight: 1, length: 3, share: 0.5 },
  description: { weight: 1, length: 20, share: 0.75 },
  argumentNames: { weight: 0.4, length: 5, share: 0.5 },
  argumentDescriptions: { weight: 0.3, length: 30, share: 0.5 },
  searchTerms: { weight: 2, length: 5, share: 0.5 },
};

const SEARCH_FIELDS = Object.keys(FIELD_RULES) as ToolSearchField[];

/** How soon a further mention of a word stops to count. */
const SATURATION = 1.5;

/** The server's part of a name, as MCP hosts write it: `mcp__server__tool`, `server__tool`. */
const SERVER_PREFIX = /^(?:mcp__)?(.+?)__(?=.)/i;

/** The texts of a tool by field. */
function fieldTexts(document: SearchDocument): Readonly<Record<ToolSearchField, string>> {
  const { base, server, prefix } = splitName(document);
  const { names, descriptions } = argumentTexts(document.parameters);
  return {
    name: base,
    server: prefix === '' || prefix === server ? server : `${server}\n${prefix}`,
    title: document.title ?? '',
    description: document.description,
    argumentNames: names.join('\n'),
    argumentDescriptions: descriptions.join('\n'),
    searchTerms: document.searchTerms.join('\n'),
  };
}

/** How a tool is also written: its whole name, and its name without the server's prefix, letters only. */
export function nameSpellings(document: SearchDocument): { readonly full: string; readonly bases: string[] } {
  const { base, server } = splitName(document);
  return { full: nameLetters(document.name), bases: baseSpellings(base, server) };
}

function splitName({ name, server }: SearchDocument) {
  const match = SERVER_PREFIX.exec(name);
  const prefix = match?.[1] ?? '';
  return { base: name.slice(match?.[0].length ?? 0), prefix, server: server ?? prefix };
}

/** `slack_post_message` of the server `slack` is also called `post_message`. */
function baseSpellings(base: string, server: string): string[] {
  const whole = nameLetters(base);
  const owner = nameLetters(server);
  const bare = owner !== '' && whole.startsWith(owner) ? whole.slice(owner.length) : '';
  return bare === '' ? [whole] : [whole, bare];
}

/** Keywords whose value is data and not a schema. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'example']);

/** The names and descriptions of all arguments, nested ones included, each once. */
function argumentTexts(schema: JsonSchema): { readonly names: string[]; readonly descriptions: string[] } {
  const names = new Set<string>();
  const descriptions = new Set<string>();
  const pending: unknown[] = [schema];
  while (pending.length > 0) {
    const node = pending.pop();
    if (Array.isArray(node)) pending.push(...node);
    if (!isPlainObject(node)) continue;
    const { description, properties } = node;
    if (typeof description === 'string' && node !== schema) descriptions.add(description);
    if (isPlainObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    for (const key of Object.keys(node)) {
      const part = node[key];
      if (typeof part !== 'object' || DATA_KEYWORDS.has(key)) continue;
      if (key === 'properties' && isPlainObject(part)) pending.push(...Object.values(part));
      else pending.push(part);
    }
  }
  return { names: [...names], descriptions: [...descriptions] };
}

/** A word of a tool as it is written there, what this mention of it is worth, and where it is. */
export type Mention = (word: string, worth: number, field: ToolSearchField) => void;

/**
 * Tells every word of a tool, field by field, weighted by field and by the length of that field. Their sums, saturated,
 * are BM25F.
 *
 * @see Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (2004)
 */
export function eachMention(document: SearchDocument, mention: Mention): void {
  const texts = fieldTexts(document);
  for (const field of SEARCH_FIELDS) {
    if (texts[field] === '') continue;
    const words = splitRuns(texts[field]);
    const { weight, length, share } = FIELD_RULES[field];
    const worth = weight / (1 + share * (words.length / length - 1));
    for (const word of words) mention(word, worth, field);
  }
}

/** The sum of its mentions by stem. */
export function stemSums(document: SearchDocument): Map<string, number> {
  const sums = new Map<string, number>();
  eachMention(document, (word, worth) => {
    const term = stem(word);
    sums.set(term, (sums.get(term) ?? 0) + worth);
  });
  return sums;
}

/** What a word is worth for a tool, from 0 to 1: each further mention counts less. */
export function saturate(sum: number): number {
  return sum / (SATURATION + sum);
}
