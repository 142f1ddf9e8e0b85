import { StreamingToolCallBuffer, type ToolCallVerdict } from '@holdfast/stream-buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inChunks, objectText, valueText } from './support/json-text.js';
import { growsInto } from './support/strings-of.js';

/** What JSON.parse says of a text: its value, or `undefined` for no value. */
function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function judge(text: string): ToolCallVerdict {
  const buffer = new StreamingToolCallBuffer();
  buffer.append('a', text);
  const verdict = buffer.finish('a');
  if (verdict === undefined) throw new Error('the call is unknown');
  return verdict;
}

/** Whether a value that is shown is a whole-character beginning of the final one, and goes on from the one before. */
function isBeginning(value: string, final: unknown, before = ''): boolean {
  if (typeof final !== 'string' || /\p{Surrogate}/u.test(value)) return false;
  return final.startsWith(value) && value.startsWith(before);
}

/** Whether some short continuation makes the text JSON. Knows nothing of the scanner: it tries them out. */
function canGoOn(text: string): boolean {
  const brackets: string[] = [];
  for (const mark of text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '')) {
    if (mark === '{' || mark === '[') brackets.unshift(mark === '{' ? '}' : ']');
    if (mark === '}' || mark === ']') brackets.shift();
  }
  const closers = brackets.join('');
  const ends = ['', 'n', '0', '00', '000', '0000', 'u0000', 'rue', 'ue', 'e', 'alse', 'lse', 'se', 'ull', 'll', 'l'];
  const next = ['', '"', '":0', ':0', '"":0', '0'];
  return ends.some((end) => next.some((then) => parse(text + end + then + closers) !== undefined));
}

describe('a text of which JSON.parse knows the value', () => {
  it('shows, after every character, a beginning of each string field, and at the end the field itself', () => {
    const law = ({ text }: { text: string }) => {
      const whole: Record<string, unknown> = JSON.parse(text);
      const buffer = new StreamingToolCallBuffer({ duplicates: 'keep' });
      const shown = new Map<string, string>();
      const faults: string[] = [];
      for (const character of text.split('')) {
        buffer.append('a', character);
        for (const [name, final] of Object.entries(whole)) {
          const value = buffer.extractFieldValue('a', name);
          const before = shown.get(name);
          if (value === undefined ? before !== undefined : !isBeginning(value, final, before)) faults.push(`${value}`);
          if (value !== undefined) shown.set(name, value);
        }
      }
      expect(faults).toEqual([]);
      const strings = Object.entries(whole).filter(([, value]) => typeof value === 'string');
      expect([...shown].sort()).toEqual(strings.sort());
    };
    fc.assert(fc.property(inChunks(objectText), law), { numRuns: 400 });
  });

  it('reads the same in whatever pieces it comes', () => {
    const law = ({ text, chunks }: { text: string; chunks: string[] }) => {
      const whole: Record<string, unknown> = JSON.parse(text);
      const buffer = new StreamingToolCallBuffer();
      for (const chunk of chunks) buffer.append('a', chunk);
      expect(buffer.finish('a')).toEqual({ kind: 'complete', parsed: whole, closedJson: text });
      expect(buffer.getRawArgs('a')).toBe(text);
      for (const [name, value] of Object.entries(whole)) {
        expect(buffer.extractFieldValue('a', name)).toBe(typeof value === 'string' ? value : undefined);
      }
    };
    fc.assert(fc.property(inChunks(objectText), law), { numRuns: 600 });
  });

  it('reads the same in pieces that are said once, twice or three times each', () => {
    const law = ({ text, chunks }: { text: string; chunks: string[] }, copies: number) => {
      const buffer = new StreamingToolCallBuffer();
      for (const chunk of chunks) for (let copy = 0; copy < copies; copy++) buffer.append('a', chunk);
      expect(buffer.finish('a')).toMatchObject({ kind: 'complete', closedJson: text });
      expect(buffer.getRawArgs('a')).toBe(text);
    };
    fc.assert(fc.property(inChunks(objectText), fc.constantFrom(1, 2, 3), law), { numRuns: 1_000 });
  });

  it('reads the same when each piece is the whole text so far', () => {
    const law = ({ text, chunks }: { text: string; chunks: string[] }) => {
      const buffer = new StreamingToolCallBuffer();
      let soFar = '';
      for (const chunk of chunks) {
        soFar += chunk;
        buffer.append('a', soFar);
      }
      expect(buffer.getRawArgs('a')).toBe(text);
    };
    // Behind a first piece such as `{"a":` the second one could be a nested value, so the first is shorter here.
    const trimmed = objectText.map((text) => text.trim());
    fc.assert(fc.property(inChunks(trimmed, 3), law), { numRuns: 150 });
  });

  it('is complete or truncated at every cut, as JSON.parse says, and closes to a part of its value', () => {
    const law = (text: string) => {
      const whole: unknown = JSON.parse(text);
      for (let end = 0; end <= text.length; end++) {
        const part = text.slice(0, end);
        const parsed = parse(part);
        const verdict = judge(part);
        if (parsed !== undefined) {
          expect(verdict).toEqual({ kind: 'complete', parsed: parsed.value, closedJson: part });
          continue;
        }
        const rest = part.trim() === '' ? 'empty' : 'truncated';
        const closed: unknown = JSON.parse(verdict.closedJson);
        if (verdict.kind !== rest || !(verdict.closedJson === '{}' || growsInto(closed, whole))) {
          expect(verdict).toBe(`${rest}: ${part}`);
        }
        if (verdict.kind === 'truncated' && verdict.position !== end) expect(verdict.position).toBe(end);
        if (verdict.kind === 'truncated' && Object.keys(verdict.salvage.fields).length > 0) {
          expect(whole).toMatchObject(verdict.salvage.fields);
        }
      }
    };
    fc.assert(fc.property(valueText, law), { numRuns: 200 });
  });
});

describe('a text of which nobody knows', () => {
  const marks = ['{', '}', '[', ']', '"', ':', ',', '\\', 'u', '0', '1', '-', '.', 'e', '+', ' ', '\n', 'n', 'true'];
  const noise = fc.array(fc.constantFrom(...marks, 'nul', 'a', '😀', '\ud83d', '"a":', '"b"'), { maxLength: 10 });
  const damaged = fc
    .tuple(valueText, fc.nat(), fc.nat(2), fc.constantFrom(...marks))
    .map(([text, at, removed, mark]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + mark + text.slice(place + removed);
    });
  const anyText = fc.oneof(
    noise.map((parts) => parts.join('')),
    damaged,
  );

  it('is complete exactly if JSON.parse takes it', () => {
    const law = (text: string) => {
      const parsed = parse(text);
      const verdict = judge(text);
      if (parsed !== undefined) expect(verdict).toEqual({ kind: 'complete', parsed: parsed.value, closedJson: text });
      else expect(verdict.kind).not.toBe('complete');
      expect(parse(verdict.closedJson)).toBeDefined();
    };
    fc.assert(fc.property(anyText, law), { numRuns: 3_000 });
  });

  it('is truncated if some continuation makes it JSON, and invalid only if none does', () => {
    const law = (text: string) => {
      const { kind } = judge(text);
      if (kind === 'truncated') expect(canGoOn(text)).toBe(true);
      if (kind === 'invalid') expect(canGoOn(text)).toBe(false);
    };
    fc.assert(fc.property(anyText, law), { numRuns: 1_000 });
  });

  it('reads the same in whatever pieces it comes, when everything is kept', () => {
    const law = ({ text, chunks }: { text: string; chunks: string[] }) => {
      const whole = new StreamingToolCallBuffer({ duplicates: 'keep' });
      const pieces = new StreamingToolCallBuffer({ duplicates: 'keep' });
      whole.append('a', text);
      for (const chunk of chunks) pieces.append('a', chunk);
      expect(pieces.getRawArgs('a') ?? '').toBe(text);
      expect(pieces.finish('a')).toEqual(text === '' ? undefined : whole.finish('a'));
    };
    fc.assert(fc.property(inChunks(anyText), law), { numRuns: 1_000 });
  });

  it('is never lost: what is left out equals something that is there', () => {
    const pieces = fc.array(fc.constantFrom('a', 'b', '"', ' ', '\\n', '1'), { maxLength: 12 });
    const law = (list: string[]) => {
      const buffer = new StreamingToolCallBuffer();
      for (const piece of list) buffer.append('a', piece);
      buffer.finish('a');
      const text = buffer.getRawArgs('a') ?? '';
      expect(list.filter((piece) => !text.includes(piece))).toEqual([]);
    };
    fc.assert(fc.property(pieces, law), { numRuns: 1_000 });
    const opened = (list: string[]) => {
      const buffer = new StreamingToolCallBuffer();
      const said = ['{"k":', ...list].map((piece) => buffer.append('a', piece));
      expect(said).not.toContain(false);
      expect(buffer.getRawArgs('a')).toBe(`{"k":${list.join('')}`);
    };
    fc.assert(fc.property(pieces, opened), { numRuns: 1_000 });
  });
});
