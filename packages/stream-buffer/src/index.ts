export { HoldfastError } from '@holdfast/kernel';
export { StreamBufferOptionError, StreamBufferPieceError } from './errors.js';
export type { DuplicatePolicy, StreamBufferOptions } from './options.js';
export type { AppendOptions, IngestOutcome, ToolCallInfo, ToolCallPiece } from './piece.js';
export { StreamingToolCallBuffer } from './streaming-tool-call-buffer.js';
export type {
  CompleteVerdict,
  EmptyVerdict,
  InvalidVerdict,
  JsonProblem,
  OpenField,
  Salvage,
  ToolCallVerdict,
  TruncatedVerdict,
} from './verdict.js';
