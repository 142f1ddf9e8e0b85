import type Anthropic from '@anthropic-ai/sdk';
import {
  annotateMessagesForLLM,
  annotateToolOutputWithReference,
  type BeginBatchOptions,
  type buildReferenceKey,
  type buildReferencePrefix,
  createReadOutputTool,
  findReferences,
  type PreResolvedArgsMap,
  type ReadOutputTool,
  type ResolvedArgsByCallId,
  type ResolveResult,
  type SettledOutput,
  type TOOL_OUTPUT_REF_KEY,
  TOOL_OUTPUT_REF_PATTERN,
  type TOOL_OUTPUT_UNRESOLVED_KEY,
  type ToolMessageReferenceMetadata,
  type ToolOutputBatch,
  ToolOutputReferenceRegistry,
  type ToolOutputReferenceRegistryOptions,
  type ToolOutputRegistryState,
  type ToolOutputResolveView,
  type ToolReferenceArgumentError,
  type UnresolvedReason,
} from '@holdfast/tool-refs';
import { annotateModelMessages } from '@holdfast/tool-refs/ai-sdk';
import { annotateAnthropicMessages } from '@holdfast/tool-refs/anthropic';
import { annotateChatMessages, annotateResponseItems } from '@holdfast/tool-refs/openai';
import type { BaseMessage } from '@langchain/core/messages';
import type { ModelMessage } from 'ai';
import type OpenAI from 'openai';
import { expectTypeOf } from 'vitest';

const registry = new ToolOutputReferenceRegistry();

expectTypeOf(TOOL_OUTPUT_REF_PATTERN).toEqualTypeOf<RegExp>();
expectTypeOf<typeof TOOL_OUTPUT_REF_KEY>().toEqualTypeOf<'_ref'>();
expectTypeOf<typeof TOOL_OUTPUT_UNRESOLVED_KEY>().toEqualTypeOf<'_unresolved_refs'>();
expectTypeOf<typeof buildReferenceKey>().toEqualTypeOf<(toolIndex: number, turn: number) => string>();
expectTypeOf<typeof buildReferencePrefix>().toEqualTypeOf<(key: string) => string>();

expectTypeOf(ToolOutputReferenceRegistry).constructorParameters.toEqualTypeOf<
  [options?: ToolOutputReferenceRegistryOptions]
>();
expectTypeOf<{
  maxOutputSize?: number;
  maxTotalSize?: number;
  maxActiveRuns?: number;
}>().toExtend<ToolOutputReferenceRegistryOptions>();
expectTypeOf(registry.set).parameters.toEqualTypeOf<[string | undefined, string, string]>();
expectTypeOf(registry.get).returns.toEqualTypeOf<string | undefined>();
expectTypeOf(registry.has).returns.toEqualTypeOf<boolean>();
expectTypeOf(registry.size).toEqualTypeOf<number>();
expectTypeOf(registry.perOutputLimit).toEqualTypeOf<number>();
expectTypeOf(registry.totalLimit).toEqualTypeOf<number>();
expectTypeOf(registry.nextTurn).returns.toEqualTypeOf<number>();
expectTypeOf(registry.claimWarnOnce).parameters.toEqualTypeOf<[string | undefined, string]>();
expectTypeOf(registry.snapshot).toEqualTypeOf<(runId: string | undefined) => ToolOutputResolveView>();
// @ts-expect-error the number of outputs is not for hosts to set.
registry.size = 1;
// @ts-expect-error outputs are strings.
registry.set('r', 'tool0turn0', { a: 1 });

// Arguments keep their type.
const args: { readonly path: string; count?: number } = { path: '{{tool0turn0}}' };
expectTypeOf(registry.resolve('r', args)).toEqualTypeOf<ResolveResult<{ readonly path: string; count?: number }>>();
expectTypeOf(registry.resolve('r', args, { encode: (value, path) => `${path.join()}${value}` }).resolved).toEqualTypeOf<
  typeof args
>();
expectTypeOf(registry.snapshot('r').resolve(args).resolved).toEqualTypeOf<typeof args>();
expectTypeOf<ResolveResult<number>>().toEqualTypeOf<{ resolved: number; unresolved: string[] }>();

const batch = registry.beginBatch('r', { turn: 1 });
expectTypeOf(batch).toEqualTypeOf<ToolOutputBatch>();
expectTypeOf(batch.resolve(args)).toEqualTypeOf<ResolveResult<typeof args>>();
expectTypeOf(batch.settle(0, '')).toEqualTypeOf<SettledOutput>();
expectTypeOf<BeginBatchOptions>().toEqualTypeOf<{ readonly turn?: number }>();
// @ts-expect-error a batch keeps its turn.
batch.turn = 2;

expectTypeOf<PreResolvedArgsMap>().toEqualTypeOf<
  Map<string, { resolved: Record<string, unknown>; unresolved: string[] }>
>();
expectTypeOf<ResolvedArgsByCallId>().toEqualTypeOf<Map<string, Record<string, unknown>>>();

expectTypeOf(annotateToolOutputWithReference).toEqualTypeOf<
  (content: string, key: string | undefined, unresolved?: string[]) => string
>();
expectTypeOf(annotateMessagesForLLM).toEqualTypeOf<
  (
    messages: BaseMessage[],
    registry: ToolOutputReferenceRegistry | undefined,
    runId: string | undefined,
  ) => BaseMessage[]
>();
expectTypeOf(findReferences).toEqualTypeOf<(args: unknown) => string[]>();
expectTypeOf<ToolReferenceArgumentError['code']>().toEqualTypeOf<'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT'>();

// Adapters take and give the SDKs' own types.
declare const chat: OpenAI.ChatCompletionMessageParam[];
declare const items: OpenAI.Responses.ResponseInput;
declare const anthropic: Anthropic.MessageParam[];
declare const model: ModelMessage[];
expectTypeOf(annotateChatMessages(chat, registry, 'r')).toEqualTypeOf<typeof chat>();
expectTypeOf(annotateResponseItems(items, registry, 'r')).toEqualTypeOf<typeof items>();
expectTypeOf(annotateAnthropicMessages(anthropic, registry, undefined)).toEqualTypeOf<typeof anthropic>();
expectTypeOf(annotateModelMessages(model, undefined, 'r')).toEqualTypeOf<typeof model>();
// Metadata goes beside an SDK's own fields.
const metadata: ToolMessageReferenceMetadata = { _refKey: 'tool0turn0' };
expectTypeOf({ role: 'tool' as const, tool_call_id: 'c', content: '', ...metadata }).toExtend<(typeof chat)[number]>();
expectTypeOf({
  type: 'tool_result' as const,
  tool_use_id: 't',
  ...metadata,
}).toExtend<Anthropic.ToolResultBlockParam>();
expectTypeOf({ type: 'function_call_output' as const, call_id: 'c', output: '', ...metadata }).toExtend<
  (typeof items)[number]
>();
// @ts-expect-error a registry tells which keys can be used.
annotateChatMessages(chat, {}, 'r');

expectTypeOf(registry.snapshotState).toEqualTypeOf<(runIds?: readonly string[]) => ToolOutputRegistryState>();
expectTypeOf(registry.restoreState).toEqualTypeOf<(state: ToolOutputRegistryState) => void>();
expectTypeOf<UnresolvedReason>().toEqualTypeOf<'missing' | 'pointer' | 'limit' | 'inserted'>();

const reader = createReadOutputTool(registry, { pageSize: 1_000 });
expectTypeOf(reader).toEqualTypeOf<ReadOutputTool>();
expectTypeOf(reader.execute({ key: 'tool0turn0' }, { runId: 'r' })).toEqualTypeOf<string>();
// Whatever a framework hands on as its context may name the run.
reader.execute({}, { runId: undefined });
// @ts-expect-error a run id is a text.
reader.execute({}, { runId: 7 });
