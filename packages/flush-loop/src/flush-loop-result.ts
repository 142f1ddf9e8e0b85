/** What a flush loop gives back. */

import type { BaseMessage } from '@langchain/core/messages';

/**
 * Why a loop ended.
 *
 * - `completed`: the model answered without calling a tool.
 * - `silent`: the same, and its text is the silent token.
 * - `iteration_cap`: the model still called tools in its last allowed reply.
 * - `identical_calls`: a call was made more often than `maxIdenticalCalls` allows.
 * - `aborted`: the signal fired.
 * - `model_error`: the model threw, took too long or answered with no message; `error` holds the reason.
 */
export type FlushStopReason = 'completed' | 'silent' | 'iteration_cap' | 'identical_calls' | 'aborted' | 'model_error';

/** One tool call that failed or was refused. */
export interface ToolErrorRecord {
  /** The reply that made the call, counted from 0. */
  iteration: number;
  /** The name as the model wrote it; `''` when it wrote none. */
  toolName: string;
  /** The id under which the call stands in the transcript. */
  toolCallId?: string;
  error: string;
  /** The arguments that the model passed; absent when they were not an object. */
  args?: Record<string, unknown>;
}

/** What {@link runFlushLoop} gives back, however the loop ended. */
export interface FlushLoopResult {
  /** How many times a model was called, a final answer and a failed call included. */
  iterations: number;
  /** How many calls of append tools the model made, run or not. */
  appendsAttempted: number;
  /** How many of them succeeded, by {@link parseToolResult}. */
  appendsSucceeded: number;
  /** The calls that failed or were refused, in order. Each has been answered, so the model could react. */
  toolErrors: ToolErrorRecord[];
  /** Whether the text of the last reply is silent, by {@link isSilentReply}. */
  silentReply: boolean;
  /** Whether the model still called tools in its last allowed reply. */
  hitIterationCap: boolean;
  /** The text of the last reply, by {@link extractText}; `''` when there was none. */
  finalText: string;
  /** The initial messages and all that followed. Each tool call is followed by exactly one answer, in order. */
  messages: BaseMessage[];
  /** Why the loop ended. */
  stopReason: FlushStopReason;
  /** What the model threw, or why its answer is none. Only with the stop reason `model_error`. */
  error?: unknown;
  /** How many tool results were cut at `maxToolResultChars`. */
  clippedResults: number;
}
