import {
  bindToolsIfSupported,
  type DEFAULT_MAX_FLUSH_ITERATIONS,
  extractText,
  type FlushLoopParams,
  type FlushLoopResult,
  type FlushStopReason,
  type InvokableModel,
  type MessageClasses,
  parseToolResult,
  runFlushLoop,
  type SILENT_REPLY_TOKEN,
  type ToolCallLike,
  type ToolErrorRecord,
} from '@holdfast/flush-loop';
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
