export { HoldfastError, type HoldfastErrorCode } from '@holdfast/kernel';
export { bindToolsIfSupported } from './bind-tools.js';
export { FlushLoopOptionError, LangChainMissingError, ModelReplyError, ModelTimeoutError } from './errors.js';
export { extractText } from './extract-text.js';
export { runFlushLoop } from './flush-loop.js';
export {
  DEFAULT_MAX_FLUSH_ITERATIONS,
  DEFAULT_MAX_TOOL_RESULT_CHARS,
  type FlushLoopParams,
  type InvokableModel,
  type MessageClasses,
  type ToolCallLike,
} from './flush-loop-params.js';
export type { FlushLoopResult, FlushStopReason, ToolErrorRecord } from './flush-loop-result.js';
export { parseToolResult } from './parse-tool-result.js';
export { couldBecomeSilent, isSilentReply, SILENT_REPLY_TOKEN, stripSilentToken } from './silent-reply.js';
