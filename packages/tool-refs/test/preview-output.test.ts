import { previewOutput } from '@holdfast/tool-refs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const lines = Array.from({ length: 100 }, (_, line) => `this is line ${line}`).join('\n');
const leftOut = /\n\[… (\d+) characters(?:, (\d+) lines)? left out …\]\n/;

describe('previewOutput', () => {
  it('gives a short text back', () => {
    expect(previewOutput('x'.repeat(80), 80)).toBe('x'.repeat(80));
    expect(previewOutput('', 80)).toBe('');
  });

  it('cuts between lines and says how many were left out', () => {
    const preview = previewOutput(lines, 300);
    const [head = '', characters, count, tail = ''] = preview.split(leftOut);
    expect(head.split('\n')).toEqual(lines.split('\n').slice(0, head.split('\n').length));
    expect(tail.split('\n')).toEqual(lines.split('\n').slice(-tail.split('\n').length));
    expect(head.split('\n').length + Number(count) + tail.split('\n').length).toBe(100);
    expect(Number(characters)).toBe(lines.length - `${head}\n`.length - tail.length);
    expect(head.length).toBeGreaterThan(tail.length);
  });

  it('cuts inside a line when there is no other way', () => {
    expect(previewOutput('x'.repeat(1_000), 100)).toMatch(/^x{30,}\n\[… \d+ characters left out …\]\nx{15,}$/);
  });

  it('uses all of the limit, and no more', () => {
    expect(previewOutput('x'.repeat(200) + '\n'.repeat(5_000), 100)).toHaveLength(100);
  });

  it('cuts no character in half, wherever the cut falls', () => {
    for (let limit = 80; limit < 100; limit++) {
      const preview = previewOutput('😀'.repeat(100), limit);
      expect(preview.length).toBeGreaterThan(limit - 20);
      expect(() => encodeURIComponent(preview)).not.toThrow();
    }
  });

  it.each([79, 0, -1, 100.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a limit of %s', (limit) => {
    expect(() => previewOutput('', limit)).toThrow(
      expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT', argument: 'limit', received: limit }),
    );
  });

  it('keeps the limit, both ends and every character whole, and counts what is missing', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom('\n', '\n\n', '😀', '😀😀😀'), fc.string({ maxLength: 30 })), { maxLength: 60 })
      .map((parts) => parts.join('').replaceAll('…', '.'));
    const check = (content: string, limit: number) => {
      const preview = previewOutput(content, limit);
      expect(preview.length).toBeLessThanOrEqual(limit);
      if (content.length <= limit) {
        expect(preview).toBe(content);
        return;
      }
      const [before = '', characters, , tail = ''] = preview.split(leftOut);
      // The line break before the line belongs to the text where the cut lies between lines.
      const head =
        content.startsWith(`${before}\n`) && content.length - before.length - 1 - tail.length === Number(characters)
          ? `${before}\n`
          : before;
      expect(content.startsWith(head)).toBe(true);
      expect(content.endsWith(tail)).toBe(true);
      expect(head.length + Number(characters) + tail.length).toBe(content.length);
      // Throws on half a surrogate pair.
      encodeURIComponent(head);
      encodeURIComponent(tail);
    };
    fc.assert(fc.property(text, fc.integer({ min: 80, max: 400 }), check), { numRuns: 500 });
  });
});
