import { execFileSync } from 'node:child_process';
import { toolCallReceiptKeyString } from '@holdfast/receipts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inWords, parseDuration } from '../src/duration.js';
import { keyWords, parseKey } from '../src/receipt-key.js';
import { table } from '../src/table.js';
import { shellWord, visible, visibleJson, visibleWithin } from '../src/visible.js';
import { controlsIn } from './support/command.js';

const LOCALES = ['C', 'C.UTF-8'];

/** What a command reads that somebody pastes after it. */
function wordsIn(shell: string, locale: string, pasted: string): string[] {
  const env = { ...process.env, LC_ALL: locale };
  const read = execFileSync(shell, ['-c', `printf '%s\\0' ${pasted}`], { encoding: 'utf8', env });
  return read.split('\0').slice(0, -1);
}

const text = () => fc.string({ unit: 'binary', maxLength: 40 });

describe('times', () => {
  it.each([
    ['30d', 30 * 86_400_000],
    ['2 weeks', 14 * 86_400_000],
    ['1d 12h', 129_600_000],
    ['90 Minutes', 5_400_000],
    ['0s', 0],
    ['forever', Number.POSITIVE_INFINITY],
  ])('reads %s', (given, ms) => expect(parseDuration('x', given)).toBe(ms));

  it.each(['', '30', 'd', '1 fortnight', '-1d', '1d!', '1e3s', '6m'])('refuses %j', (given) =>
    expect(() => parseDuration('x', given)).toThrow(/--x takes/),
  );

  it('says them in two units', () => {
    expect(inWords(3 * 86_400_000 + 4 * 3_600_000 + 5)).toBe('3 days 4 hours');
    expect(inWords(7_200_000)).toBe('2 hours');
    expect(inWords(61_000)).toBe('1 minute 1 second');
    expect(inWords(3)).toBe('less than a second');
  });
});

describe('texts', () => {
  it('are shown without anything that a terminal acts on, in a bounded width', () => {
    fc.assert(
      fc.property(text(), fc.nat(30), (given, width) => {
        expect(controlsIn(visible(given))).toEqual([]);
        const shown = visibleWithin(given, width);
        expect(shown.replace(/… \(\d+ more characters\)$/, '').length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('stay the same value as JSON', () => {
    fc.assert(
      fc.property(text(), (given) => {
        const json = visibleJson({ given });
        expect(JSON.parse(json)).toEqual({ given });
        expect(controlsIn(json)).toEqual([]);
        expect(controlsIn(visibleJson({ given: `${given}\u{e0041}` }, 2))).toEqual([]);
      }),
    );
  });

  it('are words of a shell', () => {
    const given = ['plain', "it's", 'a b', '', '$(id)', '\\', "\u001b'\\\n", '\u202eé\u{e0041}', '*'];
    for (const locale of LOCALES) expect(wordsIn('bash', locale, given.map(shellWord).join(' '))).toEqual(given);
  });
});

describe('tables', () => {
  it('are not widened by one long cell', () => {
    const rows = [
      ['x'.repeat(1_000), 'a'],
      ['short', 'b'],
    ];
    expect(table(['KEY', 'X'], rows)).toBe(`KEY    X\n${'x'.repeat(1_000)}  a\nshort  b\n`);
  });
});

describe('keys', () => {
  it('are read from their parts, their string and their JSON', () => {
    fc.assert(
      fc.property(fc.tuple(text(), text(), text(), text()), ([tenantId, runId, toolName, argsHash]) => {
        const key = { tenantId, runId, toolName, argsHash };
        expect(parseKey([tenantId, runId, toolName, argsHash])).toEqual(key);
        expect(parseKey([toolCallReceiptKeyString(key)])).toEqual(key);
        expect(parseKey([visibleJson(key)])).toEqual(key);
      }),
    );
  });

  it.each(['bash', 'sh'])('are pasted into %s as they are printed, in any locale', (shell) => {
    for (const part of ['plain', "it's", '', '\u001b[2J', '-x', '--yes', 'a\0b', '\ud800', 'é\u{e0041}', '\u200b']) {
      const key = { tenantId: part, runId: 'r', toolName: part, argsHash: 'h' };
      for (const locale of LOCALES) {
        const words = wordsIn(shell, locale, keyWords(key));
        expect(words.filter((word) => word.startsWith('-'))).toEqual([]);
        expect(parseKey(words)).toEqual(key);
      }
    }
  });

  it.each([[[]], [['acme']], [['4:acme']], [['9:acme']], [['{"tenantId":"a"}']], [['a', 'b', 'c']]])(
    'are refused: %j',
    (words) => expect(() => parseKey(words)).toThrow(/TENANT RUN TOOL/),
  );
});
