/** What goes on the wire is what the SDKs of the providers take. Checked by the compiler, not run. */

import type Anthropic from '@anthropic-ai/sdk';
import type { Tool as GenAITool } from '@google/genai';
import {
  type AnthropicTool,
  type GeminiTool,
  type LLMToolSchema,
  type OpenAIResponsesTool,
  ToolRegistry,
} from '@holdfast/tool-registry';
import type OpenAI from 'openai';
import { expectTypeOf } from 'vitest';

expectTypeOf<LLMToolSchema>().toExtend<OpenAI.Chat.Completions.ChatCompletionTool>();
expectTypeOf<OpenAIResponsesTool>().toExtend<OpenAI.Responses.FunctionTool>();
expectTypeOf<AnthropicTool>().toExtend<Anthropic.Messages.Tool>();
expectTypeOf<GeminiTool>().toExtend<GenAITool>();

// A type that a missing SDK turned into `any` would take everything.
expectTypeOf<OpenAI.Chat.Completions.ChatCompletionTool>().not.toBeAny();
expectTypeOf<OpenAI.Responses.FunctionTool>().not.toBeAny();
expectTypeOf<Anthropic.Messages.Tool>().not.toBeAny();
expectTypeOf<GenAITool>().not.toBeAny();

const registry = new ToolRegistry({ deferral: 'provider' });
const messages = { model: '', messages: [] };

({ ...messages, tools: registry.toLLMTools() }) satisfies OpenAI.Chat.Completions.ChatCompletionCreateParams;
({
  model: '',
  input: '',
  tools: [{ type: 'tool_search' }, ...registry.toOpenAIResponsesTools()],
}) satisfies OpenAI.Responses.ResponseCreateParams;
({
  ...messages,
  max_tokens: 1,
  tools: [{ type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }, ...registry.toAnthropicTools()],
}) satisfies Anthropic.Messages.MessageCreateParams;
({ tools: registry.toGeminiTools() }) satisfies { readonly tools: GenAITool[] };
