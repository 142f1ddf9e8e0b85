import { canonicalJson } from '@holdfast/receipts';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const runs = { numRuns: 1_000 };
/** Strings of any code units, lone surrogates included. */
const anyString = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => (text.length % 2 ? text.slice(1) : text));
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), tie('list'), tie('record')),
  leaf: fc.oneof(
    anyString,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(null, undefined, true, false, -0, 'x'.repeat(41), `${'x'.repeat(41)}"`),
  ),
  list: fc.array(tie('value'), { maxLength: 5 }),
  record: fc.dictionary(fc.oneof(anyString, fc.constantFrom('10', '9', 'toString', '__proto__')), tie('value'), {
    maxKeys: 20,
    noNullPrototype: true,
  }),
})).value;

/**
 * The oracle: a copy whose objects were filled in key order, written by JSON.stringify. Keys carry a mark, since an
 * object lists index-like keys first whatever the order of insertion; the mark is taken off the text again.
 */
function sortedCopyText(value: unknown): string {
  return JSON.stringify(sortedCopy(value)).replaceAll('"key:', '"');
}

function sortedCopy(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(sortedCopy);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareUnits(a, b));
  return Object.fromEntries(entries.map(([key, member]) => [`key:${key}`, sortedCopy(member)]));
}

/** UTF-16 code units as big-endian bytes, so that the order does not rest on string comparison. */
function compareUnits(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf16le').swap16(), Buffer.from(b, 'utf16le').swap16());
}

function shuffled(value: unknown, next: () => number): unknown {
  if (Array.isArray(value)) return value.map((member) => shuffled(member, next));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => ({ key, member, rank: next() }));
  entries.sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(entries.map(({ key, member }) => [key, shuffled(member, next)]));
}

it('equals a sorted deep copy that JSON.stringify writes', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      fc.pre(!JSON.stringify([value]).includes('"key:'));
      expect(canonicalJson(value)).toBe(sortedCopyText(value));
    }),
    runs,
  );
});

it('parses back to the value, with null for undefined and 0 for minus zero', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const text = canonicalJson(value);
      const nulled = JSON.parse(JSON.stringify([value], (_, member) => (member === undefined ? null : member)))[0];
      expect(JSON.parse(text)).toEqual(nulled);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
    runs,
  );
});

it('does not depend on the order of insertion', () => {
  fc.assert(
    fc.property(anyValue, fc.infiniteStream(fc.nat()), (value, ranks) => {
      const reordered = shuffled(value, () => ranks.next().value);
      expect(canonicalJson(reordered)).toBe(canonicalJson(value));
    }),
    runs,
  );
});

it('gives unlike values unlike texts', () => {
  const small = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(small, small, (one, other) => {
      const alike = canonicalJson(one) === canonicalJson(other);
      expect(alike).toBe(JSON.stringify(sortedCopy(one)) === JSON.stringify(sortedCopy(other)));
    }),
    runs,
  );
});

it('is well-formed text of ASCII escapes and valid pairs', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(canonicalJson(value)).not.toMatch(/\p{Surrogate}/u);
    }),
    runs,
  );
});

it('equals another implementation of RFC 8785 on all that both accept', () => {
  const json = fc.jsonValue({ stringUnit: 'binary' }).filter((value) => !/\\ud/.test(JSON.stringify(value)));
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value));
    }),
    runs,
  );
});
