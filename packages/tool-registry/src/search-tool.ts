/** The tool with which a model finds and loads deferred tools. */

import { isPlainObject } from '@holdfast/kernel';
import { ToolRegistryOptionError } from './errors.js';
import { readContext } from './internal/call-context.js';
import { SEARCH_TOOL_NAME } from './internal/tool-state.js';
import { splitWords } from './internal/words.js';
import type { ToolContext, ToolDefinition, ToolInputSchema } from './tool-definition.js';
import { toolDiscoveryHint } from './tool-discovery-hint.js';
import type { ToolRegistry } from './tool-registry.js';
import type { ToolExecutionResult } from './tool-result.js';

export { SEARCH_TOOL_NAME };

/** Options of the search tool. */
export interface SearchToolOptions {
  /** How many tools one search loads at most. Default: 5. */
  readonly limit?: number;
  /** How many further matches it names without loading them. Default: 5. */
  readonly nearMisses?: number;
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
}

const DESCRIPTION =
  'Finds tools by what they do and loads the best matches, so that they can be called. ' +
  'Use it when no loaded tool fits. Query with a tool name or a few words for the task.';

/**
 * Makes the `search_tools` tool: it ranks the deferred tools that the caller may use, activates the best ones, and
 * answers with names and hints. In a fork it searches and activates in the fork; `registry` is used when the tool is
 * called by hand. Suspended and forbidden tools are never shown.
 *
 * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` when a limit is not an integer in its range
 */
export function createSearchTool(
  registry: ToolRegistry,
  options: SearchToolOptions = {},
): ToolDefinition<SearchToolInput> {
  const { limit = 5, nearMisses = 5 } = options;
  assertCount('limit', limit, 1);
  assertCount('nearMisses', nearMisses, 0);
  return {
    name: SEARCH_TOOL_NAME,
    description: DESCRIPTION,
    inputSchema: searchInputSchema,
    pinned: true,
    isReadOnly: () => true,
    execute: ({ query }, context, call) => search(call?.registry ?? registry, query, context, limit, nearMisses),
  };
}

function assertCount(option: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > 100) {
    throw new ToolRegistryOptionError(option, `an integer from ${least} to 100`, value);
  }
}

function search(
  registry: ToolRegistry,
  query: string,
  context: ToolContext,
  limit: number,
  nearMisses: number,
): ToolExecutionResult {
  const { allows } = readContext(context);
  const visible = (tool: ToolDefinition) => tool.name !== SEARCH_TOOL_NAME && allows(tool.name);
  const deferred = registry.searchDeferred(query).filter(visible);
  const active = registry.searchActive(query).filter(visible);
  const loaded = deferred.slice(0, namesOneTool(query, deferred[0]) ? 1 : limit);
  registry.activate(loaded.map(({ name }) => name));
  const data: SearchToolData = {
    loaded: loaded.map(found),
    alreadyLoaded: active.slice(0, limit).map(found),
    notLoaded: deferred.slice(loaded.length, loaded.length + nearMisses).map(found),
  };
  return { success: true, output: JSON.stringify(data), data };
}

/** A refusal tells the model to search for the full name: then that tool is wanted and no other. One word is a topic. */
function namesOneTool(query: string, first: ToolDefinition | undefined): boolean {
  return first?.name === query.trim() && splitWords(first.name).length > 1;
}

function found({ name, description }: ToolDefinition): FoundTool {
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
