export { HoldfastError } from '@holdfast/kernel';
export { annotateMessagesForLLM } from './annotate-messages.js';
export { annotateToolOutputWithReference } from './annotate-output.js';
export type { BeginBatchOptions, SettledOutput, ToolOutputBatch } from './batch.js';
export { ToolReferenceArgumentError } from './errors.js';
export type { ToolOutputClip, ToolOutputEviction, UnresolvedReason, UnresolvedReference } from './events.js';
export { findReferences } from './find-references.js';
export { previewOutput } from './preview.js';
export { TOOL_OUTPUT_REFERENCES_GUIDE } from './prompt-guide.js';
export {
  buildReferenceKey,
  buildReferencePrefix,
  TOOL_OUTPUT_REF_KEY,
  TOOL_OUTPUT_REF_PATTERN,
  TOOL_OUTPUT_UNRESOLVED_KEY,
} from './reference-key.js';
export { ToolOutputReferenceRegistry } from './registry.js';
export type {
  PreResolvedArgsMap,
  ResolvedArgsByCallId,
  ResolveResult,
  ToolMessageReferenceMetadata,
  ToolOutputReferenceRegistryOptions,
  ToolOutputResolveView,
} from './types.js';
