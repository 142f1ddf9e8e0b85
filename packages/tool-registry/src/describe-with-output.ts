/** The result's shape, told to the model in the only place that providers have for it. */

import { ToolRegistryOptionError } from './errors.js';
import { frozenJson, NotJsonError } from './internal/json-value.js';

/**
 * Appends a tool's output schema to its description, as JSON with its keys in their own order. Without a schema the
 * description comes back as it is.
 *
 * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` when the schema is not plain JSON
 */
export function describeWithOutput(description: string, outputSchema: Record<string, unknown> | undefined): string {
  if (outputSchema === undefined) return description;
  try {
    return `${description}\n\nReturns (JSON Schema): ${JSON.stringify(frozenJson(outputSchema))}`;
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new ToolRegistryOptionError('outputSchema', `plain JSON (it ${error.message})`, outputSchema);
  }
}
