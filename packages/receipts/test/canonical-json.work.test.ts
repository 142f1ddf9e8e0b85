/** What hostile values cost, in counted steps, and what is kept of them. */

import { canonicalJson } from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';
import { KeyOrders, MAX_WEIGHT } from '../src/internal/canonical-key-order.js';
import { pathText } from '../src/internal/json-text.js';

/** Characters looked at one by one, and names given to the native sort. */
function countedWork(value: unknown): { readonly units: number; readonly sortedNatively: number } {
  const counts = { units: 0, sortedNatively: 0 };
  const { charCodeAt } = String.prototype;
  const { sort } = Array.prototype;
  // Plain functions, since a spy remembers each of a million calls.
  String.prototype.charCodeAt = function (this: string, index) {
    counts.units++;
    return Reflect.apply(charCodeAt, this, [index]);
  };
  Array.prototype.sort = function (this: unknown[], ...given) {
    counts.sortedNatively += this.length;
    return Reflect.apply(sort, this, given);
  };
  try {
    canonicalJson(value);
  } finally {
    String.prototype.charCodeAt = charCodeAt;
    Array.prototype.sort = sort;
  }
  return counts;
}

const record = (keys: readonly string[]) => Object.fromEntries(keys.map((key, index) => [key, index]));
const shuffledNumbers = (count: number) => Array.from({ length: count }, (_, index) => (index * 7_919) % count);

describe('sorting many keys', () => {
  it.each<[string, readonly string[]]>([
    ['10,000 keys in CJK', shuffledNumbers(10_000).map((n) => String.fromCharCode(0x4e00 + n))],
    ['10,000 keys of one prefix and a number', shuffledNumbers(10_000).map((n) => `key_${n}`)],
    ['1,000 keys with 300 characters in common', shuffledNumbers(1_000).map((n) => `${'x'.repeat(300)}${n}`)],
    ['1,000 keys that are beginnings of each other', shuffledNumbers(1_000).map((n) => 'a'.repeat(n + 1))],
    [
      '5,000 keys in an organ pipe',
      Array.from({ length: 5_000 }, (_, n) => String.fromCharCode(n % 2 ? 500 + n : 9_500 - n)),
    ],
    ['5,000 keys in reverse', Array.from({ length: 5_000 }, (_, n) => String.fromCharCode(9_000 - n))],
  ])('looks at a character few times: %s', (_, keys) => {
    const characters = keys.reduce((sum, key) => sum + key.length, 0);
    const { units, sortedNatively } = countedWork(record(keys));
    // A key is split off in about log2(keys) steps, and characters in common are passed once each.
    expect(units).toBeLessThan(4 * characters + 3 * Math.log2(keys.length) * keys.length);
    expect(sortedNatively).toBeLessThanOrEqual(keys.length);
  });
  it('leaves bad splits to the native sort', () => {
    // The middle key is the greatest of each part, so each split by it takes off one.
    const keys: string[] = [];
    for (let unit = 9_000; unit > 5_000; unit--) keys.splice(keys.length >> 1, 0, String.fromCharCode(unit));
    const { units, sortedNatively } = countedWork(record(keys.reverse()));
    expect(units).toBeLessThan(200 * keys.length);
    expect(sortedNatively).toBeGreaterThan(0);
    expect(sortedNatively).toBeLessThanOrEqual(keys.length);
  });
});

describe('remembered key orders', () => {
  it('hold a bounded weight through a flood of keys that come once', () => {
    const orders = new KeyOrders();
    let most = 0;
    for (let run = 0; run < 20_000; run++) {
      expect(orders.get([`b${run}`, `a${run}`, 'x'.repeat(run % 700)]).prefixes).toBeUndefined();
      most = Math.max(most, orders.weight);
    }
    expect(most).toBeGreaterThan(MAX_WEIGHT / 2);
    expect(most).toBeLessThanOrEqual(MAX_WEIGHT);
  });
  it('are written out when the same keys come again, and then kept', () => {
    const orders = new KeyOrders();
    expect(orders.get(['b', 'a']).prefixes).toBeUndefined();
    const known = orders.get(['b', 'a']);
    expect(known.prefixes).toEqual({
      plain: ['{"a":', ',"b":'],
      opening: ['{"a":"', ',"b":"'],
      closing: ['"{"a":', '","b":'],
      closingOpening: ['"{"a":"', '","b":"'],
    });
    expect(orders.get(['b', 'a'])).toBe(known);
    expect(orders.get(['a', 'b'])).not.toBe(known);
  });
  it('leave out objects of many or of long keys', () => {
    const orders = new KeyOrders();
    const many = Array.from({ length: 65 }, (_, index) => `k${index}`);
    for (const keys of [many, ['x'.repeat(5_000)], [], ['a', 'x'.repeat(4_096)]]) {
      expect(orders.get(keys).sorted).toEqual([...keys].sort());
      expect(orders.get(keys).prefixes).toBeUndefined();
    }
    expect(orders.weight).toBe(0);
  });
  it('are at most 24 that begin alike, and make room for others that keep coming', () => {
    const orders = new KeyOrders();
    const keys = (run: number) => ['id', `z${run}`];
    for (let run = 0; run < 24; run++) orders.get(keys(run));
    const full = orders.weight;
    for (let run = 24; run < 123; run++) orders.get(keys(run));
    expect(orders.weight).toBe(full);
    orders.get(keys(123));
    expect(orders.weight).toBe(0);
    orders.get(keys(124));
    expect(orders.get(keys(124)).prefixes).toBeDefined();
  });
  it('stay when others come between', () => {
    const orders = new KeyOrders();
    for (let run = 0; run < 24; run++) orders.get(['id', `z${run}`]);
    for (let run = 0; run < 1_000; run++) {
      orders.get(['id', `one-off ${run}`]);
      expect(orders.get(['id', 'z3']).prefixes).toBeDefined();
    }
  });
});

describe('circles and shared values', () => {
  /** Containers below each other, the last of which holds the one at `from` again. */
  function circle(depth: number, from: number, extra: object = {}): object {
    const all = Array.from({ length: depth }, () => ({ ...extra }) as Record<string, unknown>);
    for (const [index, container] of all.entries()) container['n'] = all[index + 1] ?? all[from];
    return all[0] as object;
  }

  it.each([
    [10, 0],
    [64, 0],
    [65, 64],
    [66, 64],
    [80, 70],
    [200, 100],
    [450, 449],
    [700, 0],
    [999, 500],
    [1_000, 0],
  ])('are found where they close: %i containers, back to the one at %i', (depth, from) => {
    const path = pathText(Array.from({ length: depth }, () => 'n'));
    expect(() => canonicalJson(circle(depth, from))).toThrow(expect.objectContaining({ reason: 'cycle', path }));
  });
  it('are the reason, whatever comes up on the way round', () => {
    expect(() => canonicalJson(circle(102, 100, { a: 'x'.repeat(90_000) }))).toThrow(
      expect.objectContaining({ reason: 'cycle', path: pathText(Array.from({ length: 102 }, () => 'n')) }),
    );
  });
  it.each([70, 300, 600])('are gone round a few times at most, beyond %i containers', (depth) => {
    let reads = 0;
    const counting = {
      get a() {
        reads++;
        return 1;
      },
    };
    const start = circle(depth, depth - 8);
    for (let at = start as Record<string, unknown>; !('a' in at); at = at['n'] as Record<string, unknown>) {
      Object.defineProperties(at, Object.getOwnPropertyDescriptors(counting));
    }
    expect(() => canonicalJson(start)).toThrow(expect.objectContaining({ reason: 'cycle' }));
    expect(reads).toBeLessThanOrEqual(2 * depth + 64);
  });
  it('cost no more steps than the limit has characters', () => {
    let reads = 0;
    let value: unknown = {
      get leaf() {
        reads++;
        return 1;
      },
    };
    for (let level = 0; level < 40; level++) value = [value, value];
    expect(() => canonicalJson(value, { maxChars: 10_000 })).toThrow(expect.objectContaining({ reason: 'size' }));
    expect(reads).toBeLessThan(1_000);
  });
});
