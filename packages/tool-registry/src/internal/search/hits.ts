/** What a registry finds: the index's order, without what may not be seen, with the host's order where it gives one. */

import { ToolRegistryOptionError } from '../../errors.js';
import type { ToolDefinition } from '../../tool-definition.js';
import type { ToolSearchHit, ToolSearchOptions } from '../../tool-search.js';
import { isStringList } from '../string-list.js';
import type { ToolDirectory, ToolState } from '../tool-state.js';
import { fuseRanks } from './rank.js';

const DEFAULT_LIMIT = 10;
const SEARCHED = ['active', 'deferred'];

/** Every tool in one state that answers a query, best first. */
export function searchTools(directory: ToolDirectory, query: string, availability: string): ToolDefinition[] {
  assertQuery(query);
  const found: ToolDefinition[] = [];
  for (const name of directory.index.search(query).names) {
    const state = directory.states.get(name);
    if (state?.availability === availability) found.push(state.definition);
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
  const maySee = (name: string): boolean => {
    const state = directory.states.get(name);
    return state !== undefined && searched.includes(state.availability) && (!allowed || allowed.has(name));
  };
  const { names, explain } = directory.index.search(query);
  const found = names.filter(maySee);
  const named = found.filter((name) => explain(name).named);
  const ordered = ranking ? [...new Set([...named, ...fuseRanks(found, ranking.filter(maySee))])] : found;
  return ordered.slice(0, limit).map((name) => {
    const { definition } = directory.states.get(name) as ToolState;
    return { tool: definition, ...explain(name) };
  });
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
