import { CanonicalJsonError, canonicalJson } from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';

/** Alternates arrays and objects around an innermost array. */
function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const refusal = (reason: string) => expect.objectContaining({ code: 'ERR_HOLDFAST_CANONICAL_JSON', reason });

describe('depth', () => {
  it('reaches 1,000 containers', () => {
    expect(canonicalJson(nested(1_000))).toBe(JSON.stringify(nested(1_000)));
  });
  it.each([1_001, 20_000, 1_000_000])('refuses %i containers without overflowing the stack', (levels) => {
    expect(() => canonicalJson(nested(levels))).toThrow(refusal('depth'));
  });
  it('counts an empty innermost container', () => {
    expect(() => canonicalJson(JSON.parse('['.repeat(1_001) + ']'.repeat(1_001)))).toThrow(refusal('depth'));
    expect(() => canonicalJson(JSON.parse(`${'['.repeat(1_000)}{}${']'.repeat(1_000)}`))).toThrow(refusal('depth'));
  });
  it('does not count siblings', () => {
    const value = Array.from({ length: 3 }, () => nested(999));
    expect(canonicalJson(value)).toBe(JSON.stringify(value));
  });
  it('bounds a toJSON that never ends', () => {
    const endless = () => ({ toJSON: () => ({ next: endless() }) });
    expect(() => canonicalJson(endless())).toThrow(refusal('depth'));
  });
  it.each([0, 1, 2, 3, 4, 5])('keeps the path short and its characters whole, %i further on', (shift) => {
    let value: unknown = Number.NaN;
    for (let level = 0; level < 500; level++) value = { '😀': value };
    const error = catchError(() => canonicalJson({ ['x'.repeat(shift + 1)]: { [`${'y'.repeat(shift + 1)}`]: value } }));
    expect(error.path.length).toBeLessThanOrEqual(202);
    expect(error.path).toMatch(/^\$\.x+\.y+\["😀.*….*😀"\]$/);
    expect(error.path).not.toMatch(/\p{Surrogate}/u);
  });
  it.each([0, 1, 2, 3])('keeps whole characters at the end of a long key, %i on', (shift) => {
    const error = catchError(() => canonicalJson({ ['😀'.repeat(200) + 'z'.repeat(shift)]: Number.NaN }));
    expect(error.path.length).toBeLessThanOrEqual(202);
    expect(error.path).not.toMatch(/\p{Surrogate}/u);
  });
});

describe('cycles', () => {
  it.each(Array.from({ length: 50 }, (_, index) => index + 1))('refuses one of %i containers', (length) => {
    const start: Record<string, unknown> = {};
    let end = start;
    for (let index = 1; index < length; index++) {
      const next: Record<string, unknown> = {};
      end['next'] = index % 2 === 0 ? next : [next];
      end = next;
    }
    end['next'] = start;
    expect(() => canonicalJson({ before: 'x', start })).toThrow(refusal('cycle'));
  });
  it('refuses an array that holds itself, and a toJSON that gives an ancestor', () => {
    const array: unknown[] = [];
    array.push([array]);
    expect(() => canonicalJson(array)).toThrow(refusal('cycle'));
    const parent: Record<string, unknown> = {};
    parent['child'] = { toJSON: () => parent };
    expect(() => canonicalJson(parent)).toThrow(refusal('cycle'));
  });
});

describe('size', () => {
  it('refuses 2^30 shared leaves', () => {
    let value: object = {};
    for (let level = 0; level < 30; level++) value = { a: value, b: value };
    expect(() => canonicalJson(value)).toThrow(refusal('size'));
  });
  it('counts the text exactly', () => {
    for (const value of [{ ab: [1, 'x"', null], c: {} }, 'text', [[], {}], [0, 0], 12.5]) {
      const text = JSON.stringify(value);
      expect(canonicalJson(value, { maxChars: text.length })).toBe(text);
      expect(() => canonicalJson(value, { maxChars: text.length - 1 })).toThrow(refusal('size'));
    }
  });
  it('allows 10,000,000 characters by default', () => {
    expect(canonicalJson('x'.repeat(9_999_998))).toHaveLength(10_000_000);
    expect(() => canonicalJson('x'.repeat(9_999_999))).toThrow(refusal('size'));
  });
  it('refuses a huge sparse array before walking it', () => {
    expect(() => canonicalJson({ a: new Array(2 ** 31) })).toThrow(
      expect.objectContaining({ reason: 'size', path: '$.a' }),
    );
    expect(() => canonicalJson(new Array(2 ** 32 - 1), { maxChars: 2 ** 32 })).toThrow(refusal('size'));
  });
  it('refuses text that would pass the limit before escaping it, and names the place', () => {
    const long = '\u0000'.repeat(1_000_000);
    expect(() => canonicalJson({ a: [long] }, { maxChars: 100 })).toThrow(expect.objectContaining({ path: '$.a[0]' }));
    expect(() => canonicalJson({ [long]: 1 }, { maxChars: 100 })).toThrow(refusal('size'));
  });
  it('does not read a string that is too long', () => {
    // Its escaped form would be longer than any string can be.
    expect(() => canonicalJson(['\u0000'.repeat(2 ** 28)])).toThrow(refusal('size'));
  });
  it('names the key that is too long', () => {
    expect(catchError(() => canonicalJson({ a: { bcd: 1 } }, { maxChars: 7 })).path).toBe('$.a.bcd');
  });
  it('names the field that passes the limit, whatever stands beside it', () => {
    const values = ['x', 'a "quoted" one', 1, []];
    const pairs = values.flatMap((one) => values.map((other) => [one, other] as const));
    for (const [a, b] of pairs) {
      for (const c of values) {
        const fields = [`{"a":${JSON.stringify(a)}`, `,"b":${JSON.stringify(b)}`, `,"c":${JSON.stringify(c)}`];
        const text = `${fields.join('')}}`;
        const ends = fields.map((_, index) => fields.slice(0, index + 1).join('').length);
        for (let maxChars = 1; maxChars < text.length; maxChars++) {
          const path = ['$.a', '$.b', '$.c'].find((_, index) => (ends[index] as number) > maxChars) ?? '$';
          expect(catchError(() => canonicalJson({ c, a, b }, { maxChars })).path, `${maxChars} of ${text}`).toBe(path);
        }
        expect(canonicalJson({ c, a, b }, { maxChars: text.length })).toBe(text);
      }
    }
  });
  it('refuses everything under a limit that is not a number', () => {
    expect(() => canonicalJson(1, { maxChars: Number.NaN })).toThrow(refusal('size'));
    expect(() => canonicalJson({}, { maxChars: -1 })).toThrow(refusal('size'));
  });
  it('writes a text that is put together from many pieces', () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));
    expect(canonicalJson(rows)).toBe(JSON.stringify(rows));
  });
});

describe('objects that misbehave', () => {
  it('passes on what a getter, a toJSON or a proxy throws', () => {
    const fault = new Error('from the outside');
    const fail = () => {
      throw fault;
    };
    const inputs = [
      Object.defineProperty({}, 'a', { get: fail, enumerable: true }),
      { toJSON: fail },
      Object.defineProperty({}, 'toJSON', { get: fail }),
      new Proxy({}, { ownKeys: fail }),
      new Proxy({ a: 1 }, { get: fail }),
      new Proxy([1], { getPrototypeOf: fail }),
    ];
    for (const input of inputs) expect(catchAny(() => canonicalJson([input]))).toBe(fault);
    expect(canonicalJson([1])).toBe('[1]');
  });
  it('refuses a toJSON that gives its own object', () => {
    const own = { a: 1, toJSON: () => own };
    expect(() => canonicalJson(own)).toThrow(expect.objectContaining({ reason: 'function', path: '$.toJSON' }));
    class Self {
      toJSON() {
        return this;
      }
    }
    expect(() => canonicalJson(new Self())).toThrow(refusal('class-instance'));
  });
  it('writes a transparent proxy as its target', () => {
    const value = { b: [1, { c: 2 }], a: 'x' };
    const wrap = (target: object): object =>
      new Proxy(target, {
        get: (inner, key) => {
          const found: unknown = Reflect.get(inner, key);
          return typeof found === 'object' && found !== null ? wrap(found) : found;
        },
      });
    expect(canonicalJson(wrap(value))).toBe('{"a":"x","b":[1,{"c":2}]}');
  });
  it.each<[string, object]>([
    ['a length beyond all limits', new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 53 : 1) })],
    ['a length that is not a number', new Proxy([], { get: (_, key) => (key === 'length' ? 'many' : 1) })],
    ['keys that it does not list as enumerable', new Proxy({}, { ownKeys: () => ['a'] })],
    ['a prototype that it does not have', new Proxy({}, { getPrototypeOf: () => Map.prototype })],
    [
      'a new container at every read',
      new Proxy(
        { a: 1 },
        { get: (target, key, self) => (key === 'a' ? new Proxy(target, { get: () => [self] }) : undefined) },
      ),
    ],
  ])('refuses a proxy that claims %s', (_, proxy) => {
    expect(() => canonicalJson([proxy])).toThrow(CanonicalJsonError);
  });
  it('writes what is there when a getter removes or shortens what follows', () => {
    const array: unknown[] = [{ toJSON: () => array.splice(1).length }, 'b', 'c'];
    expect(canonicalJson(array)).toBe('[2,null,null]');
    const record: Record<string, unknown> = { b: 1 };
    Object.defineProperty(record, 'a', { get: () => delete record['b'], enumerable: true });
    expect(canonicalJson(record)).toBe('{"a":true,"b":null}');
  });
  it('can be called from within a toJSON', () => {
    const inner = { toJSON: () => canonicalJson({ z: 1, y: [2] }) };
    expect(canonicalJson({ b: inner, a: [inner] })).toBe(
      '{"a":["{\\"y\\":[2],\\"z\\":1}"],"b":"{\\"y\\":[2],\\"z\\":1}"}',
    );
  });
});

function catchAny(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

function catchError(action: () => unknown): CanonicalJsonError {
  const error = catchAny(action);
  if (error instanceof CanonicalJsonError) return error;
  throw error;
}
