import { webcrypto } from 'node:crypto';
import {
  type CanonicalJsonError,
  type CanonicalJsonReason,
  canonicalJson,
  type DigestFn,
  decideToolCallReceipt,
  type EffectResumability,
  hmacSha256Digest,
  type ReceiptDecision,
  type ReceiptState,
  sha256Digest,
  type ToolCallReceiptKey,
  toolCallArgsHash,
  toolCallReceiptKeyString,
  type WebCryptoLike,
} from '@holdfast/receipts';
import { expectTypeOf } from 'vitest';

expectTypeOf<ToolCallReceiptKey>().toEqualTypeOf<{
  readonly tenantId: string;
  readonly runId: string;
  readonly toolName: string;
  readonly argsHash: string;
}>();
expectTypeOf(toolCallReceiptKeyString).toEqualTypeOf<(key: ToolCallReceiptKey) => string>();
// @ts-expect-error all four parts are required
toolCallReceiptKeyString({ runId: 'r', toolName: 't', argsHash: 'h' });

expectTypeOf(canonicalJson).toExtend<(value: unknown) => string>();
// @ts-expect-error limits are numbers
canonicalJson({}, { maxChars: '10' });

expectTypeOf<DigestFn>().toEqualTypeOf<(canonical: string) => Promise<string>>();
expectTypeOf(toolCallArgsHash).toExtend<(args: unknown, digest: DigestFn) => Promise<string>>();
expectTypeOf(sha256Digest).toExtend<DigestFn>();
expectTypeOf(hmacSha256Digest('a secret of sixteen bytes')).toEqualTypeOf<DigestFn>();
expectTypeOf(webcrypto).toExtend<WebCryptoLike>();
// @ts-expect-error a digest answers later
toolCallArgsHash({}, (canonical) => canonical);

expectTypeOf<EffectResumability>().toEqualTypeOf<'resumable' | 'opaque'>();
expectTypeOf<ReceiptState>().toEqualTypeOf<
  | { readonly kind: 'absent' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly attempts: number }
  | { readonly kind: 'running'; readonly attempts: number; readonly leaseExpired: boolean }
>();
expectTypeOf<ReceiptDecision>().toEqualTypeOf<
  | { readonly kind: 'execute'; readonly attempt: number }
  | { readonly kind: 'replay' }
  | { readonly kind: 'wait'; readonly reason: string }
  | { readonly kind: 'ambiguous'; readonly reason: string }
>();
expectTypeOf(decideToolCallReceipt).toEqualTypeOf<
  (input: { readonly state: ReceiptState; readonly effect: EffectResumability }) => ReceiptDecision
>();
// @ts-expect-error a running receipt needs its lease
decideToolCallReceipt({ state: { kind: 'running', attempts: 1 }, effect: 'opaque' });

declare const decision: ReceiptDecision;
switch (decision.kind) {
  case 'execute':
    expectTypeOf(decision.attempt).toBeNumber();
    break;
  case 'replay':
    expectTypeOf(decision).toEqualTypeOf<{ readonly kind: 'replay' }>();
    break;
  case 'wait':
  case 'ambiguous':
    expectTypeOf(decision.reason).toBeString();
    break;
  default:
    expectTypeOf(decision).toBeNever();
}

expectTypeOf<CanonicalJsonError['code']>().toEqualTypeOf<'ERR_HOLDFAST_CANONICAL_JSON'>();
expectTypeOf<CanonicalJsonError['reason']>().toEqualTypeOf<CanonicalJsonReason>();
expectTypeOf<CanonicalJsonError['name']>().toEqualTypeOf<'CanonicalJsonError'>();
