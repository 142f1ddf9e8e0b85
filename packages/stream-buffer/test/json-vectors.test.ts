import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { describe, expect, it } from 'vitest';
import { stringsOf } from './support/strings-of.js';

/** Every kind of text that JSON allows, and every kind that it does not, as one example each. */
const accepted = [
  '[]',
  '{}',
  ' [ ] ',
  '\t{\r\n}\n',
  '[null,true,false]',
  '[0,-0,1,10,-10]',
  '[1.0,0.5,-0.5,100.25]',
  '[1e1,1E1,1e+1,1e-1,1.5e10,0e0,0E+00,-0.0e-0]',
  '[123456789012345678901234567890]',
  '[1e999,-1e999,1e-999]',
  '""',
  '"text"',
  '42',
  '-1.5e3',
  'true',
  'null',
  '["\\"\\\\\\/\\b\\f\\n\\r\\t"]',
  '["\\u0000\\u001f\\u0020\\uFFFF\\uabCD"]',
  '["\\ud83d\\ude00","\\ud83d","\\ude00\\ud83d"]',
  '["\u2028\u2029\u007f\u0080\ufeff\uffff"]',
  '["😀\ud83d"]',
  '{"":""}',
  '{"a":{"a":{"a":[[[]]]}}}',
  '{"a":1,"a":2}',
  '{"a":1,"b":[{"c":null}],"d":"e"}',
  '{"\\u0061":1,"\\n":2}',
  '[[],{},[[]],[{}]]',
  '[ 1 , 2 ]',
  '{ "a" : 1 , "b" : 2 }',
];

const rejected = [
  // Brackets and separators.
  '[',
  ']',
  '{',
  '}',
  '[]]',
  '{}}',
  '[}',
  '{]',
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1 2]',
  '[1;2]',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1,,"b":2}',
  '{"a":1 "b":2}',
  '{"a"}',
  '{"a",1}',
  '{"a"::1}',
  '{"a":}',
  '{:1}',
  '{1:1}',
  '{null:1}',
  '{a:1}',
  "{'a':1}",
  '[1]{}',
  '{}[]',
  '1 2',
  'null null',
  // Numbers.
  '[+1]',
  '[01]',
  '[-01]',
  '[00]',
  '[.5]',
  '[1.]',
  '[-]',
  '[--1]',
  '[1.e5]',
  '[1e]',
  '[1e+]',
  '[1e5.5]',
  '[1.2.3]',
  '[0x10]',
  '[1_000]',
  '[1n]',
  '[NaN]',
  '[Infinity]',
  '[-Infinity]',
  '[１]',
  // Literals.
  '[True]',
  '[nul]',
  '[nulll]',
  '[tru e]',
  '[undefined]',
  'nan',
  // Strings.
  '["]',
  '"',
  "['a']",
  '["a\tb"]',
  '["a\nb"]',
  '["\0"]',
  '["\u001f"]',
  '["\\x00"]',
  '["\\a"]',
  '["\\u"]',
  '["\\u12"]',
  '["\\u12G4"]',
  '["\\U0041"]',
  '["\\\\\\"]',
  '["\\0"]',
  '["a" "b"]',
  '["a"b]',
  // Blanks and comments.
  '\ufeff{}',
  '[1\u00a0]',
  '[\u000b1]',
  '[\f1]',
  '\u2060[]',
  '[1]//x',
  '/**/{}',
  '[1/**/]',
  '#{}',
  // Not JSON at all.
  '<tool/>',
  '```json\n{}\n```',
  '*',
  '\0',
  '\ud83d',
];

/** What the grammar leaves to a reader: numbers out of range, halves of characters, repeated keys, depth. */
const leftOpen = [
  '[1e309,-1e309,1e-400]',
  '[1234567890123456789012345678901234567890]',
  '[0.1e1000000000000000000]',
  '["\\ud800"]',
  '["\\udc00"]',
  '["\\ud800\\ud800\\n"]',
  '["\\udc00\\ud800"]',
  '["\\ud800abc"]',
  '["\ud800"]',
  '["\udc00x"]',
  '{"\\ud800":"\\udfff"}',
  '["\\u0000"]',
  '["\ufdd0\ufffe"]',
  '{"a":"x","a":"y","a":"z"}',
  '{"__proto__":"x","__proto__":"y"}',
  `${'['.repeat(500)}${']'.repeat(500)}`,
  `${'{"a":'.repeat(500)}null${'}'.repeat(500)}`,
];

/** Cut short, so that something could still make them whole. */
const cutShort = [
  '[',
  '[1,',
  '["a',
  '{"a',
  '{"a":',
  '{"a":tru',
  '[-',
  '[1e+',
  '["\\',
  '["\\ud8',
  '[[[',
  ' \t[ ',
  '"\ud83d',
];

function feed(text: string, pieces: string[]): StreamingToolCallBuffer {
  const buffer = new StreamingToolCallBuffer({ duplicates: 'keep' });
  for (const piece of pieces) buffer.append('a', piece);
  expect(buffer.getRawArgs('a')).toBe(text);
  return buffer;
}

describe('the grammar of JSON', () => {
  it.each(accepted)('accepts %j', (text) => {
    for (const pieces of [[text], text.split('')]) {
      const verdict = feed(text, pieces).finish('a');
      expect(verdict).toEqual({ kind: 'complete', parsed: JSON.parse(text), closedJson: text });
    }
  });

  it.each(leftOpen)('reads as JSON.parse does what readers may read in their own way: %j', (text) => {
    const whole: unknown = JSON.parse(text);
    for (const pieces of [[text], text.split('')]) {
      const buffer = feed(text, pieces);
      expect(buffer.partial('a')).toEqual(whole);
      const strings = stringsOf(whole);
      expect(strings.map(({ path }) => buffer.field('a', path)?.text)).toEqual(strings.map(({ value }) => value));
      expect(buffer.finish('a')).toEqual({ kind: 'complete', parsed: whole, closedJson: text });
    }
  });

  it.each(cutShort)('calls %j truncated', (text) => {
    for (const pieces of [[text], text.split('')]) {
      const verdict = feed(text, pieces).finish('a');
      expect(verdict).toMatchObject({ kind: 'truncated', position: text.length });
      expect(() => JSON.parse(verdict?.closedJson ?? '')).not.toThrow();
    }
  });

  it.each(rejected)('rejects %j', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    for (const pieces of [[text], text.split('')]) {
      const verdict = feed(text, pieces).finish('a');
      expect(['invalid', 'truncated']).toContain(verdict?.kind);
      expect(() => JSON.parse(verdict?.closedJson ?? '')).not.toThrow();
    }
  });

  it('calls rejected texts truncated only if they could go on', () => {
    const truncated = rejected.filter((text) => feed(text, [text]).finish('a')?.kind === 'truncated');
    expect(truncated).toEqual(['[', '{', '["]', '"', '["\\\\\\"]']);
  });
});
