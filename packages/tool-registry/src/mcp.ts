/**
 * `@holdfast/tool-registry/mcp`: the tools of a connected MCP client in a registry. Typed by shape, so the SDK is the
 * host's; schemas are checked by `@cfworker/json-schema`, an optional peer dependency.
 */

export { HoldfastError } from '@holdfast/kernel';
export { McpMountError } from './internal/mcp/mcp-mount-error.js';
export { type McpClient, type McpRequestOptions, type McpTool, registryChecksOutputs } from './mcp-client.js';
export {
  type McpMount,
  type McpMountOptions,
  type McpMountReport,
  type McpRefusedTool,
  type McpToolDrift,
  mountMcpTools,
} from './mcp-mount.js';
