/** What a registry finds: the index's order, without what may not be seen, with the host's order where it gives one. */

import { ToolRegistryOptionError } from '../../errors.js';
import type { ToolDefinition } from '../../tool-definition.js';
import type { ToolSearchHit, ToolSearchOptions } from '../../tool-search.js';
import { isStringList } from '../string-list.js';
import type { ToolDirectory } from '../tool-state.js';
import { fuseRanks } from './rank.js';

const DEFAULT_LIMIT = 10;
const SEARCHED = ['active', 'deferred'];

/** Every tool in one state that answers a query, best first. */
export function searchTools(directory: ToolDirectory, query: string, availability: string): ToolDefinition[] {
  assertQuery(query);
  const found: ToolDefinition[] = [];
  const isSeen = (slot: number) => directory.stateAt(slot).availability === availability;
  for (const slot of directory.index.search(query, isSeen).slots) {
    if (isSeen(slot)) found.push(directory.stateAt(slot).definition);
  }
  return found;
}

/** The best tools, each with what speaks for it. */
export function searchHits(directory: ToolDirectory, query: string, options: ToolSearchOptions): ToolSearchHit[] {
  assertQuery(query);
  assertOptions(options);
  const { availability, allowedTools, limit = DEFAULT_LIMIT, ranking } = options;
  const searched = availability === undefined ? SEARCHED : [availability];
  const allowed = allowedTools && new Set(allowedTools);
  const isSeen = (slot: number) => {
    const { availability, tool } = directory.stateAt(slot);
    return searched.includes(availability) && (!allowed || allowed.has(tool.name));
  };
  const { slots, named, explain } = directory.index.search(query, isSeen);
  const seen = (some: readonly number[]) => some.filter(isSeen);
  const ordered = ranking
    ? [...new Set([...seen(slots.slice(0, named)), ...fuseRanks(seen(slots), seen(slotsOf(ranking, directory)))])]
    : seen(slots);
  return ordered.slice(0, limit).map((slot) => ({ tool: directory.stateAt(slot).definition, ...explain(slot) }));
}

function slotsOf(names: readonly string[], { index }: ToolDirectory): number[] {
  return names.flatMap((name) => index.slotOf(name) ?? []);
}

function assertQuery(query: unknown): void {
  if (typeof query !== 'string') throw new ToolRegistryOptionError('query', 'a string', query);
}

function assertOptions({ availability, allowedTools, limit, ranking }: ToolSearchOptions): void {
  const refuse = (option: string, expected: string, value: unknown) => {
    throw new ToolRegistryOptionError(option, expected, value);
  };
  if (availability !== undefined && !SEARCHED.includes(availability)) {
    refuse('availability', '"active" or "deferred"', availability);
  }
  if (allowedTools !== undefined && !isStringList(allowedTools))
    refuse('allowedTools', 'a list of names', allowedTools);
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) refuse('limit', 'an integer above 0', limit);
  if (ranking !== undefined && !isStringList(ranking)) refuse('ranking', 'a list of names', ranking);
}
