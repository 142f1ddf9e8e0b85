/** The face of `@holdfast/stream-buffer`: pieces in, text and fields while they come, a verdict at the end. */

export { HoldfastError } from '@holdfast/kernel';
export {
  StreamBufferArgumentError,
  StreamBufferOptionError,
  StreamBufferPieceError,
  StreamBufferSnapshotError,
} from './errors.js';

// Pieces
export type { AppendOptions, IngestOutcome, ToolCallInfo, ToolCallPiece } from './piece.js';
export type { DuplicatePolicy, NameRule, StreamBufferOptions } from './options.js';

// Fields while they come
export type { FieldDelta, FieldDeltaEvent, FieldPath, FieldText } from './field.js';

// The buffer and its verdict
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
