/** A server's tool as a definition of the registry. */

import { jsonSchema } from '../../json-schema.js';
import { callMcpTool, type McpClient, type McpTool } from '../../mcp-client.js';
import { toToolName } from '../../to-tool-name.js';
import type { JsonSchema, ToolCall, ToolDefinition, ToolInputIssue } from '../../tool-definition.js';
import type { ToolExecutionResult } from '../../tool-result.js';
import { refuseInside } from '../refusals.js';
import { readMcpResult } from './read-result.js';

export interface McpToolSource {
  readonly client: McpClient;
  readonly server: string;
  readonly prefix: string;
  readonly readOnlyHintTrusted: boolean;
  readonly timeoutMs: number;
  readonly maxResultLength: number;
}

/** The registry keeps the time, and its signal ends the request: the client's own limit must not come before. */
const NO_TIMEOUT = 2_147_483_647;

/**
 * `blocked` is asked before each call: a definition lives on in forks when its mount has let go of it. Throws for a
 * schema that cannot be checked.
 */
export function defineMcpTool(tool: McpTool, source: McpToolSource, blocked: () => string | undefined): ToolDefinition {
  const { server, readOnlyHintTrusted, timeoutMs } = source;
  const title = tool.title ?? tool.annotations?.title;
  const name = toToolName(source.prefix + tool.name);
  const run = runner(name, tool, source);
  return {
    name,
    ...(typeof title === 'string' && { title }),
    description: tool.description ?? '',
    inputSchema: jsonSchema(tool.inputSchema, { costly: 'skip' }),
    ...(tool.outputSchema && { outputSchema: tool.outputSchema }),
    ...(tool.annotations?.readOnlyHint === true && { isReadOnly: () => true }),
    provenance: { server, readOnlyHintTrusted },
    timeoutMs,
    execute: (input, _context, call) => {
      const reason = blocked();
      return reason === undefined ? run(input, call) : refuseInside(reason);
    },
  };
}

function runner(name: string, tool: McpTool, { client, maxResultLength }: McpToolSource) {
  const reading = { toolName: name, maxLength: maxResultLength, checkOutput: outputCheck(tool.outputSchema) };
  return async (input: unknown, call: ToolCall): Promise<ToolExecutionResult> => {
    const params = { name: tool.name, arguments: input as Record<string, unknown> };
    return readMcpResult(await callMcpTool(client, params, { signal: call.signal, timeout: NO_TIMEOUT }), reading);
  };
}

function outputCheck(schema: JsonSchema | undefined) {
  if (!schema) return undefined;
  const { validate } = jsonSchema(schema, { costly: 'skip' })['~standard'];
  return (value: unknown) => (validate(value) as { readonly issues?: readonly ToolInputIssue[] }).issues;
}
