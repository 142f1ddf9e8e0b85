import { describe, expect, it } from 'vitest';
import { accountOf } from '../src/account.js';
import type { Report } from '../src/report.js';

const twice: readonly Report[] = [
  { kind: 'delivered', job: 'a' },
  { kind: 'standing', job: 'a', moment: 'in the middle' },
  { kind: 'delivered', job: 'a' },
  { kind: 'decided', job: 'a', decision: 'reconciled' },
  { kind: 'decided', job: 'a', decision: 'replayed', attempt: 1 },
  { kind: 'finished', job: 'a' },
];

function account(effects: number, receipts = true, reports = twice) {
  return accountOf({ killedPid: 1, secondPid: 2, reports }, [{ job: 'a', effects }], receipts);
}

describe('accountOf', () => {
  it('lists what became of a job', () => {
    expect(account(1).text).toMatch(/^a {4}in the middle {2}2 {11}1 {9}reconciled, replayed {2}1$/m);
  });

  it.each([
    ['one effect', 1, true],
    ['no effect', 0, false],
    ['two effects', 2, false],
  ])('with receipts and %s', (_, effects, holds) => {
    expect(account(effects).holds).toBe(holds);
    expect(account(effects).text.includes('The proof holds')).toBe(holds);
  });

  it.each([
    ['one effect', 1, false],
    ['two effects', 2, true],
  ])('without receipts and with %s', (_, effects, holds) => {
    expect(account(effects, false).holds).toBe(holds);
  });

  it('proves nothing when a job came only once', () => {
    const once = twice.slice(2);
    expect(account(1, true, once).holds).toBe(false);
    expect(account(1, true, once).text).toContain('The proof does not hold');
    expect(account(2, false, once).holds).toBe(false);
  });
});
