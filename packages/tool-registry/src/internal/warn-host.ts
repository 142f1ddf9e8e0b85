/** The host's log, whatever that log does. */

import type { ToolRegistryConfig } from '../tool-registry-config.js';
import { ignoreRejection, isThenable } from './thenable.js';

/** Warns the host. A logger that fails must not turn a finished call into a failed one. */
export function warnHost(config: ToolRegistryConfig, toolName: string, message: string, error?: unknown): void {
  try {
    const logged: unknown = config.logger?.warn(message, { toolName, ...(error !== undefined && { error }) });
    // An async logger fits the type as well.
    if (isThenable(logged)) ignoreRejection(logged);
  } catch {
    // Nothing is left to tell it to.
  }
}
