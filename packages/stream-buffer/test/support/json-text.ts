/** Random JSON texts in every style of writing, and ways to cut them. The oracle for all of them is `JSON.parse`. */

import fc from 'fast-check';

const blank = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '  ', '\n', '\t', '\r\n ') },
);

const hex = (unit: number, upper: boolean): string => {
  const digits = unit.toString(16).padStart(4, '0');
  return `\\u${upper ? digits.toUpperCase() : digits}`;
};

/** A character as one may find it inside a JSON string: plain, escaped, or as an escaped surrogate pair. */
export const character: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('x', 'a', ' ', '{', '}', '[', ']', ':', ',', "'", '0', '谢', '\u2028', '\x7f'),
  },
  { weight: 2, arbitrary: fc.constantFrom('😀', '𝄞', '👩‍👩‍👧') },
  { weight: 2, arbitrary: fc.constantFrom('\\n', '\\t', '\\"', '\\\\', '\\/', '\\b', '\\f', '\\r') },
  { weight: 2, arbitrary: fc.tuple(fc.integer({ min: 0, max: 0xd7ff }), fc.boolean()).map(([u, up]) => hex(u, up)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 0xd800, max: 0xdbff }), fc.integer({ min: 0xdc00, max: 0xdfff }), fc.boolean())
      .map(([high, low, up]) => hex(high, up) + hex(low, !up)),
  },
);

const stringText = fc.array(character, { maxLength: 12 }).map((characters) => `"${characters.join('')}"`);

const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '1', '-12', '1.5', '1e5', '1E+2', '-0.25e-3', '123456789012345678901', '1e400'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

const keyText = fc.oneof(
  fc.constantFrom('"content"', '"path"', '"a"', '"__proto__"', '"con\\u0074ent"', '""', '"constructor"'),
  stringText,
);

interface Texts {
  value: string;
  array: string;
  object: string;
}

const { object, value } = fc.letrec<Texts>((tie: fc.LetrecTypedTie<Texts>) => {
  const padded = (arbitrary: fc.Arbitrary<string>) =>
    fc.tuple(blank, arbitrary, blank).map(([before, text, after]) => before + text + after);
  const member = fc.tuple(padded(keyText), padded(tie('value')));
  return {
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.oneof(stringText, numberText, fc.constantFrom('true', 'false', 'null')),
      tie('array'),
      tie('object'),
    ),
    array: fc
      .tuple(blank, fc.array(padded(tie('value')), { maxLength: 4 }))
      .map(([inside, items]) => `[${items.length === 0 ? inside : items.join(',')}]`),
    object: fc
      .tuple(blank, fc.uniqueArray(member, { maxLength: 5, selector: ([key]) => JSON.parse(key) }))
      .map(([inside, members]) => {
        return `{${members.length === 0 ? inside : members.map(([key, item]) => `${key}:${item}`).join(',')}}`;
      }),
  };
});

/** The text of an object without repeated keys, blanks around it included. */
export const objectText: fc.Arbitrary<string> = fc
  .tuple(blank, object, blank)
  .map(([before, text, after]) => before + text + after);

/** The text of any JSON value. */
export const valueText: fc.Arbitrary<string> = fc.tuple(blank, value, blank).map((parts) => parts.join(''));

/** A text with the pieces in which it arrives, from single characters to the whole. */
export function inChunks(text: fc.Arbitrary<string>, maxLength = 9): fc.Arbitrary<{ text: string; chunks: string[] }> {
  const lengths = fc.array(fc.integer({ min: 1, max: maxLength }), { minLength: 1, maxLength: 8 });
  return fc
    .tuple(text, fc.oneof(fc.constant([1]), lengths))
    .map(([whole, lengths]) => ({ text: whole, chunks: cut(whole, lengths) }));
}

/** A text in pieces whose lengths repeat. */
export function cut(text: string, lengths: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let start = 0, turn = 0; start < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    chunks.push(text.slice(start, start + length));
    start += length;
  }
  return chunks;
}
