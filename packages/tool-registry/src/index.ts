/** @holdfast/tool-registry: which tools a model may see, find and call. */

export { type AbortSignalLike, HoldfastError, type HoldfastErrorCode } from '@holdfast/kernel';
export { describeWithOutput } from './describe-with-output.js';
export {
  InvalidToolDefinitionError,
  ToolPreparationError,
  ToolRegistryOptionError,
  UnknownToolError,
} from './errors.js';
export type {
  ToolResultGuardrail,
  ToolResultReplacement,
  ToolResultVerdict,
  ToolResultView,
} from './guardrail.js';
export { ManagedRegistry, RegistryIdError } from './managed-registry.js';
export {
  createSearchTool,
  type FoundTool,
  SEARCH_TOOL_NAME,
  type SearchToolData,
  type SearchToolInput,
  type SearchToolOptions,
} from './search-tool.js';
export { toToolName } from './to-tool-name.js';
export {
  defineTool,
  type JsonSchema,
  type LLMToolSchema,
  type ToolAvailability,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  type ToolInputIssue,
  type ToolInputSchema,
  type ToolInputValidation,
  type ToolProvenance,
} from './tool-definition.js';
export { toolDiscoveryHint } from './tool-discovery-hint.js';
export { assertToolName, InvalidToolNameError, TOOL_NAME_PATTERN, ToolNameCollisionError } from './tool-name.js';
export { ToolRegistry } from './tool-registry.js';
export type {
  ToolAvailabilityRestoration,
  ToolAvailabilitySnapshot,
  ToolRegistryConfig,
  ToolRegistryForkOptions,
  ToolRegistryLogger,
  ToolSearchConfig,
  ToolTier,
  ToolTierConfig,
} from './tool-registry-config.js';
export type {
  PreparedToolExecution,
  ToolExecutionResult,
  ToolPreparationResult,
  ToolRefusalCode,
} from './tool-result.js';
