import {
  type ClaimRequest,
  decideToolCallReceipt,
  type EffectResumability,
  type ReceiptState,
} from '@holdfast/receipts';
import {
  applyClaim,
  applyComplete,
  applyFail,
  applyRenew,
  applyResolve,
  type ReceiptRow,
  type ReceiptTransition,
} from '@holdfast/receipts/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const NOW = 1_000;
const EFFECTS: readonly EffectResumability[] = ['opaque', 'resumable'];

function rowIn(state: Exclude<ReceiptState, { kind: 'absent' }>, effect: EffectResumability): ReceiptRow {
  const attempts = state.kind === 'completed' ? 1 : state.attempts;
  const leaseUntil = state.kind === 'running' && !state.leaseExpired ? NOW + 1 : NOW;
  const result = state.kind === 'completed' ? 'done' : null;
  return {
    status: state.kind,
    attempts,
    effect,
    token: 'holder',
    leaseUntil,
    result,
    error: null,
    evidence: null,
    resolved: false,
  };
}

describe('applyClaim equals decideToolCallReceipt', () => {
  const states: ReceiptState[] = [
    { kind: 'absent' },
    { kind: 'completed' },
    ...[1, 2, 41].flatMap((attempts): ReceiptState[] => [
      { kind: 'failed', attempts },
      { kind: 'running', attempts, leaseExpired: false },
      { kind: 'running', attempts, leaseExpired: true },
    ]),
  ];
  for (const state of states) {
    for (const effect of EFFECTS) {
      it(`for ${JSON.stringify(state)} and an ${effect} effect`, () => {
        const row = state.kind === 'absent' ? undefined : rowIn(state, effect);
        const request: ClaimRequest = { effect, token: 'caller', leaseMs: 10, maxAttempts: 100 };
        const { outcome } = applyClaim(row, request, NOW);
        expect(outcome).toMatchObject(decideToolCallReceipt({ state, effect }));
      });
    }
  }
});

/** What may be sent about one key, by three callers whose requests may be delayed, repeated and reordered at will. */
type Verb =
  | { readonly verb: 'claim'; readonly token: string; readonly effect: EffectResumability }
  | { readonly verb: 'renew' | 'complete' | 'clean' | 'unknown' | 'terminal'; readonly sender: number }
  | { readonly verb: 'resolve'; readonly attempt: number; readonly verdict: 'happened' | 'did-not-happen' | 'give-up' }
  | { readonly verb: 'tick'; readonly ms: number };

function verbs(effects: readonly EffectResumability[]): fc.Arbitrary<Verb[]> {
  const verb: fc.Arbitrary<Verb> = fc.oneof(
    fc.record({
      verb: fc.constant('claim' as const),
      token: fc.constantFrom('a', 'b', 'c', 'd'),
      effect: fc.constantFrom(...effects),
    }),
    fc.record({
      verb: fc.constantFrom(
        'renew' as const,
        'complete' as const,
        'clean' as const,
        'unknown' as const,
        'terminal' as const,
      ),
      sender: fc.nat(4),
    }),
    fc.record({
      verb: fc.constant('resolve' as const),
      attempt: fc.integer({ min: 1, max: 3 }),
      verdict: fc.constantFrom('happened' as const, 'did-not-happen' as const, 'give-up' as const),
    }),
    fc.record({ verb: fc.constant('tick' as const), ms: fc.constantFrom(1, 9, 10, 11, 100) }),
  );
  return fc.array(verb, { minLength: 1, maxLength: 40 });
}

/** Plays verbs against one receipt and keeps a diary that knows nothing of how the receipt decides. */
function play(script: readonly Verb[]) {
  let row: ReceiptRow | undefined;
  let now = NOW;
  const grants: { attempt: number; token: string }[] = [];
  const diary = { grants, allowances: 0, results: [] as string[] };
  const apply = <Outcome extends { kind: string }>(transition: ReceiptTransition<Outcome>): Outcome => {
    const before = row;
    row = transition.row ?? row;
    if (before !== undefined && row !== undefined) {
      expect(row.attempts).toBeGreaterThanOrEqual(before.attempts);
      if (before.status === 'completed') expect(row).toMatchObject({ status: 'completed', result: before.result });
    }
    return transition.outcome;
  };
  for (const step of script) {
    if (step.verb === 'tick') {
      now += step.ms;
    } else if (step.verb === 'claim') {
      const outcome = apply(
        applyClaim(row, { token: step.token, effect: step.effect, leaseMs: 10, maxAttempts: 4 }, now),
      );
      if (outcome.kind === 'execute') grants.push({ attempt: outcome.attempt, token: step.token });
      if (outcome.kind === 'replay') diary.results.push(outcome.result);
    } else if (step.verb === 'resolve') {
      const verdict = { kind: step.verdict, result: 'said', error: 'said' };
      const outcome = apply(applyResolve(row, step.attempt, verdict, now));
      if (outcome.kind === 'ok' && step.verdict === 'did-not-happen') diary.allowances++;
    } else {
      const claim = grants[step.sender];
      if (claim === undefined) continue;
      if (step.verb === 'renew') apply(applyRenew(row, claim, 10, now));
      else if (step.verb === 'complete') apply(applyComplete(row, claim, `by ${claim.attempt}`));
      else if (apply(applyFail(row, claim, { kind: step.verb, error: 'no' })).kind === 'ok' && step.verb === 'clean')
        diary.allowances++;
    }
  }
  return diary;
}

describe('whatever is sent, delayed, repeated or reordered', () => {
  const options = { numRuns: 1_000 };

  it('no attempt number is granted to two tokens', () => {
    fc.assert(
      fc.property(verbs(EFFECTS), (script) => {
        const owners = new Map<number, string>();
        for (const { attempt, token } of play(script).grants) {
          expect(owners.get(attempt) ?? token).toBe(token);
          owners.set(attempt, token);
        }
      }),
      options,
    );
  });

  it('attempts are granted in order, up to the limit', () => {
    fc.assert(
      fc.property(verbs(EFFECTS), (script) => {
        let last = 0;
        for (const { attempt } of play(script).grants) {
          expect(attempt === last || attempt === last + 1).toBe(true);
          last = attempt;
        }
        expect(last).toBeLessThanOrEqual(4);
      }),
      options,
    );
  });

  it('an opaque effect is granted once, and once more for each time that it was said not to have happened', () => {
    fc.assert(
      fc.property(verbs(['opaque']), (script) => {
        const { grants, allowances } = play(script);
        expect(new Set(grants.map(({ attempt }) => attempt)).size).toBeLessThanOrEqual(1 + allowances);
      }),
      options,
    );
  });

  it('a recorded result never changes', () => {
    fc.assert(
      fc.property(verbs(EFFECTS), (script) => {
        expect(new Set(play(script).results).size).toBeLessThanOrEqual(1);
      }),
      options,
    );
  });
});
