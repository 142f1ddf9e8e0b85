import { toolCallOccurrences, withOccurrence } from '@holdfast/receipts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const call = (argsHash: string, toolName = 'send') => ({ toolName, argsHash });
const done = (argsHash: string) => ({ ...call(argsHash), settled: true });
const open = (argsHash: string) => ({ ...call(argsHash), settled: false });

describe('toolCallOccurrences', () => {
  it('counts identical calls of a run by content', () => {
    expect(toolCallOccurrences([], [call('a')])).toEqual([0]);
    expect(toolCallOccurrences([[done('a')]], [call('a')])).toEqual([1]);
    expect(toolCallOccurrences([[done('a')], [done('b'), done('a')]], [call('a'), call('b'), call('c')])).toEqual([
      2, 1, 0,
    ]);
    expect(toolCallOccurrences([[done('a')]], [call('a', 'other')])).toEqual([0]);
    expect(toolCallOccurrences([[{ toolName: 'x', argsHash: '1:y', settled: true }]], [call('y', 'x1:')])).toEqual([0]);
  });

  it('tells identical calls of one turn apart', () => {
    expect(toolCallOccurrences([], [call('a'), call('b'), call('a')])).toEqual([0, 0, 1]);
    expect(toolCallOccurrences([[done('a'), done('a')]], [call('a'), call('a')])).toEqual([2, 3]);
  });

  it('lets a retry of an unsettled call meet it again', () => {
    expect(toolCallOccurrences([[open('a')]], [call('a')])).toEqual([0]);
    expect(toolCallOccurrences([[done('a')], [open('a')], [open('a')]], [call('a')])).toEqual([1]);
    expect(toolCallOccurrences([[open('a'), done('a')]], [call('a')])).toEqual([0]);
    expect(toolCallOccurrences([[open('a'), done('a')], [done('a')]], [call('a')])).toEqual([2]);
  });

  it('does not depend on the order in which a turn asks', () => {
    const turns = fc.array(
      fc.array(fc.record({ toolName: fc.constant('t'), argsHash: fc.constantFrom('a', 'b'), settled: fc.boolean() })),
    );
    const calls = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    fc.assert(
      fc.property(turns, calls, fc.infiniteStream(fc.nat()), (past, hashes, random) => {
        const keys = (order: readonly string[]) => {
          const numbers = toolCallOccurrences(
            past,
            order.map((hash) => call(hash)),
          );
          return order.map((hash, index) => withOccurrence(hash, numbers[index] as number)).sort();
        };
        const shuffled = hashes.map((hash) => [random.next().value as number, hash] as const).sort(([a], [b]) => a - b);
        expect(keys(shuffled.map(([, hash]) => hash))).toEqual(keys(hashes));
        expect(new Set(keys(hashes)).size).toBe(hashes.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('withOccurrence', () => {
  it('leaves the first as it is, and marks the others', () => {
    expect([0, 1, 12].map((occurrence) => withOccurrence('v1.s256.ab', occurrence))).toEqual([
      'v1.s256.ab',
      'v1.s256.ab#1',
      'v1.s256.ab#12',
    ]);
  });

  it('refuses what would make two calls one', () => {
    for (const occurrence of [-1, 0.5, Number.NaN]) expect(() => withOccurrence('a', occurrence)).toThrow(/occurrence/);
    expect(() => withOccurrence('a#1', 1)).toThrow(/argsHash/);
    expect(() => withOccurrence('a#1', 0)).toThrow(/argsHash/);
  });
});
