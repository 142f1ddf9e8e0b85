import { couldBecomeSilent, isSilentReply, stripSilentToken } from '@holdfast/flush-loop';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const runs = { numRuns: 1_000 };

/** Cuts every token out and looks at what is left. */
function oracle(text: string): boolean {
  const parts = text.split(/no_reply/i);
  return parts.length > 1 && parts.every((part) => /^[\s\p{P}\p{Z}\p{Cf}`´~+=<>|]*$/u.test(part));
}

const token = fc.constantFrom('NO_REPLY', 'no_reply', 'No_Reply', 'nO_rEPLY');
const wrapping = fc.constantFrom(
  ' ',
  '\n',
  '\t',
  '.',
  '!',
  '*',
  '_',
  '`',
  '"',
  "'",
  '>',
  '#',
  '-',
  '。',
  '「',
  '\u200b',
  '\u{10100}',
);
const piece = fc.oneof(
  token,
  wrapping,
  fc.constantFrom('NO', 'N', '_', 'REPLY', 'a', 'é', '7', '请', '😀', '\ud83d', 'N0_REPLY'),
);
const anyText = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);
const silentText = fc
  .tuple(fc.array(wrapping), fc.array(fc.tuple(token, fc.array(wrapping)), { minLength: 1, maxLength: 3 }))
  .map(([before, tokens]) => before.join('') + tokens.map(([word, after]) => word + after.join('')).join(''));

describe('the silent token', () => {
  it('is judged as the oracle judges it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isSilentReply(text)).toBe(oracle(text));
      }),
      runs,
    );
  });

  it('is judged as the oracle judges it with each character of the BMP beside it and in it', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit);
      for (const text of [`NO_REPLY${character}`, `${character}O_REPLY`, `NO${character}REPLY`]) {
        if (isSilentReply(text) !== oracle(text)) expect.fail(`U+${unit.toString(16)} in ${JSON.stringify(text)}`);
      }
    }
  });

  it('every prefix of a silent text could become silent', () => {
    fc.assert(
      fc.property(silentText, (text) => {
        expect(isSilentReply(text)).toBe(true);
        for (let length = 0; length <= text.length; length++)
          expect(couldBecomeSilent(text.slice(0, length))).toBe(true);
      }),
      runs,
    );
  });

  it('a text that can no longer become silent never does', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, more) => {
        if (couldBecomeSilent(text)) return;
        expect(couldBecomeSilent(text + more)).toBe(false);
        expect(isSilentReply(text + more)).toBe(false);
      }),
      runs,
    );
  });

  it('a text that could become silent has a way to become it', () => {
    const endings = [...'NO_REPLY ']
      .map((_, start) => 'NO_REPLY'.slice(start))
      .flatMap((rest) => [rest, `${rest}NO_REPLY`]);
    fc.assert(
      fc.property(anyText, (text) => {
        const hangs = /[\ud800-\udbff]$/.test(text);
        expect(hangs || endings.some((ending) => oracle(text + ending)) || !couldBecomeSilent(text)).toBe(true);
      }),
      runs,
    );
  });

  it('stripping leaves a part of the text, leaves nothing to strip, and empties only silent texts', () => {
    const lines = fc
      .array(fc.oneof(silentText, fc.constantFrom('', 'Saved.', '  code', 'a NO_REPLY b')))
      .map((all) => all.join('\n'));
    fc.assert(
      fc.property(lines, (text) => {
        const stripped = stripSilentToken(text);
        expect(text).toContain(stripped);
        expect(stripSilentToken(stripped)).toBe(stripped);
        expect(stripped === '').toBe(text === '' || oracle(text));
        const words = (all: string) => all.split('\n').filter((line) => /Saved|code| b$/.test(line));
        expect(words(stripped)).toEqual(words(text));
      }),
      runs,
    );
  });
});
