import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteSplitter, habitualId, isCutShort, tinyPieces } from '../src/model/habits.js';

describe('tinyPieces', () => {
  it('cuts into many small pieces that join to the text', () => {
    const text = JSON.stringify({ body: 'Hello 👋 世界'.repeat(9) });
    const pieces = tinyPieces(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(40);
  });

  it('never cuts inside a surrogate pair and bounds the number of pieces', () => {
    const pieces = tinyPieces('👋'.repeat(5_000));
    expect(pieces.length).toBeLessThanOrEqual(96);
    for (const piece of pieces) expect(piece).toMatch(/^(👋)+$/u);
  });
});

describe('ByteSplitter', () => {
  it('cuts inside a character where there is one', () => {
    const splitter = new ByteSplitter();
    const first = splitter.push('data: ü\n\n');
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(first)).toThrow();
    expect(Buffer.concat([first, splitter.rest()]).toString()).toBe('data: ü\n\n');
  });

  it('loses no byte and repeats none', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        const splitter = new ByteSplitter();
        const sent = texts.map((text) => splitter.push(text));
        expect(Buffer.concat([...sent, splitter.rest()]).toString()).toBe(texts.join(''));
        expect(splitter.rest()).toHaveLength(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the habits of ids and lengths', () => {
  it('repeats an id across turns, leaves one out, and makes fresh ones when asked again', () => {
    expect(habitualId('read_file', 0, 1)).toBe(habitualId('write_report', 0, 2));
    expect(habitualId('search_tools', 0, 3)).toBeUndefined();
    expect(habitualId('search_tools', 1, 4)).toBeDefined();
    expect(habitualId('send_email', 0, 5)).not.toBe(habitualId('send_email', 1, 6));
  });

  it('cuts one e-mail of a run short', () => {
    expect([0, 1, 2, 3].filter((asked) => isCutShort('send_email', asked))).toEqual([2]);
    expect(isCutShort('write_report', 2)).toBe(false);
  });
});
