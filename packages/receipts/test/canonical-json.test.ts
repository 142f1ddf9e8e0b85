import { runInNewContext } from 'node:vm';
import { CanonicalJsonError, type CanonicalJsonReason, canonicalJson, HoldfastError } from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';

describe('key order', () => {
  it('does not depend on insertion', () => {
    expect(canonicalJson({ b: 2, a: 1 })).toBe('{"a":1,"b":2}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe('{"a":1,"b":2}');
  });
  it('goes by UTF-16 code units, not by code points', () => {
    expect(canonicalJson({ '\ue000': 1, '\u{10000}': 2 })).toBe('{"\u{10000}":2,"\ue000":1}');
  });
  it('does not put keys that look like indices first', () => {
    expect(canonicalJson(JSON.parse('{"10":1,"9":2,"a":3,"-1":4,"01":5}'))).toBe('{"-1":4,"01":5,"10":1,"9":2,"a":3}');
  });
  it('puts the empty key first', () => {
    expect(canonicalJson({ b: 1, '': 2 })).toBe('{"":2,"b":1}');
  });
  it.each([2, 16, 17, 33, 200])('holds for %i keys in reverse and in order', (count) => {
    const keys = Array.from({ length: count }, (_, index) => `k${String(index).padStart(3, '0')}`);
    const text = `{${keys.map((key) => `"${key}":0`).join()}}`;
    expect(canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])))).toBe(text);
    expect(canonicalJson(Object.fromEntries(keys.toReversed().map((key) => [key, 0])))).toBe(text);
  });
  it('is found anew when the rows of an array differ in shape', () => {
    const rows = [{ b: 1, a: 2 }, { b: 3, a: 4 }, { a: 5, b: 6 }, { b: 7, c: 8 }, { b: 9 }, { b: 1, a: 2 }];
    expect(canonicalJson(rows)).toBe('[{"a":2,"b":1},{"a":4,"b":3},{"a":5,"b":6},{"b":7,"c":8},{"b":9},{"a":2,"b":1}]');
  });
  it('leaves arrays in their order', () => {
    expect(canonicalJson([3, 1, [2, 1], 'b', 'a'])).toBe('[3,1,[2,1],"b","a"]');
  });
  it('treats own __proto__ and inherited names as data', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":2,"toString":3}'))).toBe(
      '{"__proto__":{"x":1},"a":2,"toString":3}',
    );
  });
});

describe('strings', () => {
  it('escapes what JSON.stringify escapes and nothing more', () => {
    expect(canonicalJson({ b: 1, '': 2, c: '\u007f\u0001\u2028' })).toBe('{"":2,"b":1,"c":"\u007f\\u0001\u2028"}');
  });
  it.each(['\ud800', '\udc00', 'a\ud800', '\udc00\ud800', `${'x'.repeat(50)}\ud83d`])(
    'escapes a lone surrogate: %j',
    (text) => {
      expect(canonicalJson({ a: text })).toBe(`{"a":${JSON.stringify(text)}}`);
      expect(canonicalJson({ a: text })).toMatch(/\\ud[89a-f]/);
      expect(canonicalJson({ [text]: 1 })).toBe(`{${JSON.stringify(text)}:1}`);
    },
  );
  it.each([0, 39, 40, 41, 4_095, 4_096, 5_000])('finds an escape at the end of %i characters', (length) => {
    for (const end of ['"', '\\', '\n', '\u001f', '\udfff', 'é', ' ', '!']) {
      const text = 'x'.repeat(length) + end;
      expect(canonicalJson(text)).toBe(JSON.stringify(text));
    }
  });
  it('does not normalise', () => {
    expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'));
  });
});

describe('numbers', () => {
  it('writes them as JSON.stringify does, and minus zero as 0', () => {
    expect(canonicalJson([-0, 1.0, 1e21, 1e-7, 0.1, 5e-324])).toBe('[0,1,1e+21,1e-7,0.1,5e-324]');
  });
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses %d, which is not null',
    (value) => {
      expectRefusal({ n: value }, 'number', '$.n');
      expectRefusal([value], 'number', '$[0]');
    },
  );
  it('lets unsafe integers pass unless told otherwise', () => {
    const value = JSON.parse('{"id":2512292042121000001}');
    expect(canonicalJson(value)).toBe('{"id":2512292042121000000}');
    const strict = { rejectUnsafeIntegers: true };
    expect(() => canonicalJson(value, strict)).toThrow(expect.objectContaining({ reason: 'number', path: '$.id' }));
    expect(() => canonicalJson([-(2 ** 53)], strict)).toThrow(CanonicalJsonError);
    expect(canonicalJson({ id: '2512292042121000001', n: 2 ** 53 - 1, x: 0.5 }, strict)).toBe(
      '{"id":"2512292042121000001","n":9007199254740991,"x":0.5}',
    );
  });
});

describe('absent values', () => {
  it('become null and differ from a key that is not there', () => {
    expect(canonicalJson({ a: undefined })).toBe('{"a":null}');
    expect(canonicalJson({ a: undefined })).toBe(canonicalJson({ a: null }));
    expect(canonicalJson({})).toBe('{}');
    expect(canonicalJson([undefined])).toBe('[null]');
    // biome-ignore lint/suspicious/noSparseArray: holes are the point
    expect(canonicalJson([, 1])).toBe('[null,1]');
    expect(canonicalJson(undefined)).toBe('null');
  });
});

describe('toJSON', () => {
  it('is called once with the key as text', () => {
    const calls: unknown[][] = [];
    const value = { toJSON: (...args: unknown[]) => calls.push(args) };
    expect(canonicalJson({ d: value, e: [value] })).toBe('{"d":1,"e":[2]}');
    expect(canonicalJson(value)).toBe('3');
    expect(calls).toEqual([['d'], ['0'], ['']]);
  });
  it('is called on the object, whatever its class, also when inherited', () => {
    class Money {
      #cents = 1250;
      toJSON() {
        return { cents: this.#cents };
      }
    }
    class Price extends Money {}
    expect(canonicalJson([new Money(), new Price()])).toBe('[{"cents":1250},{"cents":1250}]');
    expect(canonicalJson(Object.assign(new Map(), { toJSON: () => 'map' }))).toBe('"map"');
    expect(canonicalJson(Object.assign([1], { toJSON: () => 'array' }))).toBe('"array"');
  });
  it('gives dates as text, and an invalid one as null', () => {
    expect(canonicalJson({ d: new Date(0), bad: new Date(Number.NaN) })).toBe(
      '{"bad":null,"d":"1970-01-01T00:00:00.000Z"}',
    );
    expect(canonicalJson(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"');
    expect(canonicalJson(Buffer.from('a'))).toBe('{"data":[97],"type":"Buffer"}');
  });
  it('may give undefined, a primitive or data, and is not asked of its own result', () => {
    expect(canonicalJson({ a: { toJSON: () => undefined } })).toBe('{"a":null}');
    expect(canonicalJson({ toJSON: () => ({ b: 1, a: [undefined] }) })).toBe('{"a":[null],"b":1}');
    expectRefusal({ toJSON: () => new Date(0) }, 'class-instance', '$');
  });
  it('is asked of a bigint that has it', () => {
    const prototype = BigInt.prototype as { toJSON?: unknown };
    prototype.toJSON = function (this: bigint, key: string) {
      return `${key}=${this}`;
    };
    try {
      expect(canonicalJson({ x: 10n })).toBe('{"x":"x=10"}');
    } finally {
      delete prototype.toJSON;
    }
  });
  it('is never asked of a function, and is data when it is not one', () => {
    expectRefusal({ f: Object.assign(() => 1, { toJSON: () => 'f' }) }, 'function', '$.f');
    expect(canonicalJson({ toJSON: 'later' })).toBe('{"toJSON":"later"}');
  });
});

describe('other objects', () => {
  it('reads a getter once', () => {
    let reads = 0;
    const value = {
      get a() {
        return ++reads;
      },
    };
    expect(canonicalJson([value])).toBe('[{"a":1}]');
    expect(reads).toBe(1);
  });
  it('unboxes plain Number, String and Boolean objects of any realm', () => {
    expect(canonicalJson([Object(1), Object('a"'), Object(true)])).toBe('[1,"a\\"",true]');
    expect(canonicalJson(runInNewContext('[new Number(1), new String("a"), new Boolean(false)]'))).toBe(
      '[1,"a",false]',
    );
  });
  it('accepts plain objects and arrays of another realm or without a prototype', () => {
    expect(canonicalJson(runInNewContext('({ b: [1, {}], a: null })'))).toBe('{"a":null,"b":[1,{}]}');
    expect(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });
  it('writes a value that stands in two places twice', () => {
    const shared = { s: [1] };
    expect(canonicalJson({ x: shared, y: [shared, shared] })).toBe('{"x":{"s":[1]},"y":[{"s":[1]},{"s":[1]}]}');
  });
  it('does not change its input', () => {
    const value = Object.freeze({ b: Object.freeze([2, 1]), a: 1 });
    expect(canonicalJson(value)).toBe('{"a":1,"b":[2,1]}');
    expect(Object.keys(value)).toEqual(['b', 'a']);
  });
});

describe('refusals', () => {
  const hidden = (key: PropertyKey, base: object = {}) =>
    Object.defineProperty(base, key, { value: 1, enumerable: false });
  const hiddenGetter = Object.defineProperty({}, 'x', { get: () => 1, enumerable: false });

  it('leaves out what is not enumerable, as JSON.stringify does, where something is left', () => {
    expect(canonicalJson(hidden('x', { b: 2, a: 1 }))).toBe('{"a":1,"b":2}');
    expect(canonicalJson(hidden('x', [1]))).toBe('[1]');
  });

  class Own {
    public field = 1;
  }
  class List extends Array {}
  class Id extends Number {}

  it.each<[string, unknown, CanonicalJsonReason]>([
    ['a bigint', 10n, 'bigint'],
    ['a boxed bigint', Object(10n), 'class-instance'],
    ['a function', () => 1, 'function'],
    ['a class', Own, 'function'],
    ['a symbol', Symbol('s'), 'symbol'],
    ['a boxed symbol', Object(Symbol('s')), 'class-instance'],
    ['a Map', new Map([['a', 1]]), 'class-instance'],
    ['an empty Map', new Map(), 'class-instance'],
    ['a Set', new Set([1]), 'class-instance'],
    ['a WeakMap', new WeakMap(), 'class-instance'],
    ['a RegExp', /a/, 'class-instance'],
    ['an Error', new Error('e'), 'class-instance'],
    ['a Promise', Promise.resolve(1), 'class-instance'],
    ['a typed array', new Uint8Array(2), 'class-instance'],
    ['an ArrayBuffer', new ArrayBuffer(2), 'class-instance'],
    ['a class instance', new Own(), 'class-instance'],
    ['an object with an inherited key', Object.create({ a: 1 }), 'class-instance'],
    ['an array of a subclass', List.of(1), 'class-instance'],
    ['a number of a subclass', new Id(1), 'class-instance'],
    ['a boxed number with a property', Object.assign(Object(1), { unit: 'cm' }), 'class-instance'],
    ['a boxed string with a hidden property', hidden('x', Object('text')), 'class-instance'],
    ['a symbol key', { a: 1, [Symbol('s')]: 1 }, 'hidden-property'],
    ['a hidden symbol key', hidden(Symbol('s')), 'hidden-property'],
    ['nothing but a property that is not enumerable', hidden('x'), 'hidden-property'],
    ['a getter that is not enumerable', hiddenGetter, 'hidden-property'],
    [
      'an arguments object',
      (function () {
        // biome-ignore lint/complexity/noArguments: the object itself is the input
        return arguments;
      })(),
      'hidden-property',
    ],
    ['a namespace such as Math', Math, 'hidden-property'],
    ['a named key on an array', Object.assign([1], { name: 'x' }), 'hidden-property'],
    ['a named key on an array with a hole', Object.assign(new Array(1), { name: 'x' }), 'hidden-property'],
    ['a named key like a number on an array', Object.assign(new Array(2), { '01': 'x' }), 'hidden-property'],
    ['a key that is no index any more', Object.assign([1], { 4294967295: 'x' }), 'hidden-property'],
    ['nothing but a hidden name on an array', hidden('x', []), 'hidden-property'],
    ['a symbol key on an array', Object.assign([1], { [Symbol('s')]: 1 }), 'hidden-property'],
    ['a match of a regular expression', /a/.exec('a'), 'hidden-property'],
  ])('refuses %s', (_, value, reason) => {
    expectRefusal(value, reason, '$');
    expectRefusal({ to: [0, { 'a b': value }] }, reason, '$.to[1]["a b"]');
  });

  it('never lets two unlike bags come out as one', () => {
    expectRefusal({ x: 10n }, 'bigint', '$.x');
    expect(canonicalJson({ x: '10' })).not.toBe(canonicalJson({ x: 10 }));
    expectRefusal({ f: () => 1 }, 'function', '$.f');
    expectRefusal({ g: () => 2 }, 'function', '$.g');
  });

  it('says where, without the value', () => {
    const error = refusalOf({ to: [{ secret: Number.NaN }, 'ada@example.com'] });
    expect(error).toMatchObject({
      name: 'CanonicalJsonError',
      code: 'ERR_HOLDFAST_CANONICAL_JSON',
      path: '$.to[0].secret',
    });
    expect(error.message).toContain('$.to[0].secret');
    expect(error.message).not.toContain('ada@');
    expect(HoldfastError.isInstance(error)).toBe(true);
    expect(refusalOf([{ a: [{}] }, { b: { c: 1 }, d: Number.NaN }]).path).toBe('$[1].d');
    expect(refusalOf({ '\ud800': 10n }).path).toBe('$["\\ud800"]');
  });
});

function refusalOf(value: unknown): CanonicalJsonError {
  try {
    canonicalJson(value);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}

function expectRefusal(value: unknown, reason: CanonicalJsonReason, path: string): void {
  expect(refusalOf(value)).toMatchObject({ reason, path });
}
