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

// What it reads
export { extractText } from './extract-text.js';
export { parseToolResult } from './parse-tool-result.js';

// Nothing to say
export { couldBecomeSilent, isSilentReply, SILENT_REPLY_TOKEN, stripSilentToken } from './silent-reply.js';
