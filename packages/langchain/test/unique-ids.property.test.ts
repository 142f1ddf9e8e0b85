import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uniqueIds } from '../src/reply/unique-ids.js';

const id = fc.oneof(fc.constantFrom('a', 'a_1', 'a_2', 'call', 'call_1', '__proto__'), fc.string({ maxLength: 3 }));
const ids = fc.array(
  fc.option(
    id.filter((text) => text !== ''),
    { nil: undefined },
  ),
  { maxLength: 12 },
);
const used = fc.array(id, { maxLength: 8 });
const run = { numRuns: 1_000 };

describe('unique ids', () => {
  it('are not empty, differ from each other and from the used ones, and come out the same again', () => {
    fc.assert(
      fc.property(ids, used, (given, taken) => {
        const made = uniqueIds(given, taken);
        expect(made).toHaveLength(given.length);
        expect(new Set(made).size).toBe(given.length);
        expect(made.filter((each) => each === '' || taken.includes(each))).toEqual([]);
        expect(uniqueIds(given, taken)).toEqual(made);
      }),
      run,
    );
  });

  it('keep the first use of every good id', () => {
    fc.assert(
      fc.property(ids, used, (given, taken) => {
        const made = uniqueIds(given, taken);
        given.forEach((each, index) => {
          const isFirst = each !== undefined && given.indexOf(each) === index && !taken.includes(each);
          if (isFirst) expect(made[index]).toBe(each);
        });
      }),
      run,
    );
  });

  it('of a finished list are left alone', () => {
    fc.assert(
      fc.property(ids, used, (given, taken) => {
        const made = uniqueIds(given, taken);
        expect(uniqueIds(made, taken)).toEqual(made);
      }),
      run,
    );
  });
});
