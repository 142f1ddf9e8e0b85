import { type FieldPath, StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { character, cut, inChunks, objectText, valueText } from './support/json-text.js';
import { growsInto, type Step, stringsOf } from './support/strings-of.js';

interface Chunked {
  readonly text: string;
  readonly chunks: string[];
}

/** Joins deltas as a reader does that starts over at a reset. */
class Reader {
  shown = '';
  resets = 0;

  take(delta: { readonly kind: string; readonly text: string } | undefined): void {
    if (delta === undefined) return;
    if (delta.kind === 'reset') {
      this.shown = '';
      this.resets++;
    }
    this.shown += delta.text;
  }
}

const escapedText = fc
  .array(fc.constantFrom('\\u00e9', '\\ud83d\\ude00', '\\ud83d', '\\n', 'a'), { minLength: 1, maxLength: 8 })
  .map((characters) => `{"content":"${characters.join('')}"}`);

/** Pieces that no provider should send: said an uneven number of times, with faults, or the whole text between them. */
const hostileChunks = fc
  .tuple(
    inChunks(fc.oneof(objectText, escapedText)),
    fc.array(
      fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '', '', '"', '\\', '\\ud83d', '}', 'whole')),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
  )
  .map(([{ text, chunks }, faults]) =>
    chunks.flatMap((chunk, at) => {
      const [times, fault] = faults[at % faults.length] ?? [1, ''];
      return [
        ...Array.from({ length: times }, () => chunk),
        ...(fault === '' ? [] : [fault === 'whole' ? text : fault]),
      ];
    }),
  );

describe('a stream of any pieces', () => {
  it('gives deltas that join to what the field is at each moment, taken or told', () => {
    const paths: FieldPath[] = ['content', 'path', '__proto__', '', ['a', 0], ['a', 'a']];
    const law = (chunks: readonly string[]) => {
      const buffer = new StreamingToolCallBuffer();
      const readers = paths.map((path) => {
        const [taken, told] = [new Reader(), new Reader()];
        buffer.onFieldDelta(path, (event) => told.take(event));
        return { path, taken, told };
      });
      const check = () => {
        for (const { path, taken, told } of readers) {
          taken.take(buffer.takeFieldDelta('a', path));
          const shown = buffer.field('a', path)?.text ?? '';
          if (taken.shown !== shown || told.shown !== shown) expect([taken.shown, told.shown]).toEqual([shown, shown]);
        }
      };
      for (const chunk of chunks) {
        buffer.append('a', chunk);
        check();
      }
      buffer.finish('a');
      check();
    };
    fc.assert(fc.property(hostileChunks, law), { numRuns: 250 });
  });
});

describe('a text of which JSON.parse knows the value', () => {
  it('gives every string, however deep, in deltas that join to it, and tells a listener the same', () => {
    const law = ({ text, chunks }: Chunked) => {
      const strings = stringsOf(JSON.parse(text));
      const buffer = new StreamingToolCallBuffer();
      const readers = strings.map(({ path }) => {
        const [taken, told] = [new Reader(), new Reader()];
        buffer.onFieldDelta(path, (event) => told.take(event));
        return { path, taken, told };
      });
      for (const chunk of chunks) {
        buffer.append('a', chunk);
        for (const { path, taken } of readers) taken.take(buffer.takeFieldDelta('a', path));
      }
      buffer.finish('a');
      for (const { path, taken } of readers) taken.take(buffer.takeFieldDelta('a', path));
      const values = strings.map(({ value }) => value);
      expect(readers.map(({ taken }) => taken.shown)).toEqual(values);
      expect(readers.map(({ told }) => told.shown)).toEqual(values);
      expect(strings.map(({ path }) => buffer.field('a', path))).toEqual(
        values.map((value) => ({ text: value, closed: true })),
      );
    };
    fc.assert(fc.property(inChunks(valueText), law), { numRuns: 500 });
  });

  it('shows no half character and takes nothing back, character by character', () => {
    const law = (text: string) => {
      const strings = stringsOf(JSON.parse(text));
      const buffer = new StreamingToolCallBuffer({ duplicates: 'keep' });
      const shown = strings.map(() => '');
      const faults: string[] = [];
      for (const character of text.split('')) {
        buffer.append('a', character);
        for (const [index, { path, value }] of strings.entries()) {
          const now = buffer.field('a', path)?.text ?? '';
          const before = shown[index] ?? '';
          if (/\p{Surrogate}/u.test(now) || !value.startsWith(now) || !now.startsWith(before)) faults.push(now);
          shown[index] = now;
        }
      }
      expect(faults).toEqual([]);
    };
    fc.assert(fc.property(valueText, law), { numRuns: 200 });
  });

  it('has partial values that only grow, keep their types, and end as the value', () => {
    const law = ({ text, chunks }: Chunked) => {
      const whole: unknown = JSON.parse(text);
      const buffer = new StreamingToolCallBuffer({ duplicates: 'keep' });
      let before: unknown;
      for (const chunk of chunks) {
        buffer.append('a', chunk);
        const now = buffer.partial('a');
        if (now === undefined && before === undefined) continue;
        if (stringsOf(now).some(({ value }) => /\p{Surrogate}/u.test(value))) expect(now).toBe('whole characters');
        if (!growsInto(now, whole) || (before !== undefined && !growsInto(before, now))) expect(now).toBe(text);
        before = now;
      }
      // A number at the root may always go on; the verdict shows it.
      if (typeof whole !== 'number') expect(before).toEqual(whole);
    };
    fc.assert(fc.property(inChunks(valueText), law), { numRuns: 500 });
  });

  it('reads the same by deltas when everything is said once, twice or three times', () => {
    const law = ({ text, chunks }: Chunked, copies: number) => {
      const strings = stringsOf(JSON.parse(text));
      const buffer = new StreamingToolCallBuffer();
      const readers = strings.map(({ path }) => ({ path, reader: new Reader() }));
      const readAll = () => {
        for (const { path, reader } of readers) reader.take(buffer.takeFieldDelta('a', path));
      };
      for (const chunk of chunks) {
        for (let copy = 0; copy < copies; copy++) buffer.append('a', chunk);
        readAll();
      }
      buffer.finish('a');
      readAll();
      expect(buffer.getRawArgs('a')).toBe(text);
      expect(readers.map(({ reader }) => reader.shown)).toEqual(strings.map(({ value }) => value));
    };
    fc.assert(fc.property(inChunks(objectText), fc.constantFrom(1, 2, 3), law), { numRuns: 500 });
  });

  it('goes on exactly from a snapshot, wherever it is taken', () => {
    const paths: Step[][] = [['content'], ['a', 0], ['a', 'a'], [0, 0]];
    const law = ({ chunks }: Chunked, copies: number, storeAt: number) => {
      const straight = new StreamingToolCallBuffer();
      let stored = new StreamingToolCallBuffer();
      for (const [index, chunk] of chunks.entries()) {
        if (index === storeAt % chunks.length) stored = StreamingToolCallBuffer.restore(stored.serialize());
        for (let copy = 0; copy < copies; copy++) {
          expect(stored.append('a', chunk)).toBe(straight.append('a', chunk));
          const [ours = [], theirs] = [stored, straight].map((buffer) =>
            paths.map((path) => buffer.takeFieldDelta('a', path)),
          );
          expect(ours).toEqual(theirs);
        }
      }
      expect(stored.finish('a')).toEqual(straight.finish('a'));
      expect(stored.serialize()).toBe(straight.serialize());
    };
    fc.assert(fc.property(inChunks(valueText), fc.constantFrom(1, 2, 3), fc.nat(), law), { numRuns: 250 });
  });
});

describe('a string of many thousands of characters', () => {
  const blocks = fc.array(character, { minLength: 1, maxLength: 6 }).map((characters) => characters.join(''));
  const lengths = fc.array(fc.constantFrom(1, 70, 257, 4_096, 16_383, 50_000), { minLength: 1, maxLength: 4 });
  /** What the engine's parser refuses, and how it would have to be written. */
  const faults = fc.constantFrom(['', ''], ['\\q', '\\\\q'], ['\u0001', '\\u0001'], ['\\u12', '\\\\u12']);

  it('is decoded exactly, wherever escapes and faults lie in it', () => {
    const law = (shift: number, block: string, [fault, written]: readonly string[], pieces: readonly number[]) => {
      const many = block.repeat(Math.ceil(25_000 / block.length));
      const inside = (middle = '') => `${'x'.repeat(shift)}${many}${middle}g${many}`;
      const value: string = JSON.parse(`"${inside(written)}"`);
      const buffer = new StreamingToolCallBuffer({ duplicates: 'keep' });
      const reader = new Reader();
      for (const chunk of cut(`{"content":"${inside(fault)}"}`, pieces.length === 1 ? [9_999, ...pieces] : pieces)) {
        buffer.append('a', chunk);
        reader.take(buffer.takeFieldDelta('a', 'content'));
      }
      expect(reader.shown === value).toBe(true);
      expect(buffer.extractFieldValue('a', 'content') === value).toBe(true);
    };
    fc.assert(fc.property(fc.nat({ max: 12 }), blocks, faults, lengths, law), { numRuns: 60 });
  });
});
