/** The tool with which a model finds and loads deferred tools. */

import { isPlainObject } from '@holdfast/kernel';
import { ToolRegistryOptionError } from './errors.js';
import { quoteName } from './internal/bounded-text.js';
import { readContext } from './internal/call-context.js';
import { readQuery } from './internal/search/query.js';
import { splitWords } from './internal/search/words.js';
import { SEARCH_TOOL_NAME } from './internal/tool-state.js';
import type { ToolCall, ToolDefinition, ToolInputSchema } from './tool-definition.js';
import { toolDiscoveryHint } from './tool-discovery-hint.js';
import type { ToolRegistry } from './tool-registry.js';
import type { ToolExecutionResult } from './tool-result.js';
import type { ToolSearchHit, ToolSearchOptions } from './tool-search.js';

export { SEARCH_TOOL_NAME };

/**
 * Ranks tools for a query in the host's way, by embeddings for instance, and gives names, best first. Names that the
 * caller may not see are ignored; what it throws fails the search.
 *
 * @param tools - those that may be found
 */
export type ToolRanker = (
  query: string,
  tools: readonly ToolDefinition[],
  call: ToolCall | undefined,
) => readonly string[] | PromiseLike<readonly string[]>;

/** Options of the search tool. */
export interface SearchToolOptions {
  /** How many tools one search loads at most, from 1 to 100; a selection by name loads all of its names. Default: 5. */
  readonly limit?: number;
  /** How many further matches it names without loading them, from 0 to 100. Default: 5. */
  readonly nearMisses?: number;
  /** A second order, fused by reciprocal rank with the order by words. Not asked for a selection by name. */
  readonly rank?: ToolRanker;
}

/** The input of the search tool. */
export interface SearchToolInput {
  readonly query: string;
}

/** A tool in the answer of a search. */
export interface FoundTool {
  readonly name: string;
  readonly hint: string;
}

/** The answer of a search, as `data`; the same as JSON is the `output`. */
export interface SearchToolData {
  /** Loaded by this search: they can be called from the next turn on. */
  readonly loaded: readonly FoundTool[];
  /** Match too, and were loaded before. */
  readonly alreadyLoaded: readonly FoundTool[];
  /** Match less well and are not loaded. */
  readonly notLoaded: readonly FoundTool[];
  /** What the model should know of a poor result. */
  readonly note?: string;
}

const DESCRIPTION =
  'Finds tools by what they do and loads the best matches, so that they can be called. ' +
  'Use it when no loaded tool fits. Query with a tool name or a few words for the task; ' +
  '"select:name,other_name" loads exactly the tools with these names.';

const NOTHING_SELECTED = 'No name is given: write them behind "select:", divided by commas.';
const NOTHING_FOUND = 'No tool matches. Other words for the task may find one.';
const WEAK_MATCH = 'Weak match: the best tool answers less than half of the query. It may not be what is needed.';
/** Below this part of the query a best hit is called weak. */
const WEAK_COVERAGE = 0.5;

/**
 * Makes the `search_tools` tool: it ranks the deferred tools that the caller may use, activates the best ones, and
 * answers with names and hints. In a fork it searches and activates in the fork; `registry` is used when the tool is
 * called by hand. Suspended and forbidden tools are never shown.
 *
 * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` when a limit is not an integer in its range, or
 *   `rank` is no function
 */
export function createSearchTool(
  registry: ToolRegistry,
  options: SearchToolOptions = {},
): ToolDefinition<SearchToolInput> {
  const { limit = 5, nearMisses = 5, rank } = options;
  assertCount('limit', limit, 1);
  assertCount('nearMisses', nearMisses, 0);
  if (rank !== undefined && typeof rank !== 'function') throw new ToolRegistryOptionError('rank', 'a function', rank);
  return {
    name: SEARCH_TOOL_NAME,
    description: DESCRIPTION,
    inputSchema: searchInputSchema,
    pinned: true,
    isReadOnly: () => true,
    execute: ({ query }, context, call) => {
      const target = call?.registry ?? registry;
      const search = new ToolSearch(target, readContext(context).allows, limit, nearMisses);
      const read = readQuery(query);
      if (read.kind === 'select') return search.select(read.names, read.leftOut);
      if (rank === undefined) return search.find(query);
      return Promise.resolve(rank(query, search.visible(), call)).then((ranking) => search.find(query, ranking));
    },
  };
}

function assertCount(option: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > 100) {
    throw new ToolRegistryOptionError(option, `an integer from ${least} to 100`, value);
  }
}

/** One search for one caller. */
class ToolSearch {
  readonly #registry: ToolRegistry;
  readonly #allowedTools: string[];
  readonly #limit: number;
  readonly #nearMisses: number;

  constructor(registry: ToolRegistry, allows: (name: string) => boolean, limit: number, nearMisses: number) {
    this.#registry = registry;
    this.#allowedTools = registry.listNames().filter((name) => name !== SEARCH_TOOL_NAME && allows(name));
    this.#limit = limit;
    this.#nearMisses = nearMisses;
  }

  /** The tools that may be found. */
  visible(): ToolDefinition[] {
    return this.#allowedTools
      .filter((name) => this.#registry.getAvailability(name) !== 'suspended')
      .map((name) => this.#registry.getOrThrow(name));
  }

  find(query: string, ranking?: readonly string[]): ToolExecutionResult {
    const deferred = this.#hits(query, 'deferred', this.#limit + this.#nearMisses, ranking);
    const active = this.#hits(query, 'active', this.#limit, ranking);
    const loaded = deferred.slice(0, namesOneTool(query, deferred[0]) ? 1 : this.#limit);
    const coverage = Math.max(0, ...[...deferred, ...active].map((hit) => hit.coverage));
    const nothing = deferred.length + active.length === 0;
    const weak = ranking === undefined && coverage < WEAK_COVERAGE;
    return this.#load(loaded, active, deferred.slice(loaded.length, loaded.length + this.#nearMisses), {
      ...(nothing ? { note: NOTHING_FOUND } : weak && { note: WEAK_MATCH }),
    });
  }

  /** Exactly the named tools; names that nobody has are said, with what they may have meant. */
  select(names: readonly string[], leftOut: number): ToolExecutionResult {
    const loaded: ToolSearchHit[] = [];
    const active: ToolSearchHit[] = [];
    const near: ToolSearchHit[] = [];
    const unknown: string[] = [];
    for (const name of names) {
      const [hit] = this.#hits(`select:${name}`, undefined, 1);
      if (hit === undefined) {
        unknown.push(name);
        near.push(...this.#hits(name, 'deferred', this.#nearMisses));
      } else if (this.#registry.getAvailability(hit.tool.name) === 'active') active.push(hit);
      else loaded.push(hit);
    }
    const others = uniqueHits(near).filter(({ tool }) => !loaded.some((hit) => hit.tool === tool));
    const notes = [
      ...(names.length === 0 ? [NOTHING_SELECTED] : []),
      ...(unknown.length > 0 ? [`No tool is named ${unknown.map(quoteName).join(', ')}.`] : []),
      ...(leftOut > 0 ? [`Only the first ${names.length} names were read, ${leftOut} more were not.`] : []),
    ];
    return this.#load(uniqueHits(loaded), uniqueHits(active), others.slice(0, this.#nearMisses), {
      ...(notes.length > 0 && { note: notes.join(' ') }),
    });
  }

  #hits(
    query: string,
    availability: ToolSearchOptions['availability'],
    limit: number,
    ranking?: readonly string[],
  ): ToolSearchHit[] {
    if (limit === 0) return [];
    return this.#registry.searchHits(query, { availability, limit, ranking, allowedTools: this.#allowedTools });
  }

  #load(
    loaded: readonly ToolSearchHit[],
    active: readonly ToolSearchHit[],
    near: readonly ToolSearchHit[],
    note: Pick<SearchToolData, 'note'>,
  ): ToolExecutionResult {
    this.#registry.activate(loaded.map(({ tool }) => tool.name));
    const data: SearchToolData = {
      loaded: loaded.map(found),
      alreadyLoaded: active.map(found),
      notLoaded: near.map(found),
      ...note,
    };
    return { success: true, output: JSON.stringify(data), data };
  }
}

/** A refusal tells the model to search for the full name: then that tool is wanted and no other. One word is a topic. */
function namesOneTool(query: string, first: ToolSearchHit | undefined): boolean {
  return first?.tool.name === query.trim() && splitWords(first.tool.name).length > 1;
}

function uniqueHits(hits: readonly ToolSearchHit[]): ToolSearchHit[] {
  return [...new Map(hits.map((hit) => [hit.tool.name, hit])).values()];
}

function found({ tool: { name, description } }: ToolSearchHit): FoundTool {
  return { name, hint: toolDiscoveryHint(description) };
}

const searchInputSchema: ToolInputSchema<SearchToolInput> = {
  '~standard': {
    version: 1,
    vendor: 'holdfast',
    validate: (value) => {
      const query = isPlainObject(value) ? value['query'] : undefined;
      return typeof query === 'string' && query.trim() !== ''
        ? { value: { query } }
        : { issues: [{ message: 'expected a text that is not empty', path: ['query'] }] };
    },
    jsonSchema: {
      input: () => ({
        type: 'object',
        properties: { query: { type: 'string', description: 'A tool name, or a few words for the task' } },
        required: ['query'],
        additionalProperties: false,
      }),
    },
  },
};
