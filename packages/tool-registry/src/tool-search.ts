/** Search with reasons: what a host may ask for, and what it is told of each tool that was found. */

import type { Explanation } from './internal/search/explain.js';
import type { ToolAvailability, ToolDefinition } from './tool-definition.js';

export type { ToolSearchField } from './internal/search/document.js';
export type { ToolSearchWord } from './internal/search/explain.js';
export type { ToolSearchMatch } from './internal/search/query-plan.js';

/** What to search and how. */
export interface ToolSearchOptions {
  /** Tools in this state only. Default: active and deferred ones; suspended tools are never found. */
  readonly availability?: Exclude<ToolAvailability, 'suspended'> | undefined;
  /** The only tools that may be found, as in a context. Default: all. */
  readonly allowedTools?: readonly string[] | undefined;
  /** How many hits at most. Default: 10. */
  readonly limit?: number | undefined;
  /**
   * Names of tools as the host ranks them, best first, by embeddings for instance. Fused with the order by words by
   * reciprocal rank; names that may not be found are left out. A query that is a tool's name stays first.
   */
  readonly ranking?: readonly string[] | undefined;
}

/** A tool that was found, and why. */
export interface ToolSearchHit extends Explanation {
  readonly tool: ToolDefinition;
}
