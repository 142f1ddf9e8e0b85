import { geminiReader } from '@holdfast/stream-buffer/gemini';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flat, followAll } from './support/fixtures.js';

const key = fc.oneof(fc.string(), fc.constantFrom('a', '__proto__', "it's", '"', 'a.b', '[0]', '\\', '$'));
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
/** Values without empty containers, which no path leads to. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 3 }),
  ),
}));

interface Part {
  jsonPath: string;
  stringValue?: string;
  numberValue?: number;
  boolValue?: boolean;
  nullValue?: 'NULL_VALUE';
  willContinue?: boolean;
}

/** What a server would stream of a value: each leaf at its path, strings in pieces. */
function partsOf(path: string, at: unknown, cut: number): Part[] {
  if (Array.isArray(at)) return at.flatMap((item, index) => partsOf(`${path}[${index}]`, item, cut));
  if (typeof at === 'object' && at !== null) {
    return Object.entries(at).flatMap(([name, item]) => partsOf(path + stepOf(name), item, cut));
  }
  if (typeof at === 'number') return [{ jsonPath: path, numberValue: at }];
  if (typeof at === 'boolean') return [{ jsonPath: path, boolValue: at }];
  if (typeof at !== 'string') return [{ jsonPath: path, nullValue: 'NULL_VALUE' }];
  const pieces = at.match(new RegExp(`[^]{1,${cut}}`, 'g')) ?? [''];
  return pieces.map((stringValue, index) => ({
    jsonPath: path,
    stringValue,
    ...(index < pieces.length - 1 && { willContinue: true }),
  }));
}

const stepOf = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replace(/[\\']/g, '\\$&')}']`;

const chunkOf = (functionCall: object) => ({ candidates: [{ content: { parts: [{ functionCall }] } }] });

describe('arguments at JSON paths', () => {
  it('become the value that they are, in one text', () => {
    const args = fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 });
    fc.assert(
      fc.property(args, fc.integer({ min: 1, max: 4 }), (wanted, cut) => {
        const parts = partsOf('$', wanted, cut);
        const chunks = [
          chunkOf({ name: 'f', willContinue: true }),
          ...parts.map((part) => chunkOf({ partialArgs: [part], willContinue: true })),
          chunkOf({}),
        ];
        const calls = followAll(chunks, geminiReader()).map(flat);
        expect(calls).toMatchObject([{ id: 'call_0', name: 'f', kind: 'complete', differs: false }]);
        expect(JSON.stringify(calls[0]?.['parsed'])).toBe(JSON.stringify(JSON.parse(JSON.stringify(wanted))));
      }),
      { numRuns: 200 },
    );
  });

  it('become the same value in any order of the root fields, told in pieces', () => {
    const args = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.dictionary(fc.constantFrom('x', 'y'), leaf, { minKeys: 2 }),
      { minKeys: 2 },
    );
    fc.assert(
      fc.property(args, fc.infiniteStream(fc.nat()), (wanted, numbers) => {
        const shuffled = partsOf('$', wanted, 1_000)
          .map((part) => ({ part, at: numbers.next().value as number }))
          .sort((one, other) => one.at - other.at)
          .map(({ part }) => part);
        const calls = followAll([chunkOf({ name: 'f', partialArgs: shuffled })], geminiReader()).map(flat);
        expect(calls).toHaveLength(1);
        expect(calls[0]?.['parsed']).toEqual(JSON.parse(JSON.stringify(wanted)));
      }),
      { numRuns: 150 },
    );
  });

  it('that contradict each other never become a value, nor hang', () => {
    for (const paths of [
      ['$.a', '$.a.b'],
      ['$[0]'],
      ['$.a[5]'],
      ['$.a[0]', '$.a.b'],
      ['$.a[4000000000]'],
      ['$.a[0]', '$.a[2]'],
    ]) {
      const partialArgs = paths.map((jsonPath) => ({ jsonPath, stringValue: 'x' }));
      const chunks = partialArgs.map((part) => chunkOf({ name: 'f', partialArgs: [part], willContinue: true }));
      for (const streamed of [[chunkOf({ name: 'f', partialArgs })], [...chunks, chunkOf({})]]) {
        const calls = followAll(streamed, geminiReader());
        expect([paths, calls.map(({ verdict }) => verdict.kind)]).toEqual([paths, ['invalid']]);
      }
    }
  });
});
