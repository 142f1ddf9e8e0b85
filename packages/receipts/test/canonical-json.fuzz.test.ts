/**
 * Random values of every kind against a plain writer that sorts entries by the bytes of UTF-16, and against another
 * implementation of RFC 8785. `HOLDFAST_FUZZ_RUNS=200000` makes as many values, from another seed each time.
 */

import { CanonicalJsonError, canonicalJson } from '@holdfast/receipts';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';

const asked = process.env['HOLDFAST_FUZZ_RUNS'];
const runs = Number(asked ?? 600);
const seed = Number(process.env['HOLDFAST_FUZZ_SEED'] ?? (asked === undefined ? 20_261_130 : Date.now() >>> 0));

type Random = (below: number) => number;

function randomOf(start: number): Random {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const units = [
  ...'abzAZ019 /_-"\\\n\t\u0000\u001f\u007f\u0080é\u07ff\u0800€\u2028中键\ud7ff\ue000\uffff',
  '😀',
  '𐀀',
  '\ud800',
  '\udfff',
];
const numbers = [
  0,
  -0,
  1,
  -1,
  10,
  99,
  2 ** 31,
  2 ** 53,
  -(2 ** 53) - 2,
  1e21,
  1e-7,
  0.1,
  5e-324,
  Number.MAX_VALUE,
  1 / 3,
];
const refused = [
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  7n,
  () => 1,
  Symbol('s'),
  new Map(),
  new Set([1]),
  /a/,
  new Error('e'),
  new Uint8Array(1),
  Object(7n),
  Object.create({ a: 1 }),
  { [Symbol('s')]: 1 },
  Object.defineProperty([], 'x', { value: 1 }),
  Object.defineProperty({}, 'x', { value: 1 }),
];

function anyText(random: Random): string {
  const length = random(40) === 0 ? 4_080 + random(40) : random(6) === 0 ? random(60) : random(16);
  return Array.from({ length }, () => units[random(random(3) === 0 ? units.length : 10)]).join('');
}

/** Few lists of names, so that objects share their shapes; now and then in another order, or many. */
function namesFor(random: Random): string[] {
  const count = random(30) === 0 ? 10 + random(90) : random(7);
  if (random(3) === 0) return Array.from({ length: count }, () => anyText(random));
  const start = random(40);
  const names = Array.from(
    { length: count },
    (_, index) =>
      ['id', 'name', 'to', `${start}`, '10', '9', '__proto__'][(start + index) % 7] + (index > 6 ? `_${index}` : ''),
  );
  return random(2) === 0 ? names : names.reverse();
}

interface Choice {
  readonly random: Random;
  /** One value in so many is of a kind that is refused; 0 for none. */
  readonly refuseOneIn: number;
  /** Only what JSON text can express. */
  readonly jsonOnly: boolean;
}

function anyValue(choice: Choice, depth: number): unknown {
  const { random, refuseOneIn, jsonOnly } = choice;
  if (refuseOneIn > 0 && random(refuseOneIn) === 0) return refused[random(refused.length)];
  switch (random(depth > 5 ? 5 : 9)) {
    case 0:
      return anyText(random);
    case 1:
      return numbers[random(numbers.length)];
    case 2:
      return (random(2 ** 30) - 2 ** 29) / (1 + random(1_000));
    case 3:
      return [true, false, null][random(3)];
    case 4:
      return jsonOnly ? 'x' : oddLeaf(random);
    case 5:
    case 6:
      return Array.from({ length: random(6) }, () => anyValue(choice, depth + 1));
    default:
      return anyRecord(choice, depth);
  }
}

function oddLeaf(random: Random): unknown {
  const text = anyText(random);
  const odd = [
    undefined,
    Object(1.5),
    Object(text),
    Object(false),
    new Date(random(2 ** 30)),
    new Date(Number.NaN),
    { toJSON: (key: string) => [key, undefined] },
    Buffer.from('hi'),
    new Array(2),
  ];
  return odd[random(odd.length)];
}

function anyRecord(choice: Choice, depth: number): object {
  const record: object = choice.random(5) === 0 ? Object.create(null) : {};
  for (const name of namesFor(choice.random)) {
    const value = anyValue(choice, depth + 1);
    const isGetter = !choice.jsonOnly && choice.random(20) === 0;
    Object.defineProperty(record, name, {
      ...(isGetter ? { get: () => value } : { value, writable: true }),
      enumerable: true,
      configurable: true,
    });
  }
  return record;
}

class Refused extends Error {}

/** The oracle: plain recursion over data, with every rule where it is read first. */
function plainText(input: unknown, key: string): string {
  let value = input;
  if ((typeof value === 'object' && value !== null) || typeof value === 'bigint') {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') value = toJSON.call(value, key);
  }
  if (value instanceof Number || value instanceof String || value instanceof Boolean) value = value.valueOf();
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Refused();
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
    return JSON.stringify(value);
  if (typeof value !== 'object') throw new Refused();
  const keys = Reflect.ownKeys(value);
  if (Array.isArray(value)) {
    if (keys.some((name) => typeof name === 'symbol' || !/^(\d+|length)$/.test(name))) throw new Refused();
    return `[${Array.from(value, (member, index) => plainText(member, `${index}`)).join()}]`;
  }
  if (![null, Object.prototype].includes(Object.getPrototypeOf(value))) throw new Refused();
  if (keys.some((name) => typeof name === 'symbol')) throw new Refused();
  const shown = keys.filter((name) => Object.prototype.propertyIsEnumerable.call(value, name));
  if (shown.length === 0 && keys.length > 0) throw new Refused();
  const names = (shown as string[]).sort((a, b) =>
    Buffer.compare(Buffer.from(a, 'utf16le').swap16(), Buffer.from(b, 'utf16le').swap16()),
  );
  return `{${names.map((name) => `${JSON.stringify(name)}:${plainText((value as Record<string, unknown>)[name], name)}`).join()}}`;
}

function textOrRefusal(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (error instanceof Refused || error instanceof CanonicalJsonError) return 'refused';
    throw error;
  }
}

describe(`${runs} random values from seed ${seed}`, () => {
  it('are written or refused as the plain writer does', () => {
    const random = randomOf(seed);
    let refusals = 0;
    for (let run = 0; run < runs; run++) {
      const value = anyValue({ random, refuseOneIn: run % 4 === 0 ? 30 : 0, jsonOnly: false }, 0);
      const expected = textOrRefusal(() => plainText(value, ''));
      if (expected === 'refused') refusals++;
      const text = textOrRefusal(() => canonicalJson(value));
      if (text !== expected) expect(text, `run ${run}`).toBe(expected);
      if (run % 8 === 1 && expected !== 'refused') expectExactLimit(value, expected);
    }
    expect(refusals).toBeGreaterThan(runs / 100);
  });

  it('equal another implementation of RFC 8785', () => {
    const random = randomOf(seed + 1);
    let compared = 0;
    for (let run = 0; run < runs; run++) {
      const value = anyValue({ random, refuseOneIn: 0, jsonOnly: true }, 0);
      if (/\\ud/.test(JSON.stringify(value))) continue; // It refuses lone surrogates.
      compared++;
      const text = canonicalJson(value);
      const other = canonicalize(value);
      if (text !== other) expect(text, `run ${run}`).toBe(other);
    }
    expect(compared).toBeGreaterThan(runs / 4);
  });
});

function expectExactLimit(value: unknown, text: string): void {
  expect(canonicalJson(value, { maxChars: text.length })).toBe(text);
  expect(() => canonicalJson(value, { maxChars: text.length - 1 })).toThrow(
    expect.objectContaining({ reason: 'size' }),
  );
}
