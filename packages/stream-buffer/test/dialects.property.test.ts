import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { followToolCalls } from '@holdfast/stream-buffer/follow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readers, readFixtures } from './support/fixtures.js';

/** The same streams with anything in any place. */
function spoil(value: unknown, spoiled: readonly unknown[], at: () => number): unknown {
  if (at() % 12 === 0) return spoiled[at() % spoiled.length];
  if (Array.isArray(value)) return value.map((item) => spoil(item, spoiled, at));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoil(item, spoiled, at)]));
}

describe('a stream with anything in any place', () => {
  const fixtures = readFixtures();

  it.each(Object.keys(readers))('never throws, and every call gets a verdict: %s', (dialect) => {
    const own = fixtures.filter((fixture) => fixture.dialect === dialect);
    const anything = fc.array(
      fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(null, [], {}, [null], '__proto__', -1, 1.5, '', [{}])),
      { minLength: 3 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...own), anything, fc.infiniteStream(fc.nat()), (fixture, spoiled, numbers) => {
        const at = () => numbers.next().value as number;
        const buffer = new StreamingToolCallBuffer();
        const follower = followToolCalls(buffer, readers[dialect]?.() as never);
        const given = new Set<string>();
        const take = (calls: readonly { readonly id: string }[]) => {
          for (const { id } of calls) given.add(id);
        };
        for (const chunk of fixture.chunks) take(follower.push(spoil(chunk, spoiled, at) as never));
        take(follower.end());
        for (const id of buffer.ids()) expect(given).toContain(id);
      }),
      { numRuns: 100 },
    );
  });
});
