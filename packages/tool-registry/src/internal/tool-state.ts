/** What a registry knows of each tool, and who may see it. */

import type { LLMToolSchema, ToolAvailability, ToolDefinition } from '../tool-definition.js';
import type { AdmittedTool } from './admission.js';
import type { CallContext } from './call-context.js';
import type { SearchIndex } from './search/search-index.js';

/** A tool's place in one registry. Only the registry that owns it changes it. */
export interface ToolState {
  tool: AdmittedTool;
  /** What the registry gives out: as it came, or with the tier that it was assigned. */
  definition: ToolDefinition;
  /** What goes on the wire: the same object as long as tool and tier are the same. */
  wire: LLMToolSchema;
  availability: ToolAvailability;
}

/** What a check has to know of a registry. */
export interface ToolDirectory {
  readonly states: ToolStates;
  /** Words of all tools, whatever their state. */
  readonly index: SearchIndex;
  /** The state of a tool by its slot in the index. */
  stateAt(slot: number): ToolState;
  /** Whether the provider loads deferred tools, so that a call to one was made with its schema in sight. */
  readonly isLoadedByProvider: boolean;
}

export type ToolStates = ReadonlyMap<string, ToolState>;

/** The name of the tool that loads deferred tools. */
export const SEARCH_TOOL_NAME = 'search_tools';

/** Tells whether the search tool can be called now, as far as the caller is concerned. */
export function canSearch(states: ToolStates, context: CallContext | undefined): boolean {
  return states.get(SEARCH_TOOL_NAME)?.availability === 'active' && (!context || context.allows(SEARCH_TOOL_NAME));
}
