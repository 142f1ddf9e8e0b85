/** The face of `@holdfast/langchain`: the middleware, its options, what it tells, and what a tool may ask. */

export { HoldfastError } from '@holdfast/kernel';
export { currentEffect } from './current-effect.js';
export type { CallDecision, CallDecisionKind } from './decision.js';
export { HoldfastOptionError, RunIdMissingError } from './errors.js';
export { holdfastMiddleware } from './middleware.js';
export { holdfastModelCall } from './model-call.js';
export type {
  BrokenCall,
  BrokenReply,
  EffectPolicy,
  ExecutionOptions,
  HoldfastOptions,
  ReceiptOptions,
  ReferenceOptions,
  RegistryOptions,
  ReplyOptions,
  RunRequest,
  ToolEffect,
  ToolReconcileQuestion,
  UnresolvedPolicy,
} from './options.js';
export { type ToolDefinitionExtras, toToolDefinition } from './to-tool-definition.js';
export { HoldfastToolNode, type HoldfastToolNodeOptions } from './tool-node.js';
