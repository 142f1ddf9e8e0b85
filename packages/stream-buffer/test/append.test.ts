import {
  HoldfastError,
  StreamBufferOptionError,
  StreamBufferPieceError,
  StreamingToolCallBuffer,
} from '@holdfast/stream-buffer';
import { describe, expect, it } from 'vitest';

/** Appends the fragments and returns what `append` said of each. */
function feed(buffer: StreamingToolCallBuffer, fragments: readonly string[], id = 'a'): boolean[] {
  return fragments.map((fragment) => buffer.append(id, fragment));
}

const two = (...fragments: string[]): string[] => fragments.flatMap((fragment) => [fragment, fragment]);
const three = (...fragments: string[]): string[] => fragments.flatMap((fragment) => [fragment, fragment, fragment]);

function textOf(fragments: readonly string[], options = {}): string | undefined {
  const buffer = new StreamingToolCallBuffer(options);
  feed(buffer, fragments);
  return buffer.getRawArgs('a');
}

describe('append', () => {
  it('joins fragments per call and says that it did', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(buffer.append('a', '{"action":"write","content":"func')).toBe(true);
    expect(buffer.append('b', '{"x"')).toBe(true);
    expect(buffer.append('a', 'tion App() {')).toBe(true);
    expect(buffer.getRawArgs('a')).toBe('{"action":"write","content":"function App() {');
    expect(buffer.getRawArgs('b')).toBe('{"x"');
    expect(buffer.extractFieldValue('a', 'content')).toBe('function App() {');
  });

  it('knows nothing of a call that never came', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(buffer.getRawArgs('a')).toBeUndefined();
    expect(buffer.getToolName('a')).toBeUndefined();
    expect(buffer.extractFieldValue('a', 'x')).toBeUndefined();
    expect(buffer.has('a')).toBe(false);
    expect(buffer.finish('a')).toBeUndefined();
    expect(buffer.ids()).toEqual([]);
  });

  it('takes an empty fragment as the start of a call without content', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(buffer.append('a', '')).toBe(true);
    expect(buffer.getRawArgs('a')).toBe('');
    expect(buffer.has('a')).toBe(false);
    expect(buffer.ids()).toEqual(['a']);
  });

  it('refuses arguments that are no text and names the call', () => {
    const buffer = new StreamingToolCallBuffer();
    const wrong = { command: 'ls' } as unknown as string;
    let thrown: unknown;
    try {
      buffer.append('call_7', wrong);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(StreamBufferPieceError);
    expect(HoldfastError.isInstance(thrown)).toBe(true);
    expect(thrown).toMatchObject({
      name: 'StreamBufferPieceError',
      code: 'ERR_HOLDFAST_STREAM_BUFFER_PIECE',
      toolCallId: 'call_7',
      part: 'args',
      received: wrong,
    });
    expect((thrown as Error).message).toBe(
      'Tool call "call_7" expects its args as a string, got an object. ' +
        'Serialize arguments that are a value with JSON.stringify first.',
    );
    expect(buffer.getRawArgs('call_7')).toBeUndefined();
    expect(() => buffer.append(undefined as unknown as string, '{}')).toThrow(StreamBufferPieceError);
    expect(() => buffer.append('a', '{}', { source: 1 as unknown as string })).toThrow(StreamBufferPieceError);
  });
});

describe('names, indexes, clearing', () => {
  it('keeps the last tool name and no blank one', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.setToolName('a', 'content_tool');
    expect(buffer.getToolName('a')).toBe('content_tool');
    expect(buffer.has('a')).toBe(false);
    expect(buffer.getRawArgs('a')).toBeUndefined();
    buffer.setToolName('a', 'other_tool');
    buffer.setToolName('a', ' ');
    buffer.setToolName('a', 'null');
    expect(buffer.getToolName('a')).toBe('other_tool');
    expect(() => buffer.setToolName('a', 1 as unknown as string)).toThrow(StreamBufferPieceError);
  });

  it('resolves an index to the call that was mapped last', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(buffer.getIdByIndex(0)).toBeUndefined();
    buffer.setIndexMapping(0, 'a');
    buffer.setIndexMapping(1, 'b');
    expect([buffer.getIdByIndex(0), buffer.getIdByIndex(1)]).toEqual(['a', 'b']);
    buffer.setIndexMapping(0, 'c');
    expect(buffer.getIdByIndex(0)).toBe('c');
    const wrong = { code: 'ERR_HOLDFAST_STREAM_BUFFER_PIECE', part: 'index', received: '0', toolCallId: 'a' };
    expect(() => buffer.setIndexMapping('0' as unknown as number, 'a')).toThrow(expect.objectContaining(wrong));
    expect(() => buffer.setIndexMapping(0, null as unknown as string)).toThrow(StreamBufferPieceError);
  });

  it('clears one call and leaves the others', () => {
    const buffer = new StreamingToolCallBuffer();
    feed(buffer, ['{"x":"1"}'], 'a');
    feed(buffer, ['{"x":"2"}'], 'b');
    buffer.setToolName('a', 'f');
    buffer.setIndexMapping(0, 'a');
    buffer.setIndexMapping(1, 'b');
    expect(buffer.has('a')).toBe(true);
    buffer.clear('a');
    buffer.clear('a');
    expect(buffer.has('a')).toBe(false);
    expect(buffer.getRawArgs('a')).toBeUndefined();
    expect(buffer.getToolName('a')).toBeUndefined();
    expect(buffer.getIdByIndex(0)).toBeUndefined();
    expect(buffer.extractFieldValue('b', 'x')).toBe('2');
    expect(buffer.getIdByIndex(1)).toBe('b');
  });

  it('clears everything, and begins a cleared call anew', () => {
    const buffer = new StreamingToolCallBuffer();
    feed(buffer, ['{"x":"1"}']);
    buffer.setToolName('a', 'f');
    buffer.setIndexMapping(0, 'a');
    buffer.clearAll();
    buffer.clearAll();
    expect(buffer.ids()).toEqual([]);
    expect(buffer.getToolName('a')).toBeUndefined();
    expect(buffer.getIdByIndex(0)).toBeUndefined();
    expect(feed(buffer, ['{"x":"1"}'])).toEqual([true]);
    expect(buffer.getRawArgs('a')).toBe('{"x":"1"}');
  });
});

describe('a stream that says everything several times', () => {
  it('keeps one copy and returns false for the others', () => {
    const buffer = new StreamingToolCallBuffer();
    const said = feed(buffer, ['{"action":', '{"action":', ' "write"', ' "write"', '}', '}']);
    expect(said).toEqual([true, false, true, false, true, false]);
    expect(buffer.getRawArgs('a')).toBe('{"action": "write"}');
    expect(buffer.calls()).toMatchObject([{ id: 'a', copies: 2, revision: 0 }]);
  });

  it.each([
    ['two copies, equal neighbours', ['{"a', '{"a', '":"', '":"', 'xx', 'xx', 'xx', 'xx', '"}', '"}'], '{"a":"xxxx"}'],
    ['three copies', ['{"a"', '{"a"', '{"a"', ':1', ':1', ':1', '}', '}', '}'], '{"a":1}'],
    ['two copies of an opening that may lawfully come twice', ['{"a":', '{"a":', '"x', '"x', '"}', '"}'], '{"a":"x"}'],
    ['a copy of the whole text', ['{"a":1}', '{"a":1}'], '{"a":1}'],
  ])('keeps the exact text: %s', (_, fragments, text) => {
    expect(textOf(fragments)).toBe(text);
  });

  it.each([
    ['blanks', ['{"a":"', ' ', ' ', '"}'], '{"a":"  "}'],
    ['line breaks', ['{"a":"', '\\n', '\\n', '"}'], '{"a":"\\n\\n"}'],
    ['words', ['{"a":"', '谢谢', '谢谢', '"}'], '{"a":"谢谢谢谢"}'],
    ['arrays', ['{"a":', '[', '[', ']', ']', '}'], '{"a":[[]]}'],
    ['digits', ['{"a":', '1', '1', '}'], '{"a":11}'],
  ])('loses no equal neighbours of a stream that says everything once: %s', (_, fragments, text) => {
    const buffer = new StreamingToolCallBuffer();
    expect(feed(buffer, fragments)).toEqual(fragments.map(() => true));
    expect(buffer.getRawArgs('a')).toBe(text);
  });

  it('puts copies back that a later fragment disproves, and says so', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(feed(buffer, ['{"a":', '{"a":', '"x'])).toEqual([true, false, true]);
    expect(buffer.getRawArgs('a')).toBe('{"a":"x');
    expect(buffer.calls()).toMatchObject([{ copies: 2, revision: 0 }]);
    expect(feed(buffer, ['"', '}}'])).toEqual([true, true]);
    expect(buffer.getRawArgs('a')).toBe('{"a":{"a":"x"}}');
    expect(buffer.calls()).toMatchObject([{ copies: 1, revision: 1 }]);
  });

  it.each([
    ['a nested array', ['[', '[', '1', ']', ']'], '[[1]]'],
    ['a nested array, twice', ['[', '[', '[', '[', '1', '1', ']]', ']]'], '[[1]]'],
    ['blanks first', ['\n', '\n', '{', '}'], '\n\n{}'],
    ['blanks first, and then twice', [' ', ' ', '\n', '\n', '\n', '\n', '{"a":', '{"a":', '1', '1'], ' \n\n{"a":1'],
    ['blanks first, of which one came more often', [' ', '\n', '\n', '{"a":', '{"a":', '1}}'], ' \n\n{"a":{"a":1}}'],
    ['text that is no JSON', ['ha', 'ha', ' no', '!'], 'haha no!'],
    ['a nested array to the power of four', ['[', '[', '[', '[', '1', '1', '1', '1', ']', ']', '2'], '[[11]2'],
  ])('takes the greatest common divisor: %s', (_, fragments, text) => {
    expect(textOf(fragments)).toBe(text);
  });

  it('stays with what the grammar has proved when one copy gets lost on the way', () => {
    const fragments = ['{"path":"', '{"path":"', 'src', '/a', '/a', '"}', '"}'];
    expect(textOf(fragments)).toBe('{"path":"src/a"}');
    expect(textOf(['{"a":', '{"a":', '"x', '"x', 'y', '"}', '"}'])).toBe('{"a":"xy"}');
  });

  it.each([
    ['says only the opening twice', ['{"a":"', '{"a":"', 'x', '=', '=', 'y', '"}'], '{"a":"x==y"}'],
    ['says only the opening twice, and ends soon', ['{"a":"', '{"a":"', 'x', '=', '=', '"}'], '{"a":"x=="}'],
    ['begins with two blanks and goes on with all at once', [' ', ' ', '{}'], '  {}'],
    ['stops saying everything twice', ['{"a":"', '{"a":"', 'x', 'x', 'y', '=', '=', '"', '}'], '{"a":"xy=="}'],
    ['says the opening twice and the rest three times', two('{"a"').concat(three(':"', '==', '"}')), '{"a":"=="}'],
    ['loses a copy, and the last one too', two('{"a":"').concat('x', two('y', 'z', 'w'), '"}'), '{"a":"xyzw"}'],
    ['says the opening three times and the rest twice', three('{"a"').concat(two(':"', '=', '=', '"}')), '{"a":"=="}'],
  ])('loses nothing of a stream that %s', (_, fragments, text) => {
    const buffer = new StreamingToolCallBuffer();
    feed(buffer, fragments);
    expect(buffer.finish('a')).toMatchObject({ kind: 'complete', closedJson: text });
    expect(buffer.getRawArgs('a')).toBe(text);
  });

  it('believes at once what the grammar leaves when the number of copies changes', () => {
    const buffer = new StreamingToolCallBuffer();
    feed(buffer, [...two('{"a"'), ...three(':'), '1']);
    expect(buffer.getRawArgs('a')).toBe('{"a":1');
    expect(buffer.calls()).toMatchObject([{ copies: 3, revision: 1 }]);
  });

  it('keeps the revision when another reading has the same text', () => {
    const buffer = new StreamingToolCallBuffer();
    feed(buffer, [...two('{"a":"'), 'x', 'y', 'z', '"}']);
    expect(buffer.getRawArgs('a')).toBe('{"a":"xyz"}');
    expect(buffer.calls()).toMatchObject([{ copies: 1, revision: 0 }]);
  });

  it('keeps, at the end, the reading under which the text is whole', () => {
    const lastCopyMissing = new StreamingToolCallBuffer();
    feed(lastCopyMissing, ['[', '[', '1', '1', ']']);
    expect(lastCopyMissing.finish('a')).toMatchObject({ kind: 'complete', closedJson: '[1]' });
    const nested = new StreamingToolCallBuffer();
    feed(nested, ['[', '[', ']]']);
    expect(nested.getRawArgs('a')).toBe('[]]');
    expect(nested.finish('a')).toMatchObject({ kind: 'complete', parsed: [[]] });
    expect(nested.getRawArgs('a')).toBe('[[]]');
    const emptyString = new StreamingToolCallBuffer();
    feed(emptyString, ['"', '"']);
    expect(emptyString.finish('a')).toMatchObject({ kind: 'complete', parsed: '' });
    const lawful = new StreamingToolCallBuffer();
    feed(lawful, ['[', '[', '1', '1', '],2']);
    expect(lawful.getRawArgs('a')).toBe('[1],2');
    expect(lawful.finish('a')).toMatchObject({ kind: 'truncated', closedJson: '[[11]]' });
    expect(lawful.getRawArgs('a')).toBe('[[11],2');
  });

  it('assumes sixteen copies and never more', () => {
    const said = (times: number) => ['[', '1', ']'].flatMap((piece) => Array.from({ length: times }, () => piece));
    expect(textOf(said(16))).toBe('[1]');
    expect(textOf(said(17))).toBe(said(17).join(''));
    const brackets = Array.from({ length: 34 }, () => '[');
    expect(textOf([...brackets, '1', '1'])).toBe('[[[[[[[[[[[[[[[[[1');
    expect(textOf([' ', ' '])).toBe(' ');
    expect(textOf([...brackets, '1', ']'])).toBe(`${'['.repeat(34)}1]`);
  });
});

describe('the source of a fragment', () => {
  it('keeps all of the first source, also equal neighbours, and nothing of the others', () => {
    const buffer = new StreamingToolCallBuffer();
    const from = (source: string, fragment: string) => buffer.append('a', fragment, { source });
    expect([from('outer', '{"a":'), from('inner', '{"a":')]).toEqual([true, false]);
    expect([from('outer', '1'), from('outer', '1'), from('inner', '1'), from('inner', '1')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([from('inner', '}'), from('outer', '}')]).toEqual([false, true]);
    expect(buffer.getRawArgs('a')).toBe('{"a":11}');
  });

  it('also keeps an opening that one source lawfully says twice', () => {
    const buffer = new StreamingToolCallBuffer();
    for (const fragment of ['[', '[', ']', ']']) expect(buffer.append('a', fragment, { source: 's' })).toBe(true);
    expect(buffer.getRawArgs('a')).toBe('[[]]');
  });

  it('is unknown when it is blank', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(buffer.append('a', '{"x', { source: null })).toBe(true);
    expect(buffer.append('a', '{"x', { source: '' })).toBe(false);
  });
});

describe('the other policies', () => {
  it('adjacent: leaves out every fragment that equals the one before', () => {
    const buffer = new StreamingToolCallBuffer({ duplicates: 'adjacent' });
    expect(feed(buffer, ['{"a":"', 'x', 'x', '', 'x', '"}', 'y'])).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(textOf(['{"a":1', '{"a":1', '}', '}'], { duplicates: 'adjacent' })).toBe('{"a":1}');
  });

  it('adjacent: leaves out nothing of what the owning source says', () => {
    const buffer = new StreamingToolCallBuffer({ duplicates: 'adjacent' });
    for (const fragment of ['{"a":', '1', '1', '}']) {
      expect(buffer.append('a', fragment, { source: 'outer' })).toBe(true);
      expect(buffer.append('a', fragment, { source: 'inner' })).toBe(false);
    }
    expect(buffer.getRawArgs('a')).toBe('{"a":11}');
  });

  it('keep: joins everything', () => {
    expect(textOf(['{"a":', '{"a":', '1}', '1}'], { duplicates: 'keep' })).toBe('{"a":{"a":1}1}');
    expect(textOf(['{}', '{"a":1}'], { duplicates: 'keep' })).toBe('{}{"a":1}');
  });

  it('refuses a policy that does not exist', () => {
    const wrong = { duplicates: 'guess' as 'keep' };
    expect(() => new StreamingToolCallBuffer(wrong)).toThrow(StreamBufferOptionError);
    expect(() => new StreamingToolCallBuffer(wrong)).toThrow(
      "The option duplicates expects 'proved', 'adjacent' or 'keep', got \"guess\". Leave it out for the default.",
    );
    expect(() => new StreamingToolCallBuffer({ idPrefix: 1 as unknown as string })).toThrow(StreamBufferOptionError);
  });
});

describe('a fragment that says the whole text again', () => {
  it.each([
    ['a final full copy', ['{"cmd":"ls"', '}', '{"cmd":"ls"}'], [true, true, false], '{"cmd":"ls"}'],
    ['a final copy that is fuller', ['{"cmd":"l', '{"cmd":"ls"}'], [true, true], '{"cmd":"ls"}'],
    ['a final copy that differs wins', ['{"cmd":"ls"', '}', '{"cmd": "ls"}'], [true, true, true], '{"cmd": "ls"}'],
    ['the placeholder {}', ['{}', '{"a"', ':1}'], [true, true, true], '{"a":1}'],
    ['the placeholder, with blanks', [' { } ', '{"a"', ':1}'], [true, true, true], '{"a":1}'],
    ['only the placeholder', ['{}'], [true], '{}'],
  ])('takes the place of the text: %s', (_, fragments, said, text) => {
    const buffer = new StreamingToolCallBuffer();
    expect(feed(buffer, fragments)).toEqual(said);
    expect(buffer.getRawArgs('a')).toBe(text);
  });

  it('follows a provider that sends the whole text each time', () => {
    const text = '{"a":"x {\\"a\\":","b":[1,{"a":"y"}]}';
    for (let step = 1; step < 8; step++) {
      const buffer = new StreamingToolCallBuffer();
      for (let end = step; end < text.length + step; end += step) buffer.append('a', text.slice(0, end));
      expect(buffer.getRawArgs('a')).toBe(text);
    }
  });

  it('follows it also behind a fault', () => {
    const buffer = new StreamingToolCallBuffer();
    const pieces = ['{"a', '{"a":"x', '{"a":"x"}}', '{"a":"x"}}', '{"a":"x"}}}'];
    expect(feed(buffer, pieces)).toEqual([true, true, true, false, true]);
    expect(buffer.getRawArgs('a')).toBe('{"a":"x"}}}');
    expect(buffer.finish('a')).toMatchObject({ kind: 'invalid', position: 9 });
  });

  it('raises the revision only if the text no longer begins as before', () => {
    const cumulative = new StreamingToolCallBuffer();
    feed(cumulative, ['{"a', '{"a":"x', '{"a":"xy"}']);
    expect(cumulative.calls()).toMatchObject([{ revision: 0, characters: 10 }]);
    const placeholder = new StreamingToolCallBuffer();
    feed(placeholder, ['{}', '{"a"']);
    expect(placeholder.calls()).toMatchObject([{ revision: 1 }]);
  });

  it.each([
    ['a nested value that looks like the text', ['{"a":', '{"a":1', '}}'], '{"a":{"a":1}}'],
    ['text inside a string', ['{"a":"', '{\\"a\\":\\"', '"}'], '{"a":"{\\"a\\":\\""}'],
    ['an array behind a finished object', ['{"a":1}', '[1]'], '{"a":1}[1]'],
    ['the start of an object behind a finished one', ['{"a":1}', '{"b"', ':2}'], '{"a":1}{"b":2}'],
    ['another object inside an open string', ['{"a":"x', '{"b":1}'], '{"a":"x{"b":1}'],
    ['a copy that breaks the grammar itself', ['{"a"', '{"a"x'], '{"a"{"a"x'],
    ['a stray bracket', ['{"a":1}', '}'], '{"a":1}}'],
  ])('joins what it does not explain: %s', (_, fragments, text) => {
    expect(textOf(fragments)).toBe(text);
  });
});
