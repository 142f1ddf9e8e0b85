/** A search as a person reads it: the ranked tools, what speaks for each, what comes next, and the price. */

import { type ToolRegistry, type ToolSearchHit, type ToolSearchWord, toolDiscoveryHint } from '@holdfast/tool-registry';
import { number } from './screen.js';
import { wireTokens, wireTokensWith } from './wire.js';

/** How many further names are shown. */
const NEAR_MISSES = 5;
const FIELD_WORDS: Readonly<Record<string, string>> = {
  argumentNames: 'argument names',
  argumentDescriptions: 'argument descriptions',
  searchTerms: 'search terms',
};

/** Searches as `search_tools` would, without loading anything. */
export function searchLines(registry: ToolRegistry, query: string, limit: number): string[] {
  const hits = registry.searchHits(query, { limit: limit + NEAR_MISSES, allowedTools: searchable(registry) });
  const best = hits.slice(0, limit);
  const near = hits.slice(limit).map(({ tool }) => tool.name);
  const unknown = unknownNames(registry, query);
  if (unknown.length > 0) return [`No tool is named ${unknown.join(', ')}.`];
  if (best.length === 0) return ['No tool matches. Other words for it may find one.'];
  return [
    ...best.flatMap((hit, index) => hitLines(registry, hit, index + 1)),
    ...(near.length > 0 ? [`  near misses: ${near.join(', ')}`] : []),
    priceLine(registry, best),
  ];
}

/** All but `search_tools` itself. */
function searchable(registry: ToolRegistry): string[] {
  return registry.listNames().filter((name) => registry.getOrThrow(name).pinned !== true);
}

/** Names in a selection that nobody has. */
function unknownNames(registry: ToolRegistry, query: string): string[] {
  if (!query.startsWith('select:')) return [];
  const names = query.slice('select:'.length).split(',').filter(Boolean);
  return names.filter((name) => registry.searchHits(`select:${name}`).length === 0);
}

function hitLines(registry: ToolRegistry, hit: ToolSearchHit, rank: number): string[] {
  const { name, description } = hit.tool;
  const loaded = registry.getAvailability(name) === 'active' ? ' · loaded' : '';
  const place = `${rank}.`.padStart(4);
  return [`${place} ${name}${loaded}`, `     ${toolDiscoveryHint(description)}`, `     why: ${reason(hit)}`];
}

/** The words of the query that the tool answers, and where it says so. */
function reason({ named, coverage, words }: Pick<ToolSearchHit, 'named' | 'coverage' | 'words'>): string {
  if (named) return 'the query is its name';
  return `${Math.round(coverage * 100)} % of the query: ${words.map(wordReason).join('; ')}`;
}

function wordReason({ word, found, match, fields }: ToolSearchWord): string {
  const as = match === 'word' ? (found === word ? '' : ` as ${found}`) : ` as ${found} (${match})`;
  return `${word}${as} in ${fields.map((field) => FIELD_WORDS[field] ?? field).join(', ')}`;
}

function priceLine(registry: ToolRegistry, hits: readonly ToolSearchHit[]): string {
  const now = number(wireTokens(registry));
  const then = number(
    wireTokensWith(
      registry,
      hits.map(({ tool }) => tool.name),
    ),
  );
  const all = number(wireTokensWith(registry, registry.listNames()));
  const these = hits.length === 1 ? 'this one' : `these ${hits.length}`;
  return `  tokens on the wire: ${now} now, ${then} with ${these} loaded, ${all} with all tools (4 characters a token)`;
}
