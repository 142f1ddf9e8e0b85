import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  compareCodeUnits,
  cutPosition,
  cutText,
  describeValue,
  getOwn,
  HoldfastError,
  isPlainObject,
  isWellFormed,
  setOwn,
  toWellFormed,
} from '../src/index.js';

class Sample extends HoldfastError {
  override readonly name = 'Sample';
  readonly code = 'ERR_HOLDFAST_SAMPLE';
}

describe('HoldfastError', () => {
  it('is recognised by its brand, not by its class', () => {
    const error = new Sample('text', { cause: 7 });
    expect(HoldfastError.isInstance(error)).toBe(true);
    expect(HoldfastError.isInstance(new Error('text'))).toBe(false);
    expect(HoldfastError.isInstance(null)).toBe(false);
    expect(HoldfastError.isInstance({ [Symbol.for('holdfast.error')]: true })).toBe(true);
    expect([error.name, error.code, error.message, error.cause]).toEqual(['Sample', 'ERR_HOLDFAST_SAMPLE', 'text', 7]);
    expect(Object.keys(error)).not.toContain('cause');
  });
});

describe('objects', () => {
  it('knows plain objects of every realm', () => {
    for (const plain of [{}, Object.create(null), runInNewContext('({a:1})')]) expect(isPlainObject(plain)).toBe(true);
    for (const other of [
      null,
      1,
      [],
      new Date(),
      new Map(),
      new Sample('x'),
      Object.create({}),
      runInNewContext('new Map()'),
    ])
      expect(isPlainObject(other)).toBe(false);
  });
  it('treats __proto__ as data', () => {
    const target: Record<string, unknown> = {};
    setOwn(target, '__proto__', { polluted: true });
    setOwn(target, 'a', 1);
    expect(Object.keys(target)).toEqual(['__proto__', 'a']);
    expect(target['polluted']).toBeUndefined();
    expect(getOwn(target, '__proto__')).toEqual({ polluted: true });
    expect(getOwn({}, 'toString')).toBeUndefined();
  });
});

describe('text', () => {
  it('never cuts inside a surrogate pair', () => {
    expect(cutText('ab🦊c', 3)).toBe('ab');
    expect(cutText('ab🦊c', 4)).toBe('ab🦊');
    expect(cutText('ab', 9)).toBe('ab');
    expect([cutPosition('🦊', 0), cutPosition('🦊', 1), cutPosition('🦊', 2), cutPosition('🦊', -4)]).toEqual([
      0, 0, 2, 0,
    ]);
  });
  it('orders by code units', () => {
    expect(['\uE000', '\u{10000}', 'b', 'B'].sort(compareCodeUnits)).toEqual(['B', 'b', '\u{10000}', '\uE000']);
    expect(compareCodeUnits('a', 'a')).toBe(0);
  });
});

describe('describeValue', () => {
  it('names the kind and never shows long content', () => {
    expect([null, [1, 2], 'x', 'y'.repeat(41), 1, undefined, 1n, {}, () => 1].map(describeValue)).toEqual([
      'null',
      'an array of 2',
      '"x"',
      'a string of 41 characters',
      '1',
      'undefined',
      'a bigint',
      'an object',
      'a function',
    ]);
  });
});

describe.each([
  ['the runtime has a method', () => {}],
  ['it has none', () => Reflect.deleteProperty(String.prototype, 'isWellFormed')],
])('text is looked through for lone surrogates where %s', (_, prepare) => {
  const method = Object.getOwnPropertyDescriptor(String.prototype, 'isWellFormed');

  it('finds each', () => {
    prepare();
    try {
      for (const text of ['', 'ab', '\u0000', 'é', '🦊', 'a🦊b🦊', '\ue000']) expect(isWellFormed(text)).toBe(true);
      for (const text of ['\ud83e', '\udd8a', 'a\udd8a\ud83e', '🦊\ud83e', '\ud83ex'])
        expect(isWellFormed(text)).toBe(false);
      expect(['ab🦊', '\ud83ea🦊\udd8a', '\udd8a\ud83e'].map(toWellFormed)).toEqual([
        'ab🦊',
        '\ufffda🦊\ufffd',
        '\ufffd\ufffd',
      ]);
    } finally {
      if (method !== undefined) Object.defineProperty(String.prototype, 'isWellFormed', method);
    }
  });
});
