/** The face of `@holdfast/tool-refs`: keys, the registry that holds outputs, batches, and what the model sees. */

export { HoldfastError } from '@holdfast/kernel';
export { ToolReferenceArgumentError } from './errors.js';

// Keys and placeholders
export {
  buildReferenceKey,
  buildReferencePrefix,
  TOOL_OUTPUT_REF_KEY,
  TOOL_OUTPUT_REF_PATTERN,
  TOOL_OUTPUT_UNRESOLVED_KEY,
} from './reference-key.js';
export { findReferences } from './find-references.js';

// Outputs kept, arguments resolved
export { ToolOutputReferenceRegistry } from './registry.js';
export type {
  PreResolvedArgsMap,
  ResolvedArgsByCallId,
  ResolveResult,
  ToolMessageReferenceMetadata,
  ToolOutputReferenceRegistryOptions,
  ToolOutputResolveOptions,
  ToolOutputResolveView,
} from './types.js';
export type { ToolOutputRegistryState, ToolOutputRunState, ToolOutputRunTurns } from './registry-state.js';
export type { BeginBatchOptions, SettledOutput, ToolOutputBatch, ToolOutputBatchResolveOptions } from './batch.js';
export type { ToolOutputClip, ToolOutputEviction, UnresolvedReason, UnresolvedReference } from './events.js';

// What the model sees
export { annotateToolOutputWithReference } from './annotate-output.js';
export { annotateMessagesForLLM } from './annotate-messages.js';
export { previewOutput } from './preview.js';
export { createReadOutputTool } from './read-output-tool.js';
export type { ReadOutputContext, ReadOutputTool, ReadOutputToolOptions } from './read-output-tool.js';
export { TOOL_OUTPUT_REFERENCES_GUIDE } from './prompt-guide.js';
