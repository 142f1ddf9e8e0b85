/** The face of `@holdfast/flush-loop`: the loop, what it reads, and the token that says nothing. */

export { HoldfastError, type HoldfastErrorCode } from '@holdfast/kernel';
export { FlushLoopOptionError, LangChainMissingError, ModelReplyError, ModelTimeoutError } from './errors.js';

// The loop
export {
  DEFAULT_MAX_FLUSH_ITERATIONS,
  DEFAULT_MAX_TOOL_RESULT_CHARS,
  type FlushLoopParams,
  type InvokableModel,
  type MessageClasses,
  type ToolCallLike,
} from './flush-loop-params.js';
export { bindToolsIfSupported } from './bind-tools.js';
export { runFlushLoop } from './flush-loop.js';
export type { FlushLoopResult, FlushStopReason, ToolErrorRecord } from './flush-loop-result.js';

// A memory flush
export {
  DEFAULT_RESERVE_TOKENS,
  DEFAULT_SOFT_THRESHOLD_TOKENS,
  type FlushDecision,
  type FlushNeed,
  shouldFlush,
} from './should-flush.js';
export {
  type FlushMark,
  type FlushMessageClasses,
  type MemoryFlushOutcome,
  type MemoryFlushParams,
  type MemoryFlushRun,
  runMemoryFlush,
} from './run-memory-flush.js';
export { FLUSH_SYSTEM_PROMPT, flushTaskPrompt } from './flush-prompts.js';
export {
  DEFAULT_MAX_HISTORY_CHARS,
  DEFAULT_MAX_MESSAGE_CHARS,
  type RenderedHistory,
  type RenderHistoryOptions,
  renderHistory,
} from './render-history.js';
export {
  createMemoryFlushMarkers,
  DEFAULT_FLUSH_LEASE_MS,
  decideFlushClaim,
  type FlushAttempt,
  type FlushClaim,
  type FlushCycle,
  type FlushMarkerStore,
  MAX_FLUSH_ATTEMPTS,
} from './flush-marker.js';

// What it reads
export { extractText } from './extract-text.js';
export { parseToolResult } from './parse-tool-result.js';

// Nothing to say
export { couldBecomeSilent, isSilentReply, SILENT_REPLY_TOKEN, stripSilentToken } from './silent-reply.js';
