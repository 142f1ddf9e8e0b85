import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { ConverseStreamOutput } from '@aws-sdk/client-bedrock-runtime';
import type { GenerateContentResponse } from '@google/genai';
import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { type AISDKPart, aiSdkReader } from '@holdfast/stream-buffer/ai-sdk';
import { type AnthropicEvent, anthropicReader } from '@holdfast/stream-buffer/anthropic';
import { type BedrockEvent, bedrockReader } from '@holdfast/stream-buffer/bedrock';
import { type FinishedCall, followToolCalls } from '@holdfast/stream-buffer/follow';
import { type GeminiChunk, geminiReader } from '@holdfast/stream-buffer/gemini';
import { langChainReader } from '@holdfast/stream-buffer/langchain';
import { type OpenAIChatChunk, openAIChatReader } from '@holdfast/stream-buffer/openai-chat';
import { type OpenAIResponsesEvent, openAIResponsesReader } from '@holdfast/stream-buffer/openai-responses';
import type { AIMessageChunk } from '@langchain/core/messages';
import type { StreamEvent } from '@langchain/core/tracers/log_stream';
import type { LanguageModelStreamPart, TextStreamPart, ToolSet, UIMessageChunk } from 'ai';
import type OpenAI from 'openai';
import { expectTypeOf } from 'vitest';

const buffer = new StreamingToolCallBuffer();

// What the SDKs stream fits as it is.
expectTypeOf<OpenAI.ChatCompletionChunk>().toExtend<OpenAIChatChunk>();
expectTypeOf<OpenAI.Responses.ResponseStreamEvent>().toExtend<OpenAIResponsesEvent>();
expectTypeOf<RawMessageStreamEvent>().toExtend<AnthropicEvent>();
expectTypeOf<ConverseStreamOutput>().toExtend<BedrockEvent>();
expectTypeOf<GenerateContentResponse>().toExtend<GeminiChunk>();
expectTypeOf<TextStreamPart<ToolSet>>().toExtend<AISDKPart>();
expectTypeOf<UIMessageChunk>().toExtend<AISDKPart>();

const chat = followToolCalls(buffer, openAIChatReader({ choice: 1 }));
expectTypeOf(chat.push).toBeCallableWith({} as OpenAI.ChatCompletionChunk);
expectTypeOf(chat.push({} as OpenAI.ChatCompletionChunk)).toEqualTypeOf<FinishedCall[]>();
expectTypeOf(chat.end('aborted')).toEqualTypeOf<FinishedCall[]>();

const langChain = followToolCalls(buffer, langChainReader());
expectTypeOf(langChain.push).toBeCallableWith({} as StreamEvent);
expectTypeOf(langChain.push).toBeCallableWith({} as AIMessageChunk);

expectTypeOf(openAIResponsesReader).toBeCallableWith({ responseId: 'resp_1' });
for (const read of [anthropicReader(), bedrockReader(), geminiReader(), aiSdkReader()])
  expectTypeOf(read).toBeFunction();

// @ts-expect-error: one dialect's chunks are not another's.
followToolCalls(buffer, anthropicReader()).push({ choices: [] });
// @ts-expect-error: a part's type is text.
followToolCalls(buffer, aiSdkReader()).push({ type: 1 });

// Names of fields that are read are the SDKs' own: a renamed one would go unnoticed, since all are optional.
type KeysOfUnion<Union> = Union extends unknown ? keyof Union : never;
expectTypeOf<keyof BedrockEvent>().toExtend<KeysOfUnion<ConverseStreamOutput>>();
expectTypeOf<keyof AnthropicEvent>().toExtend<KeysOfUnion<RawMessageStreamEvent>>();
expectTypeOf<keyof OpenAIResponsesEvent>().toExtend<KeysOfUnion<OpenAI.Responses.ResponseStreamEvent>>();
expectTypeOf<keyof AISDKPart>().toExtend<KeysOfUnion<TextStreamPart<ToolSet> | UIMessageChunk>>();
expectTypeOf<LanguageModelStreamPart>().toExtend<AISDKPart>();
