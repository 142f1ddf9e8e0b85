/** The face of `@holdfast/tool-registry`: which tools a model may see, find and call. */

export { type AbortSignalLike, HoldfastError, type HoldfastErrorCode } from '@holdfast/kernel';
export {
  InvalidToolDefinitionError,
  ToolPreparationError,
  ToolRegistryOptionError,
  UnknownToolError,
} from './errors.js';

// Names and definitions
export { assertToolName, InvalidToolNameError, TOOL_NAME_PATTERN, ToolNameCollisionError } from './tool-name.js';
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
export type {
  AnthropicTool,
  GeminiFunctionDeclaration,
  GeminiTool,
  OpenAIResponsesTool,
} from './provider-tools.js';
export { describeWithOutput } from './describe-with-output.js';
export { toolDiscoveryHint } from './tool-discovery-hint.js';

// The registry
export { ManagedRegistry, RegistryIdError } from './managed-registry.js';
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

// Search
export {
  createSearchTool,
  type FoundTool,
  SEARCH_TOOL_NAME,
  type SearchToolData,
  type SearchToolInput,
  type SearchToolOptions,
  type ToolRanker,
} from './search-tool.js';
export type {
  ToolSearchField,
  ToolSearchHit,
  ToolSearchMatch,
  ToolSearchOptions,
  ToolSearchWord,
} from './tool-search.js';

// Calls and results
export type {
  PreparedToolExecution,
  ToolExecutionResult,
  ToolPreparationResult,
  ToolRefusalCode,
} from './tool-result.js';
export type {
  ToolCallEnd,
  ToolCallSpan,
  ToolCallStart,
  ToolTelemetry,
  ToolTelemetryAttributes,
} from './tool-telemetry.js';
export type {
  ToolResultGuardrail,
  ToolResultReplacement,
  ToolResultVerdict,
  ToolResultView,
} from './guardrail.js';
