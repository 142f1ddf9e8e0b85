/** What a flush loop is given. */

import type { AbortSignalLike } from '@holdfast/kernel';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';

/** How many times the model is called unless `maxIterations` says otherwise. */
export const DEFAULT_MAX_FLUSH_ITERATIONS = 8;

/** How many characters of one tool result the model gets unless `maxToolResultChars` says otherwise. */
export const DEFAULT_MAX_TOOL_RESULT_CHARS = 100_000;

/** The part of a chat model that the loop needs. Every LangChain chat model has it. */
export interface InvokableModel {
  // biome-ignore lint/suspicious/noExplicitAny: each LangChain model has call options of its own
  invoke(messages: BaseMessage[], options?: any): Promise<AIMessage>;
}

/** A tool call as LangChain writes it on `AIMessage.tool_calls`. */
export interface ToolCallLike {
  name: string;
  args: Record<string, unknown>;
  id?: string;
}

/** The two message classes that the loop makes messages with; those of any LangChain version fit. */
export interface MessageClasses {
  readonly ToolMessage: new (fields: {
    content: string;
    tool_call_id: string;
    status: 'success' | 'error';
    name?: string;
    artifact?: unknown;
  }) => BaseMessage;
  readonly HumanMessage: new (fields: { content: string }) => BaseMessage;
}

/** What {@link runFlushLoop} is given. Nothing in it is changed. */
export interface FlushLoopParams {
  /** The model, with the tools bound to it: see {@link bindToolsIfSupported}. */
  model: InvokableModel;
  /** What the model may call. Names are unique. */
  tools: StructuredToolInterface[];
  /** The messages to start from, as a rule a system message and a human message. */
  initialMessages: BaseMessage[];
  /** How many times the model may be called: a whole number from 1. Default {@link DEFAULT_MAX_FLUSH_ITERATIONS}. */
  maxIterations?: number;
  /**
   * Called once for each reply, before its calls run. `i` counts from 0; `ai` is the message as it stands in the
   * transcript; `toolCalls` are all its calls, those that will be refused included. What it throws ends the loop and
   * comes out of it; a promise that it returns is awaited.
   */
  onIteration?: (event: { i: number; ai: AIMessage; toolCalls: ToolCallLike[] }) => void;

  /**
   * What to do when the last allowed reply still calls tools. Its calls run and are answered either way. `'stop'`, the
   * default, ends there; `'final-answer'` calls the model once more and asks it to answer in words.
   */
  onCap?: 'stop' | 'final-answer';
  /**
   * The model that gives the final answer. Default: `model`. Pass the model without tools where its provider accepts
   * tool messages without tools; calls that it makes nevertheless are answered as not run.
   */
  unboundModel?: InvokableModel;
  /** Ends the loop. A running model or tool call gets its own signal, which aborts with it, and is not waited for. */
  signal?: AbortSignalLike;
  /**
   * How long one tool call may take, in milliseconds. A tool that does not heed its signal may still be running when
   * the next one starts. Default: no limit.
   */
  toolTimeoutMs?: number;
  /** How long one model call may take, in milliseconds. Default: no limit. */
  modelTimeoutMs?: number;
  /**
   * How many characters of one tool result the model gets. Behind them a line says how many are left out, and the
   * result is counted in `clippedResults`. Default {@link DEFAULT_MAX_TOOL_RESULT_CHARS}.
   */
  maxToolResultChars?: number;
  /**
   * How many times a call with the same name and equal arguments may run. One more is answered as not run, and the
   * loop ends after the other calls of that reply. Default: no limit.
   */
  maxIdenticalCalls?: number;
  /**
   * How many characters append tools may write in one run, measured as the JSON of their arguments. A call that would
   * pass it is answered as not run, so that the model can write less. A call whose result says `ok: false` does not
   * count. Default: no limit.
   */
  maxAppendedChars?: number;
  /**
   * The tools that are safe to run beside themselves and each other, such as those that only read. Neighbouring calls
   * of them in one reply run together, eight at a time; they are answered in order. All other calls run one by one.
   */
  parallelTools?: readonly string[];
  /** The tools whose calls count as appends. Default `['memory_append']`. */
  appendTools?: readonly string[];
  /**
   * The classes to make messages with. Default: those of the installed `@langchain/core`, loaded when the first is
   * needed. Pass them where the host's LangChain is another copy, or to run without LangChain.
   */
  messageClasses?: MessageClasses;
}
