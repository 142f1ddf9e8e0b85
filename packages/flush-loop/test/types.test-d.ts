import {
  bindToolsIfSupported,
  createMemoryFlushMarkers,
  type DEFAULT_MAX_FLUSH_ITERATIONS,
  extractText,
  type FlushDecision,
  type FlushLoopParams,
  type FlushLoopResult,
  type FlushMarkerStore,
  type FlushMessageClasses,
  type FlushStopReason,
  type InvokableModel,
  type MemoryFlushOutcome,
  type MessageClasses,
  parseToolResult,
  runFlushLoop,
  runMemoryFlush,
  type SILENT_REPLY_TOKEN,
  shouldFlush,
  type ToolCallLike,
  type ToolErrorRecord,
} from '@holdfast/flush-loop';
import { memoryFileTools, openFlushMarkerFiles } from '@holdfast/flush-loop/memory-files';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type * as messages from '@langchain/core/messages';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

expectTypeOf(runFlushLoop).toEqualTypeOf<(params: FlushLoopParams) => Promise<FlushLoopResult>>();
expectTypeOf(extractText).toEqualTypeOf<(message: AIMessage) => string>();
expectTypeOf(parseToolResult).toEqualTypeOf<(raw: string) => { ok: boolean; error?: string; path?: string }>();
expectTypeOf(bindToolsIfSupported).returns.toEqualTypeOf<InvokableModel>();
expectTypeOf(bindToolsIfSupported).parameter(1).toEqualTypeOf<StructuredToolInterface[]>();
expectTypeOf<typeof SILENT_REPLY_TOKEN>().toEqualTypeOf<'NO_REPLY'>();
expectTypeOf<typeof DEFAULT_MAX_FLUSH_ITERATIONS>().toEqualTypeOf<8>();
expectTypeOf<ToolCallLike>().toEqualTypeOf<{ name: string; args: Record<string, unknown>; id?: string }>();
expectTypeOf<ToolErrorRecord>().toEqualTypeOf<{
  iteration: number;
  toolName: string;
  toolCallId?: string;
  error: string;
  args?: Record<string, unknown>;
}>();
expectTypeOf<Omit<FlushLoopResult, 'error' | 'clippedResults'>>().toEqualTypeOf<{
  iterations: number;
  appendsAttempted: number;
  appendsSucceeded: number;
  toolErrors: ToolErrorRecord[];
  silentReply: boolean;
  hitIterationCap: boolean;
  finalText: string;
  messages: BaseMessage[];
  stopReason: FlushStopReason;
}>();
expectTypeOf<
  Pick<FlushLoopParams, 'model' | 'tools' | 'initialMessages' | 'maxIterations' | 'onIteration'>
>().toEqualTypeOf<{
  model: InvokableModel;
  tools: StructuredToolInterface[];
  initialMessages: BaseMessage[];
  maxIterations?: number;
  onIteration?: (event: { i: number; ai: AIMessage; toolCalls: ToolCallLike[] }) => void;
}>();
expectTypeOf<InvokableModel['invoke']>().returns.toEqualTypeOf<Promise<AIMessage>>();
expectTypeOf<Parameters<InvokableModel['invoke']>[0]>().toEqualTypeOf<BaseMessage[]>();
expectTypeOf<[BaseMessage[]]>().toExtend<Parameters<InvokableModel['invoke']>>();

// What a host passes fits: a chat model, LangChain's tools, the platform's signal, LangChain's classes.
declare const model: BaseChatModel;
const note = tool(async ({ text }) => text, {
  name: 'note',
  description: 'Notes.',
  schema: z.object({ text: z.string() }),
});
const params: FlushLoopParams = {
  model,
  tools: [note],
  initialMessages: [],
  signal: new AbortController().signal,
  onIteration: ({ i, ai, toolCalls }) => {
    expectTypeOf(i).toBeNumber();
    expectTypeOf(ai).toEqualTypeOf<AIMessage>();
    expectTypeOf(toolCalls).toEqualTypeOf<ToolCallLike[]>();
  },
};
void runFlushLoop(params);
expectTypeOf<typeof messages>().toExtend<MessageClasses>();

// @ts-expect-error: a model must have invoke
void runFlushLoop({ model: {}, tools: [], initialMessages: [] });
// @ts-expect-error: there are two ways to meet the cap
void runFlushLoop({ ...params, onCap: 'retry' });

// A memory flush: what the parts give fits the others.
declare const history: BaseMessage[];
expectTypeOf(shouldFlush).returns.toEqualTypeOf<FlushDecision>();
expectTypeOf(memoryFileTools).returns.toEqualTypeOf<StructuredToolInterface[]>();
expectTypeOf(openFlushMarkerFiles).returns.toEqualTypeOf<Promise<FlushMarkerStore>>();
expectTypeOf<typeof messages>().toExtend<FlushMessageClasses>();
const flushed = runMemoryFlush({
  model,
  tools: [note],
  history,
  mark: { store: createMemoryFlushMarkers(() => 0), conversationId: 'c', cycle: 0 },
});
expectTypeOf(flushed).toEqualTypeOf<Promise<MemoryFlushOutcome>>();
// @ts-expect-error: the history is rendered; initial messages are made of it
void runMemoryFlush({ model, tools: [note], history, initialMessages: [] });
