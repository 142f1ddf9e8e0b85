/** The parts of a connected MCP client that a mount uses, by shape: clients of both official SDKs fit as they are. */

import type { AbortSignalLike } from '@holdfast/kernel';
import type { JsonSchema } from './tool-definition.js';

/** What a request may take. */
export interface McpRequestOptions {
  readonly signal?: AbortSignalLike;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** A tool as a server describes it. Everything in it is text of a stranger. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  readonly annotations?:
    | { readonly title?: string | undefined; readonly readOnlyHint?: boolean | undefined }
    | undefined;
  readonly execution?: { readonly taskSupport?: string | undefined } | undefined;
}

interface ListsMcpTools {
  listTools(params?: { cursor?: string }, options?: McpRequestOptions): Promise<unknown>;
  /** Asks for the list as it comes; without it, one tool that the client finds malformed fails the whole list. */
  request?(
    request: { method: 'tools/list'; params?: { cursor?: string } },
    resultSchema: never,
    options?: McpRequestOptions,
  ): Promise<unknown>;
}

/** A client of `@modelcontextprotocol/sdk`, where the result's schema comes before the options. */
interface McpClientWithSchemas extends ListsMcpTools {
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    resultSchema?: undefined,
    options?: McpRequestOptions,
  ): Promise<unknown>;
}

/** A client of `@modelcontextprotocol/client`, its successor, which is told by `getProtocolEra`. */
interface McpClientWithOptions extends ListsMcpTools {
  getProtocolEra(): unknown;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    options?: McpRequestOptions,
  ): Promise<unknown>;
}

/** A connected client. */
export type McpClient = McpClientWithSchemas | McpClientWithOptions;

/** Takes any result, in the words of both clients: each tool is looked at by itself. */
const anyResult = {
  safeParse: (data: unknown) => ({ success: true, data }),
  '~standard': { version: 1, vendor: 'holdfast', validate: (value: unknown) => ({ value }) },
};

/** Asks for one page of the list, as the server wrote it. */
export function listMcpTools(client: McpClient, cursor: string | undefined, timeout: number): Promise<unknown> {
  const params = cursor === undefined ? {} : { cursor };
  return typeof client.request === 'function'
    ? client.request({ method: 'tools/list', params }, anyResult as never, { timeout })
    : client.listTools(params, { timeout });
}

/** Calls a tool of the server, whichever of the two clients it is. */
export function callMcpTool(
  client: McpClient,
  params: { name: string; arguments: Record<string, unknown> },
  options: McpRequestOptions,
): Promise<unknown> {
  return 'getProtocolEra' in client ? client.callTool(params, options) : client.callTool(params, undefined, options);
}

/**
 * A `jsonSchemaValidator` for the client's own options that leaves the results of tools to the registry. The client's
 * default compiles output schemas of a server to code when the host lists tools, runs the server's regular expressions,
 * and fails the whole list for one schema that does not compile.
 */
export const registryChecksOutputs: {
  getValidator(schema: unknown): (input: unknown) => { valid: true; data: never; errorMessage: undefined };
} = {
  // Whatever type the client wants: it hands the data on without looking at it.
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};
