import {
  type ClaimOutcome,
  type EffectContext,
  type ExecuteOnceOutcome,
  executeOnce,
  type ReceiptDetail,
  type ReceiptStore,
  type ReceiptSummary,
  type SettleOutcome,
  type ToolCallReceiptKey,
  toolCallIdempotencyKey,
  toolCallOccurrences,
  withOccurrence,
} from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { applyClaim, type ReceiptRow } from '@holdfast/receipts/store';
import { expectTypeOf } from 'vitest';

declare const key: ToolCallReceiptKey;
declare const store: ReceiptStore;

const outcome = await executeOnce(store, key, async () => ({ id: 1 }));
expectTypeOf(outcome).toEqualTypeOf<ExecuteOnceOutcome<{ id: number }>>();
// @ts-expect-error not every outcome has a value: look at `kind` first
outcome.value;
if (outcome.kind === 'executed' || outcome.kind === 'replayed')
  expectTypeOf(outcome.value).toEqualTypeOf<{ id: number }>();
// @ts-expect-error an ambiguous call has no value
if (outcome.kind === 'ambiguous') outcome.value;

expectTypeOf<ExecuteOnceOutcome<1>['kind']>().toEqualTypeOf<
  | 'executed'
  | 'replayed'
  | 'gone'
  | 'busy'
  | 'ambiguous'
  | 'rejected'
  | 'exhausted'
  | 'aborted'
  | 'failed'
  | 'lost'
  | 'unrecorded'
>();
expectTypeOf<ClaimOutcome['kind']>().toEqualTypeOf<
  'execute' | 'replay' | 'gone' | 'wait' | 'ambiguous' | 'rejected' | 'exhausted' | 'stale'
>();
expectTypeOf<SettleOutcome['kind']>().toEqualTypeOf<'ok' | 'already' | 'fenced'>();

await executeOnce(store, key, ({ step }: EffectContext) => step('one', () => 1), {
  effect: 'resumable',
  signal: new AbortController().signal,
  reconcile: async () => ({ kind: 'happened', result: 2 }),
  classifyError: () => undefined,
});
// @ts-expect-error a reconciled result has the effect's type
await executeOnce(store, key, () => 1, { reconcile: async () => ({ kind: 'happened', result: 'two' }) });
// @ts-expect-error effects are opaque or resumable
await executeOnce(store, key, () => 1, { effect: 'idempotent' });
// @ts-expect-error a failure is clean, unknown or terminal
await executeOnce(store, key, () => 1, { classifyError: () => 'retry' });

expectTypeOf<EffectContext['signal']>().toEqualTypeOf<AbortSignal>();
expectTypeOf(createMemoryReceiptStore()).toEqualTypeOf<ReceiptStore>();
expectTypeOf(toolCallIdempotencyKey(key)).toEqualTypeOf<Promise<string>>();
expectTypeOf(withOccurrence('hash', toolCallOccurrences([], [key])[0] as number)).toEqualTypeOf<string>();
expectTypeOf(store.read(key)).resolves.toEqualTypeOf<ReceiptDetail | undefined>();
expectTypeOf<ReceiptDetail>().toExtend<ReceiptSummary>();
// @ts-expect-error a receipt that is listed has no result
(await store.list()).receipts[0]?.result;

declare const row: ReceiptRow;
const { outcome: answer, row: next } = applyClaim(row, { effect: 'opaque', token: 't', leaseMs: 1, maxAttempts: 1 }, 0);
expectTypeOf(next).toEqualTypeOf<ReceiptRow | undefined>();
// @ts-expect-error the store adds the journal
if (answer.kind === 'execute') answer.steps;
