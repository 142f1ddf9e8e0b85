import {
  decideToolCallReceipt,
  type EffectResumability,
  type ReceiptState,
  ReceiptStateError,
} from '@holdfast/receipts';
import { afterEach, describe, expect, it, vi } from 'vitest';

type Row = readonly [state: ReceiptState, resumable: object, opaque: object];

const reason = expect.stringMatching(/\S/);
const wait = { kind: 'wait', reason };
const ambiguous = { kind: 'ambiguous', reason };
const replay = { kind: 'replay' };
const execute = (attempt: number) => ({ kind: 'execute', attempt });

/** All states, by hand. */
const table: readonly Row[] = [
  [{ kind: 'absent' }, execute(1), execute(1)],
  [{ kind: 'completed' }, replay, replay],
  [{ kind: 'failed', attempts: 0 }, execute(1), execute(1)],
  [{ kind: 'failed', attempts: 1 }, execute(2), execute(2)],
  [{ kind: 'failed', attempts: 2 }, execute(3), execute(3)],
  [{ kind: 'failed', attempts: 41 }, execute(42), execute(42)],
  [{ kind: 'running', attempts: 0, leaseExpired: false }, wait, wait],
  [{ kind: 'running', attempts: 1, leaseExpired: false }, wait, wait],
  [{ kind: 'running', attempts: 2, leaseExpired: false }, wait, wait],
  [{ kind: 'running', attempts: 1_000_000, leaseExpired: false }, wait, wait],
  [{ kind: 'running', attempts: 1, leaseExpired: true }, execute(2), ambiguous],
  [{ kind: 'running', attempts: 3, leaseExpired: true }, execute(4), ambiguous],
];

describe('decideToolCallReceipt', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(table)('decides %j', (state, resumable, opaque) => {
    expect(decideToolCallReceipt({ state, effect: 'resumable' })).toEqual(resumable);
    expect(decideToolCallReceipt({ state, effect: 'opaque' })).toEqual(opaque);
  });
  it('never waits for a dead worker, and lets a repeatable effect go on', () => {
    const state = { kind: 'running', attempts: 3, leaseExpired: true } as const;
    expect(decideToolCallReceipt({ state, effect: 'resumable' })).toEqual({ kind: 'execute', attempt: 4 });
  });
  it('stays ambiguous until the host records what happened', () => {
    const state = { kind: 'running', attempts: 1, leaseExpired: true } as const;
    const answers = [1, 2, 3].map(() => decideToolCallReceipt({ state, effect: 'opaque' }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.kind).toBe('ambiguous');
    expect(decideToolCallReceipt({ state: { kind: 'completed' }, effect: 'opaque' })).toEqual({ kind: 'replay' });
  });
  it('executes an opaque effect for absent and failed receipts only', () => {
    const kinds = table.map(
      ([state]) => [state.kind, decideToolCallReceipt({ state, effect: 'opaque' }).kind] as const,
    );
    const executed = kinds.filter(([, decision]) => decision === 'execute').map(([state]) => state);
    expect(new Set(executed)).toEqual(new Set(['absent', 'failed']));
  });
  it.each([0, 4_102_444_800_000])('reads no clock: the answers are the same at %i', (now) => {
    vi.useFakeTimers({ now });
    for (const [state, resumable, opaque] of table) {
      expect(decideToolCallReceipt({ state, effect: 'resumable' })).toEqual(resumable);
      expect(decideToolCallReceipt({ state, effect: 'opaque' })).toEqual(opaque);
    }
  });
  it('names the attempt in its reasons', () => {
    const reasons = [true, false].map((leaseExpired) =>
      decideToolCallReceipt({ state: { kind: 'running', attempts: 7, leaseExpired }, effect: 'opaque' }),
    );
    for (const decision of reasons) expect(decision).toMatchObject({ reason: expect.stringContaining('7') });
  });
});

describe('a receipt that makes no sense', () => {
  const attempts = [
    -1,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    '1',
    undefined,
    null,
    1n,
  ];

  it.each(attempts)('is refused with %s attempts', (value) => {
    expectRefusal({ kind: 'failed', attempts: value }, 'opaque', 'state.attempts');
    expectRefusal({ kind: 'running', attempts: value, leaseExpired: false }, 'opaque', 'state.attempts');
    expectRefusal({ kind: 'running', attempts: value, leaseExpired: true }, 'resumable', 'state.attempts');
  });
  it.each([undefined, null, 0, 1, 'false'])('is refused with a lease that is %s', (leaseExpired) => {
    expectRefusal({ kind: 'running', attempts: 1, leaseExpired }, 'resumable', 'state.leaseExpired');
  });
  it.each(['pending', '', undefined, null, 'constructor'])('is refused as %s', (kind) => {
    expectRefusal({ kind, attempts: 1 }, 'opaque', 'state.kind');
  });
  it.each(['idempotent', '', undefined, null, true])('is refused for the effect %s, whatever its state', (effect) => {
    for (const [state] of table) expectRefusal(state, effect, 'effect');
  });
});

function expectRefusal(state: unknown, effect: unknown, field: string): void {
  const decide = () => decideToolCallReceipt({ state: state as ReceiptState, effect: effect as EffectResumability });
  expect(decide).toThrow(ReceiptStateError);
  expect(decide).toThrow(expect.objectContaining({ code: 'ERR_HOLDFAST_RECEIPT_STATE', field }));
}
