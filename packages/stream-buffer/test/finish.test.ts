import { StreamingToolCallBuffer, type ToolCallVerdict } from '@holdfast/stream-buffer';
import { describe, expect, it } from 'vitest';

function verdictOf(text: string, reason?: string | null): ToolCallVerdict | undefined {
  const buffer = new StreamingToolCallBuffer();
  buffer.append('a', text);
  return buffer.finish('a', reason);
}

describe('finish', () => {
  it('calls a whole text complete, whatever the reason says', () => {
    const text = ' {"a":[1,null,{"b":"c"}]} ';
    for (const reason of [undefined, null, 'stop', 'tool_calls', 'length']) {
      expect(verdictOf(text, reason)).toEqual({
        kind: 'complete',
        parsed: { a: [1, null, { b: 'c' }] },
        closedJson: text,
      });
    }
  });

  it('calls a text that could go on truncated, whatever the reason says', () => {
    for (const reason of [undefined, 'stop', 'tool_calls', 'length']) {
      expect(verdictOf('{"file_path":"/a","con', reason)).toEqual({
        kind: 'truncated',
        position: 22,
        salvage: { fields: { file_path: '/a' } },
        closedJson: '{"file_path":"/a"}',
      });
    }
  });

  it('gives the open field with its text', () => {
    expect(verdictOf('{"action":"write","content":"l1\\nl2\\')).toEqual({
      kind: 'truncated',
      position: 36,
      salvage: { fields: { action: 'write' }, open: { name: 'content', kind: 'string', text: 'l1\nl2' } },
      closedJson: '{"action":"write","content":"l1\\nl2"}',
    });
  });

  it.each([
    ['a number', '{"a":"x","n":12', { name: 'n', kind: 'number', text: '12' }, '{"a":"x"}'],
    ['a literal', '{"a":"x","n":tr', { name: 'n', kind: 'literal', text: 'tr' }, '{"a":"x"}'],
    ['an array', '{"a":"x","n":[1,2', { name: 'n', kind: 'array', text: '[1,2' }, '{"a":"x","n":[1]}'],
    ['an object', '{"a":"x","n":{"b":"c', { name: 'n', kind: 'object', text: '{"b":"c' }, '{"a":"x","n":{"b":"c"}}'],
  ])('gives an open field as it came: %s', (_, text, open, closedJson) => {
    expect(verdictOf(text)).toMatchObject({ kind: 'truncated', salvage: { fields: { a: 'x' }, open }, closedJson });
  });

  it.each([
    ['half a literal', '{"foo": nul', '{}'],
    ['half another literal', '{"a":tr', '{}'],
    ['half a key', '{"a":1,"b', '{"a":1}'],
    ['a key', '{"a":1,"b"', '{"a":1}'],
    ['a colon', '{"a":1,"b":', '{"a":1}'],
    ['a comma', '{"a":1,', '{"a":1}'],
    ['a number that may go on', '{"a":1', '{}'],
    ['a number that a blank ends', '{"a":1 ', '{"a":1}'],
    ['half an escape', '{"a":"\\u00', '{"a":""}'],
    ['half a surrogate pair', '{"a":"x\ud83d', '{"a":"x"}'],
    ['half a surrogate pair in escapes', '{"a":"x\\ud83d\\ude', '{"a":"x"}'],
    ['nested containers', '{"a":[{"b":[[', '{"a":[{"b":[[]]}]}'],
    ['a root string', '"abc', '"abc"'],
    ['half a root literal', 'tru', '{}'],
    ['a root number without digits', '-', '{}'],
    ['an opening brace', ' {', ' {}'],
  ])('closes a text that ends with %s', (_, text, closedJson) => {
    const verdict = verdictOf(text);
    expect(verdict).toMatchObject({ kind: 'truncated', position: text.length, closedJson });
    expect(() => JSON.parse(closedJson)).not.toThrow();
  });

  it.each([
    ['a bad number', '[1,.05,7]', 3, 'unexpected_character', '[1]'],
    ['a leading zero', '{"a":01}', 6, 'unexpected_character', '{}'],
    ['words before the object', 'Sure: {"a":1}', 0, 'unexpected_character', '{}'],
    ['words behind the object', '{"a":1} done', 8, 'unexpected_character', '{"a":1}'],
    ['a trailing comma', '{"a":1,}', 7, 'unexpected_character', '{"a":1}'],
    ['a bare key', '{"a":1,b:2}', 7, 'unexpected_character', '{"a":1}'],
    ['a missing colon', '{"a" 1}', 5, 'unexpected_character', '{}'],
    ['a wrong bracket', '{"a":[1}', 7, 'unexpected_character', '{"a":[1]}'],
    ['a misspelt literal', '{"a":nulL}', 8, 'unexpected_character', '{}'],
    ['two objects', '{"a":1}{"b"', 7, 'unexpected_character', '{"a":1}'],
    ['a raw line break', '{"a":"x\ny","b":1}', 7, 'control_character', '{"a":"x\\ny","b":1}'],
    ['a raw null character', '{"a":"\0', 6, 'control_character', '{"a":"\\u0000"}'],
    ['a bad escape', '{"a":"x\\qy"}', 7, 'bad_escape', '{"a":"x\\\\qy"}'],
    ['bad hex digits', '{"a":"\\u12G4', 6, 'bad_escape', '{"a":"\\\\u12G4"}'],
    ['a bad escape in a key', '{"\\x":1}', 2, 'bad_escape', '{"\\\\x":1}'],
    ['an escaped line break', '{"a":"\\\n"}', 6, 'bad_escape', '{"a":"\\\\\\n"}'],
  ])('says where no JSON can go on: %s', (_, text, position, problem, closedJson) => {
    const verdict = verdictOf(text);
    expect(verdict).toMatchObject({ kind: 'invalid', position, problem, closedJson });
    expect(() => JSON.parse(closedJson)).not.toThrow();
  });

  it('salvages an invalid text too', () => {
    expect(verdictOf('{"a":"x\ty","b":[1,oops],"c":2}')).toMatchObject({
      kind: 'invalid',
      problem: 'control_character',
      salvage: { fields: { a: 'x\ty' }, open: { name: 'b', kind: 'array', text: '[1,oops],"c":2}' } },
      closedJson: '{"a":"x\\ty","b":[1]}',
    });
    expect(verdictOf('{"a":"C:\\dir","b":true}')).toMatchObject({
      kind: 'invalid',
      problem: 'bad_escape',
      salvage: { fields: { a: 'C:\\dir', b: true } },
    });
  });

  it('salvages a field named __proto__ as data', () => {
    const verdict = verdictOf('{"__proto__":{"polluted":1},"a":"');
    const fields = verdict?.kind === 'truncated' ? verdict.salvage.fields : {};
    expect(Object.getOwnPropertyDescriptor(fields, '__proto__')?.value).toEqual({ polluted: 1 });
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('takes the last of a repeated key, also when it is open', () => {
    expect(verdictOf('{"a":"x","a":"y","b":1')).toMatchObject({ salvage: { fields: { a: 'y' } } });
    expect(verdictOf('{"a":"x","a":"y')).toMatchObject({
      salvage: { fields: {}, open: { name: 'a', kind: 'string', text: 'y' } },
    });
  });

  it('calls a tool without arguments empty', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.ingest({ id: 'a', index: 0, name: 'now', args: '' });
    buffer.ingest({ id: 'b', index: 1, name: 'here' });
    for (const id of ['a', 'b']) {
      expect(buffer.getRawArgs(id)).toBe('');
      expect(buffer.finish(id, 'tool_calls')).toEqual({ kind: 'empty', parsed: {}, closedJson: '{}' });
    }
    expect(verdictOf(' \n')).toMatchObject({ kind: 'empty' });
  });

  it('asks the reason where the text cannot tell', () => {
    for (const reason of ['length', 'max_tokens', 'MAX_TOKENS', 'content_filter', 'model_length']) {
      expect(verdictOf('', reason)).toEqual({
        kind: 'truncated',
        position: 0,
        salvage: { fields: {} },
        closedJson: '{}',
      });
      expect(verdictOf('12', reason)).toMatchObject({ kind: 'truncated', closedJson: '{}' });
    }
    expect(verdictOf('12', 'stop')).toMatchObject({ kind: 'complete', parsed: 12 });
    expect(verdictOf('12')).toMatchObject({ kind: 'complete', parsed: 12 });
  });

  it('judges again when more has come: a beginning that parses is not the end', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.append('a', '{"a":1}');
    buffer.append('a', ' ');
    expect(buffer.finish('a')).toMatchObject({ kind: 'complete', closedJson: '{"a":1} ' });
    buffer.append('b', '12');
    expect(buffer.finish('b')).toMatchObject({ parsed: 12 });
    expect(buffer.append('b', '3')).toBe(true);
    expect(buffer.finish('b')).toMatchObject({ parsed: 123 });
    buffer.append('c', '{}');
    expect(buffer.finish('c')).toMatchObject({ kind: 'complete' });
    buffer.append('c', '…');
    expect(buffer.finish('c')).toMatchObject({ kind: 'invalid', position: 2 });
  });

  it('loses nothing when it is called before anything has come', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.setToolName('a', 'f');
    expect(buffer.finish('a')).toMatchObject({ kind: 'empty' });
    for (const fragment of ['{"a":', '1', '1', '}']) expect(buffer.append('a', fragment)).toBe(true);
    expect(buffer.finish('a')).toMatchObject({ parsed: { a: 11 } });
  });
});
