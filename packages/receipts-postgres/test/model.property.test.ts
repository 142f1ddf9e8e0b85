import type { ReceiptClaim, ReceiptStore, ReceiptVerdict, ToolCallReceiptKey } from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { empty, hasServer, newSchema, openPool, stillClock } from './support/databases.js';

const LEASE = 100;

/** One thing to do to a store. Each answers with everything that the store said. */
type Step = (store: ReceiptStore, grants: readonly Grant[]) => Promise<unknown>;
type Grant = { readonly key: ToolCallReceiptKey; readonly claim: ReceiptClaim };

const text = fc.constantFrom('', 'done', '\u0000', '\ud800', '😀', 'granted 1 {}');
const key = fc.record({
  tenantId: fc.constantFrom('t', 't', 'u\u0000'),
  runId: fc.constant('r'),
  toolName: fc.constant('tool'),
  argsHash: fc.constantFrom('1', '1', '2'),
});
const verdict: fc.Arbitrary<ReceiptVerdict> = fc.oneof(
  fc.record({ kind: fc.constant('happened' as const), result: text }),
  fc.constant({ kind: 'did-not-happen' as const }),
  fc.record({ kind: fc.constant('give-up' as const), error: text }),
);

/** A write by one of the grants so far, the latest most often, so that zombies write too. */
const write: fc.Arbitrary<Step> = fc
  .tuple(
    fc.nat(2),
    fc.constantFrom('renew', 'step', 'complete', 'complete', 'complete', 'clean', 'clean', 'unknown', 'terminal'),
    text,
    fc.constantFrom('a', 'b'),
    fc.constantFrom(0, 0, 0, 1),
  )
  .map(([back, verb, said, name, wrong]) => async (store, grants) => {
    const grant = grants[grants.length - 1 - back];
    if (grant === undefined) return 'nothing was granted';
    const claim = { ...grant.claim, attempt: grant.claim.attempt + wrong };
    if (verb === 'renew') return store.renew(grant.key, claim, LEASE);
    if (verb === 'step') return store.step(grant.key, claim, LEASE, name, said);
    if (verb === 'complete') return store.complete(grant.key, claim, said);
    return store.fail(grant.key, claim, { kind: verb as 'clean', error: said });
  });

const resolve: fc.Arbitrary<Step> = fc.tuple(key, fc.integer({ min: 1, max: 3 }), verdict).map(
  ([at, attempt, said]) =>
    (store) =>
      store.resolve(at, attempt, said),
);

const collect: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(0, 0, 50), fc.constantFrom(50, 5_000, 5_000)).map(
  ([dropResultsAfterMs, removeKeysAfterMs]) =>
    (store) =>
      store.collect({ dropResultsAfterMs, removeKeysAfterMs }),
);

interface Claim {
  readonly key: ToolCallReceiptKey;
  readonly token: string;
  readonly effect: 'opaque' | 'resumable';
  readonly maxAttempts: number;
}
const claim: fc.Arbitrary<Claim> = fc.record({
  key,
  token: fc.constantFrom('a', 'b', 'c', '\udfff'),
  effect: fc.constantFrom('opaque' as const, 'resumable' as const),
  maxAttempts: fc.constantFrom(1, 2),
});

type Event = { readonly claim: Claim } | { readonly step: Step } | { readonly tick: number };
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: claim.map((wanted) => ({ claim: wanted })) },
  { weight: 5, arbitrary: write.map((step) => ({ step })) },
  { weight: 1, arbitrary: resolve.map((step) => ({ step })) },
  { weight: 2, arbitrary: collect.map((step) => ({ step })) },
  { weight: 3, arbitrary: fc.constantFrom(1, LEASE - 1, LEASE, 250).map((tick) => ({ tick })) },
);

async function contents(store: ReceiptStore) {
  const { receipts } = await store.list();
  const texts = receipts.map((receipt) => [JSON.stringify(receipt.key), receipt] as const);
  return new Map(texts);
}

describe.skipIf(!hasServer)('the PostgreSQL store', () => {
  const pool = openPool();
  const schema = pool.dropsLater(newSchema());
  const answers = new Map<string, number>();

  it('answers like the memory store, whatever is asked of it', async () => {
    const clock = await stillClock(pool, schema);
    const postgres = await openPostgresReceiptStore(clock.client, { schema });
    let now = 0;
    const play = async (events: readonly Event[]) => {
      await empty(pool, schema);
      const memory = createMemoryReceiptStore({ now: () => now });
      const grants: Grant[] = [];
      for (const each of events) {
        if ('tick' in each) {
          now += each.tick;
          await clock.advance(each.tick);
          continue;
        }
        const ask: Step =
          'step' in each ? each.step : (store) => store.claim(each.claim.key, { ...each.claim, leaseMs: LEASE });
        const expected = await ask(memory, grants);
        expect(await ask(postgres, grants)).toEqual(expected);
        const said = expected as { readonly kind?: string; readonly attempt?: number };
        if (said.kind !== undefined) answers.set(said.kind, (answers.get(said.kind) ?? 0) + 1);
        if ('claim' in each && said.kind === 'execute') {
          grants.push({ key: each.claim.key, claim: { attempt: said.attempt ?? 0, token: each.claim.token } });
        }
      }
      expect(await contents(postgres)).toEqual(await contents(memory));
    };
    const numRuns = Number(process.env.HOLDFAST_TEST_RUNS ?? 80);
    await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), play), { numRuns });
  }, 600_000);

  it('was asked for every kind of answer', () => {
    const claims = ['execute', 'replay', 'gone', 'wait', 'ambiguous', 'rejected', 'exhausted', 'stale'];
    for (const kind of [...claims, 'ok', 'already', 'fenced']) {
      expect(answers.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(5);
    }
  });
});
