import type { ClaimOutcome, ReceiptClaim, ReceiptStore, ReceiptVerdict, ToolCallReceiptKey } from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLibsql, stillClock } from './support/databases.js';

const LEASE = 100;

/** One thing to do to a store. Each answers with everything that the store said. */
type Step = (store: ReceiptStore, grants: readonly Grant[]) => Promise<unknown>;
type Grant = { readonly key: ToolCallReceiptKey; readonly claim: ReceiptClaim };

const text = fc.constantFrom('', 'done', '\u0000', '\ud800', '😀');
const key = fc.record({
  tenantId: fc.constantFrom('t', 'u'),
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
  )
  .map(([back, verb, said, name]) => async (store, grants) => {
    const grant = grants[grants.length - 1 - back];
    if (grant === undefined) return 'nothing was granted';
    if (verb === 'renew') return store.renew(grant.key, grant.claim, LEASE);
    if (verb === 'step') return store.step(grant.key, grant.claim, LEASE, name, said);
    if (verb === 'complete') return store.complete(grant.key, grant.claim, said);
    return store.fail(grant.key, grant.claim, { kind: verb as 'clean', error: said });
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
  token: fc.constantFrom('a', 'b', 'c', 'd'),
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

async function contents(store: ReceiptStore): Promise<string[]> {
  const { receipts } = await store.list();
  return receipts
    .map((receipt) =>
      JSON.stringify(receipt, Object.keys(receipt).concat(Object.keys(receipt.key), 'kind', 'text').sort()),
    )
    .sort();
}

describe('the SQLite store', () => {
  const answers = new Map<string, number>();

  it('answers like the memory store, whatever is asked of it', async () => {
    const database = openLibsql(':memory:');
    const { clock, calendar, advance } = stillClock();
    const sqlite = openSqliteReceiptStore(database, { clock, calendar });
    const play = async (events: readonly Event[]) => {
      database.exec('DELETE FROM holdfast_receipts; DELETE FROM holdfast_receipt_steps');
      const memory = createMemoryReceiptStore({ now: calendar });
      const grants: Grant[] = [];
      for (const each of events) {
        if ('tick' in each) {
          advance(each.tick);
          continue;
        }
        const ask: Step =
          'step' in each ? each.step : (store) => store.claim(each.claim.key, { ...each.claim, leaseMs: LEASE });
        const expected = await ask(memory, grants);
        expect(await ask(sqlite, grants)).toEqual(expected);
        const { kind } = expected as { readonly kind?: string };
        if (kind !== undefined) answers.set(kind, (answers.get(kind) ?? 0) + 1);
        if ('claim' in each && kind === 'execute') {
          const { attempt } = expected as ClaimOutcome & { kind: 'execute' };
          grants.push({ key: each.claim.key, claim: { attempt, token: each.claim.token } });
        }
      }
      expect(await contents(sqlite)).toEqual(await contents(memory));
    };
    await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), play), {
      numRuns: 400,
    });
    database.close();
  });

  it('was asked for every kind of answer', () => {
    const kinds = [
      'execute',
      'replay',
      'gone',
      'wait',
      'ambiguous',
      'rejected',
      'exhausted',
      'stale',
      'ok',
      'already',
      'fenced',
    ];
    for (const kind of kinds) expect(answers.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(20);
  });
});
