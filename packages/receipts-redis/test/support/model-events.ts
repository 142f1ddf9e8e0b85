/** Random lives of a few receipts, for comparing a store with the memory store. */

import type { ReceiptClaim, ReceiptStore, ReceiptVerdict, ToolCallReceiptKey } from '@holdfast/receipts';
import fc from 'fast-check';

export const LEASE = 100;

/** An attempt that was granted. */
export interface Grant {
  readonly key: ToolCallReceiptKey;
  readonly claim: ReceiptClaim;
}

/** One thing to do to a store. Each answers with everything that the store said. */
export type Step = (store: ReceiptStore, grants: readonly Grant[]) => Promise<unknown>;

export interface Claim {
  readonly key: ToolCallReceiptKey;
  readonly token: string;
  readonly effect: 'opaque' | 'resumable';
  readonly maxAttempts: number;
}

export type Event = { readonly claim: Claim } | { readonly step: Step } | { readonly tick: number };

const text = fc.constantFrom('', 'done', 'a:b:c', '\u0000', '\ud800', '😀', '\\json:"x"');
const key = fc.record({
  tenantId: fc.constantFrom('t', 't', 't', '}u{\ud800'),
  runId: fc.constantFrom('r', 'r', 'r', '{}'),
  toolName: fc.constant('tool'),
  argsHash: fc.constantFrom('1', '1', '1', '2'),
});
const verdict: fc.Arbitrary<ReceiptVerdict> = fc.oneof(
  fc.record({ kind: fc.constant('happened' as const), result: text }),
  fc.constant({ kind: 'did-not-happen' as const }),
  fc.record({ kind: fc.constant('give-up' as const), error: text }),
);

/** A write by one of the grants so far, the latest most often, so that zombies write too. */
const write: fc.Arbitrary<Step> = fc
  .tuple(
    fc.nat(3),
    fc.constantFrom('renew', 'step', 'complete', 'complete', 'complete', 'clean', 'clean', 'unknown', 'terminal'),
    text,
    fc.constantFrom('a', '__proto__'),
  )
  .map(([back, verb, said, name]) => async (store, grants) => {
    const grant = grants[grants.length - 1 - back];
    if (grant === undefined) return 'nothing was granted';
    if (verb === 'renew') return store.renew(grant.key, grant.claim, LEASE);
    if (verb === 'step') return store.step(grant.key, grant.claim, LEASE, name, said);
    if (verb === 'complete') return store.complete(grant.key, grant.claim, said);
    return store.fail(grant.key, grant.claim, { kind: verb as 'clean', error: said });
  });

/** A write by nobody's grant: an attempt too early or too late, or another token. */
const forged: fc.Arbitrary<Step> = fc
  .tuple(key, fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b', 'x'), text)
  .map(
    ([at, attempt, token, said]) =>
      (store) =>
        store.complete(at, { attempt, token }, said),
  );

const resolve: fc.Arbitrary<Step> = fc.tuple(key, fc.integer({ min: 1, max: 3 }), verdict).map(
  ([at, attempt, said]) =>
    (store) =>
      store.resolve(at, attempt, said),
);

const collect: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(0, 0, 50), fc.constantFrom(50, 5_000, Number.POSITIVE_INFINITY))
  .map(
    ([dropResultsAfterMs, removeKeysAfterMs]) =>
      (store) =>
        store.collect({ dropResultsAfterMs, removeKeysAfterMs }),
  );

const claim: fc.Arbitrary<Claim> = fc.record({
  key,
  token: fc.constantFrom('a', 'b', 'c', '\ud800'),
  effect: fc.constantFrom('opaque' as const, 'resumable' as const),
  maxAttempts: fc.constantFrom(1, 2),
});

export const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: claim.map((wanted) => ({ claim: wanted })) },
  { weight: 10, arbitrary: write.map((step) => ({ step })) },
  { weight: 1, arbitrary: forged.map((step) => ({ step })) },
  { weight: 2, arbitrary: resolve.map((step) => ({ step })) },
  { weight: 1, arbitrary: collect.map((step) => ({ step })) },
  { weight: 6, arbitrary: fc.constantFrom(1, LEASE - 1, LEASE, 250).map((tick) => ({ tick })) },
);
