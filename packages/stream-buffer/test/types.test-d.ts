import {
  type FieldDelta,
  type FieldDeltaEvent,
  type FieldText,
  type HoldfastError,
  type IngestOutcome,
  type StreamBufferOptionError,
  type StreamBufferPieceError,
  StreamingToolCallBuffer,
  type ToolCallVerdict,
} from '@holdfast/stream-buffer';
import { expectTypeOf } from 'vitest';

const buffer = new StreamingToolCallBuffer();
expectTypeOf(StreamingToolCallBuffer).toBeConstructibleWith();
expectTypeOf(StreamingToolCallBuffer).toBeConstructibleWith({ duplicates: 'adjacent', maxCalls: 10 });

expectTypeOf(buffer.setToolName).toEqualTypeOf<(toolCallId: string, name: string) => void>();
expectTypeOf(buffer.getToolName).toEqualTypeOf<(toolCallId: string) => string | undefined>();
expectTypeOf(buffer.getRawArgs).toEqualTypeOf<(toolCallId: string) => string | undefined>();
expectTypeOf(buffer.extractFieldValue).toEqualTypeOf<(toolCallId: string, fieldName: string) => string | undefined>();
expectTypeOf(buffer.setIndexMapping).toEqualTypeOf<(index: number, toolCallId: string) => void>();
expectTypeOf(buffer.getIdByIndex).toEqualTypeOf<(index: number) => string | undefined>();
expectTypeOf(buffer.has).toEqualTypeOf<(toolCallId: string) => boolean>();
expectTypeOf(buffer.clear).toEqualTypeOf<(toolCallId: string) => void>();
expectTypeOf(buffer.clearAll).toEqualTypeOf<() => void>();
expectTypeOf(buffer.append).toExtend<(toolCallId: string, argsChunk: string) => boolean>();
expectTypeOf(buffer.ids()).toEqualTypeOf<string[]>();

// A chunk of LangChain's shape fits as it is.
const chunk = {} as { id?: string; index?: number; name?: string; args?: string; type?: 'tool_call_chunk' };
expectTypeOf(buffer.ingest).toBeCallableWith(chunk);
const delta = {} as { id?: string; index: number; function?: { name?: string; arguments?: string } };
// The parts of a provider's delta fit one by one, also under `exactOptionalPropertyTypes`.
expectTypeOf(buffer.ingest).toBeCallableWith({
  id: delta.id,
  index: delta.index,
  name: delta.function?.name,
  args: delta.function?.arguments,
  source: undefined,
});
expectTypeOf(buffer.ingest).toBeCallableWith({ id: null, index: null, name: null, args: null, source: null });

const outcome = {} as IngestOutcome;
if (outcome.kind === 'ignored' || outcome.kind === 'replayed') {
  // @ts-expect-error: what is ignored belongs to no call.
  outcome.id;
} else {
  expectTypeOf(outcome.id).toEqualTypeOf<string>();
}
if (outcome.kind === 'refused') expectTypeOf(outcome.limit).toEqualTypeOf<'calls' | 'characters'>();

expectTypeOf(buffer.field('a', ['edits', 0, 'text'])).toEqualTypeOf<FieldText | undefined>();
expectTypeOf(buffer.takeFieldDelta('a', 'text')).toEqualTypeOf<FieldDelta | undefined>();
expectTypeOf(
  buffer.onFieldDelta('text', (event) => expectTypeOf(event).toEqualTypeOf<FieldDeltaEvent>()),
).toEqualTypeOf<() => void>();
expectTypeOf(buffer.partial('a')).toEqualTypeOf<unknown>();
expectTypeOf(StreamingToolCallBuffer.restore(buffer.serialize())).toEqualTypeOf<StreamingToolCallBuffer>();
// @ts-expect-error: a step is a key or an index.
buffer.field('a', [null]);

const verdict = {} as ToolCallVerdict;
expectTypeOf(verdict.closedJson).toEqualTypeOf<string>();
if (verdict.kind === 'complete') expectTypeOf(verdict.parsed).toEqualTypeOf<unknown>();
if (verdict.kind === 'truncated' || verdict.kind === 'invalid') {
  expectTypeOf(verdict.position).toEqualTypeOf<number>();
  expectTypeOf(verdict.salvage.fields).toEqualTypeOf<Readonly<Record<string, unknown>>>();
  // @ts-expect-error: only a whole text has a value.
  verdict.parsed;
}
expectTypeOf(buffer.finish('a', null)).toEqualTypeOf<ToolCallVerdict | undefined>();

expectTypeOf<StreamBufferPieceError>().toExtend<HoldfastError>();
expectTypeOf<StreamBufferPieceError['code']>().toEqualTypeOf<'ERR_HOLDFAST_STREAM_BUFFER_PIECE'>();
expectTypeOf<StreamBufferOptionError['code']>().toEqualTypeOf<'ERR_HOLDFAST_STREAM_BUFFER_OPTION'>();

// @ts-expect-error: arguments are text.
buffer.append('a', { command: 'ls' });
// @ts-expect-error: no such policy.
new StreamingToolCallBuffer({ duplicates: 'guess' });
