/** A run's own view of the shared registry: what the run has activated, and what it may call. */

import { createSearchTool, SEARCH_TOOL_NAME, type ToolContext, type ToolRegistry } from '@holdfast/tool-registry';
import type { RegistryOptions, RunRequest } from '../options.js';
import { activatedTools, type RunLedger } from './ledger.js';

/** A fork of the registry for one request. */
export interface RunRegistry {
  readonly registry: ToolRegistry;
  readonly context: ToolContext;
}

/**
 * Forks the registry and activates what the run has found so far, by its messages and its ledger. Tools that are no
 * longer registered are passed over.
 */
export function forkForRun(options: RegistryOptions, request: RunRequest, ledger: RunLedger | undefined): RunRegistry {
  const registry = options.registry.fork();
  const found = activatedTools(request.messages, ledger);
  registry.activate(found.filter((name) => registry.has(name) && registry.getAvailability(name) === 'deferred'));
  if (options.search !== false && !registry.has(SEARCH_TOOL_NAME)) {
    registry.register(createSearchTool(registry, typeof options.search === 'object' ? options.search : {}));
  }
  return { registry, context: options.context?.(request) ?? {} };
}
