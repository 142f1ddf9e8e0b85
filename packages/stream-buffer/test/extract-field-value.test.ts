import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { describe, expect, it } from 'vitest';

function extract(text: string, field: string): string | undefined {
  const buffer = new StreamingToolCallBuffer();
  buffer.append('a', text);
  return buffer.extractFieldValue('a', field);
}

describe('extractFieldValue', () => {
  it.each([
    ['a closed field', '{"a":"x","b":"y"}', 'b', 'y'],
    ['an open field', '{"content":"func', 'content', 'func'],
    ['signs of JSON inside the value', '{"text":"Here is: a, b', 'text', 'Here is: a, b'],
    ['a field that has just begun', '{"a":"', 'a', ''],
    ['blanks around the colon', '{ "a" \n:\t "x', 'a', 'x'],
    ['trailing blanks', '{"a":"x  ', 'a', 'x  '],
    ['raw control characters', '{"c":"a\tb\r\nc', 'c', 'a\tb\r\nc'],
    ['a null character', '{"c":"a\0b', 'c', 'a\0b'],
    ['simple escapes', '{"c":"\\"\\\\\\/\\b\\f\\n\\r\\t', 'c', '"\\/\b\f\n\r\t'],
    ['a code point escape', '{"c":"a\\nb\\u2705 s', 'c', 'a\nb✅ s'],
    ['a surrogate pair in escapes', '{"c":"\\ud83d\\ude00', 'c', '😀'],
    ['a dangling backslash', '{"path":"a","content":"l1\\nl2\\', 'content', 'l1\nl2'],
    ['half an escape', '{"c":"a\\u27', 'c', 'a'],
    ['half a surrogate pair', '{"c":"a\ud83d', 'c', 'a'],
    ['half a surrogate pair in escapes', '{"c":"a\\ud83d\\u', 'c', 'a'],
    ['a lone surrogate that is final', '{"c":"a\\ud83db', 'c', 'a\ud83db'],
    ['a lone surrogate before the quote', '{"c":"a\\ud83d"', 'c', 'a\ud83d'],
    ['a bad escape, kept as written', '{"c":"\\x41 \\q', 'c', '\\x41 \\q'],
    ['bad hex digits, kept as written', '{"c":"\\u12G4', 'c', '\\u12G4'],
    ['a bad escape that the quote ends', '{"c":"\\u12","d":"e', 'c', '\\u12'],
    ['a key with an escape', '{"con\\u0074ent":"x', 'content', 'x'],
    ['an empty key', '{"":"x', '', 'x'],
    ['the last of a repeated key', '{"a":"x","a":"y', 'a', 'y'],
    ['a field before the text breaks', '{"a":"x","b":oops,"c":"y"}', 'a', 'x'],
    ['a field named __proto__', '{"__proto__":"v', '__proto__', 'v'],
  ])('finds %s', (_, text, field, value) => {
    expect(extract(text, field)).toBe(value);
  });

  it.each([
    ['a key that is not there', '{"a":"x"}', 'b'],
    ['a key without a value yet', '{"a":', 'a'],
    ['half a key', '{"ab', 'a'],
    ['a key inside another string', '{"s":"\\"a\\":\\"x\\""', 'a'],
    ['a key inside a nested object', '{"meta":{"a":"w"}', 'a'],
    ['a key inside an array', '{"list":[{"a":"w"', 'a'],
    ['a key of an object inside a root array', '[{"a":"w"', 'a'],
    ['a value that is a string elsewhere', '{"b":"a","c":"x"}', 'x'],
    ['a number', '{"a":12,', 'a'],
    ['a literal', '{"a":null}', 'a'],
    ['an object', '{"a":{"b":"c"}}', 'a'],
    ['the last of a repeated key, when that is no string', '{"a":"x","a":1}', 'a'],
    ['a field behind the place where the text breaks', '{"b":oops,"a":"y"}', 'a'],
    ['a name that every object inherits', '{"x":"y"}', 'constructor'],
  ])('does not find %s', (_, text, field) => {
    expect(extract(text, field)).toBeUndefined();
  });

  it('shows a repeated key as it was until its second value begins', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.append('a', '{"a":"x","a":');
    expect(buffer.extractFieldValue('a', 'a')).toBe('x');
    buffer.append('a', '"');
    expect(buffer.extractFieldValue('a', 'a')).toBe('');
  });

  it('leaves Object.prototype alone', () => {
    expect(extract('{"__proto__":{"polluted":"yes"},"a":"x', 'a')).toBe('x');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
