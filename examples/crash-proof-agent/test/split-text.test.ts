import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../src/agent/split-text.js';

describe('splitText', () => {
  it('cuts at line ends', () => {
    expect(splitText('one\ntwo\nthree\nfour\n', 4)).toEqual(['one\n', 'two\n', 'three\n', 'four\n']);
  });

  it('gives the asked number of parts however short the text is', () => {
    expect(splitText('x', 4)).toEqual(['', '', '', 'x']);
    expect(splitText('', 4)).toEqual(['', '', '', '']);
  });

  it('joins to the text again and never halves a character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '👋', 'é', '漢') });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (whole, count) => {
        const parts = splitText(whole, count);
        expect(parts).toHaveLength(count);
        expect(parts.join('')).toBe(whole);
        for (const part of parts) expect(() => encodeURIComponent(part)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
