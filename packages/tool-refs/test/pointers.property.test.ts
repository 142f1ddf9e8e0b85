import { isDeepStrictEqual } from 'node:util';
import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const name = fc.oneof(
  fc.constantFrom('a', 'b', '0', '1', '-', '~', '/', '~1', '', '__proto__', 'é😀', '{x}'),
  fc.string(),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.constantFrom(null, true, false, '{{tool0turn0}}', '\\u'), fc.integer(), fc.double(), fc.string()),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** Every value inside a value, with its pointer, found by walking what `JSON.parse` gives. */
function* valuesOf(value: unknown, pointer = ''): Generator<[pointer: string, value: unknown]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const inner = Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
    yield* valuesOf(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** Braces that do not stand in pairs cannot be written in a pointer. */
const canBeWritten = (pointer: string) => /^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(pointer);

describe('a pointer', () => {
  it('gives what walking the parsed output gives: alone, in a longer text, and in a JSON text', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1, '\t\n'), (value, space) => {
        const output = JSON.stringify(value, null, space);
        const registry = new ToolOutputReferenceRegistry();
        registry.set('r', 'tool0turn0', output);
        const values = [...valuesOf(JSON.parse(output))].filter(([pointer]) => canBeWritten(pointer));
        const written = values.map(([pointer]) => `{{tool0turn0#${pointer}}}`);
        const { resolved, unresolved } = registry.resolve('r', written as unknown[]);
        expect(unresolved).toEqual([]);
        expect(
          isDeepStrictEqual(
            resolved,
            values.map(([, inner]) => inner),
          ),
        ).toBe(true);
        const inText = JSON.parse(registry.resolve('r', JSON.stringify(written)).resolved) as unknown;
        expect(isDeepStrictEqual(inText, resolved)).toBe(true);
        const around = registry.resolve(
          'r',
          written.map((text) => `<${text}>`),
        ).resolved;
        for (const [index, [, inner]] of values.entries()) {
          const text = around[index]?.slice(1, -1) ?? '';
          expect(typeof inner === 'string' ? text : isDeepStrictEqual(JSON.parse(text), inner)).toBe(
            typeof inner === 'string' ? inner : true,
          );
        }
      }),
      { numRuns: 600 },
    );
  });

  it('never rounds: a number comes as itself, or as its digits', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,24})(?:\.[0-9]{1,24})?(?:[eE][+-]?[0-9]{1,3})?$/);
    fc.assert(
      fc.property(digits, (written) => {
        const registry = new ToolOutputReferenceRegistry();
        registry.set('r', 'tool0turn0', `{"n":${written}}`);
        const value = registry.resolve('r', { a: '{{tool0turn0#/n}}' }).resolved.a as unknown;
        if (typeof value === 'number') expect(sameDecimal(written, String(value))).toBe(true);
        else expect(value).toBe(written);
        if (/^-?[0-9]{1,15}$/.test(written)) expect(value).toBe(Number(written));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Compares two decimal numbers exactly, as fractions of whole numbers. */
function sameDecimal(a: string, b: string): boolean {
  const [numeratorA, powerA] = toFraction(a);
  const [numeratorB, powerB] = toFraction(b);
  const power = Math.min(powerA, powerB);
  return numeratorA * 10n ** BigInt(powerA - power) === numeratorB * 10n ** BigInt(powerB - power);
}

function toFraction(written: string): [numerator: bigint, power: number] {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [
    BigInt(whole.replace('-', '') + fraction) * (whole.startsWith('-') ? -1n : 1n),
    Number(exponent) - fraction.length,
  ];
}
