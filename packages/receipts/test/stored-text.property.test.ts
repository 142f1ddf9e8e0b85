import { decodeStoredText, encodeStoredText } from '@holdfast/receipts/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Any code units at all, with the troublesome ones often. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom('\u0000', '\ud83d', '\ude00', '\\json:', '"', 'a'), fc.string()), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('stored text', () => {
  it('leaves ordinary text as it is', () => {
    for (const text of ['', 'plain', '{"a":1}', 'né 😀', 'a \\json: inside']) expect(encodeStoredText(text)).toBe(text);
  });

  it('comes back unit by unit, through an encoding that loses lone surrogates and ends at NUL', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = encodeStoredText(text);
        const throughUtf8 = new TextDecoder().decode(new TextEncoder().encode(stored)).split('\u0000')[0];
        expect(decodeStoredText(throughUtf8 as string)).toBe(text);
      }),
      { numRuns: 500, examples: [['\\json:"a"'], ['\\json:'], ['\ufeff'.slice(1)], ['\ud800']] },
    );
  });
});
