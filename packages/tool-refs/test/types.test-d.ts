import {
  annotateMessagesForLLM,
  annotateToolOutputWithReference,
  type BeginBatchOptions,
  type buildReferenceKey,
  type buildReferencePrefix,
  findReferences,
  type PreResolvedArgsMap,
  type ResolvedArgsByCallId,
  type ResolveResult,
  type SettledOutput,
  type TOOL_OUTPUT_REF_KEY,
  TOOL_OUTPUT_REF_PATTERN,
  type TOOL_OUTPUT_UNRESOLVED_KEY,
  type ToolOutputBatch,
  ToolOutputReferenceRegistry,
  type ToolOutputReferenceRegistryOptions,
  type ToolOutputResolveView,
  type ToolReferenceArgumentError,
} from '@holdfast/tool-refs';
import type { BaseMessage } from '@langchain/core/messages';
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
