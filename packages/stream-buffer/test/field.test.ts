import {
  type FieldDeltaEvent,
  type FieldPath,
  StreamBufferArgumentError,
  StreamingToolCallBuffer,
} from '@holdfast/stream-buffer';
import { describe, expect, it } from 'vitest';

function fed(...fragments: string[]): StreamingToolCallBuffer {
  const buffer = new StreamingToolCallBuffer();
  for (const fragment of fragments) buffer.append('a', fragment);
  return buffer;
}

const edits = '{"path":"x","edits":[{"old":"a\\n","new":"b"},{"old":"c","deep":[["d"]],"n":1,"new":"e';

describe('field', () => {
  it.each<[FieldPath, string, boolean]>([
    ['path', 'x', true],
    [['path'], 'x', true],
    [['edits', 0, 'old'], 'a\n', true],
    [['edits', 0, 'new'], 'b', true],
    [['edits', 1, 'deep', 0, 0], 'd', true],
    [['edits', 1, 'new'], 'e', false],
  ])('reads %j', (path, text, closed) => {
    expect(fed(edits).field('a', path)).toEqual({ text, closed });
    expect(fed(...edits.split('')).field('a', path)).toEqual({ text, closed });
  });

  it.each<[string, FieldPath]>([
    ['no key', []],
    ['a container', ['edits']],
    ['an element that is none', ['edits', 2, 'new']],
    ['an index as a key', ['edits', '0', 'old']],
    ['a key as an index', [0]],
    ['a number', ['edits', 1, 'n']],
    ['something inside a string', ['path', 0]],
    ['something inside a number', ['edits', 1, 'n', 0]],
    ['a name that every object inherits', ['edits', 0, 'constructor']],
  ])('does not find %s', (_, path) => {
    expect(fed(edits).field('a', path)).toBeUndefined();
  });

  it('reads roots that are no object', () => {
    expect(fed('"te').field('a', [])).toEqual({ text: 'te', closed: false });
    expect(fed('["x",1,["y').field('a', [0])).toEqual({ text: 'x', closed: true });
    expect(fed('["x",1,["y').field('a', [2, 0])).toEqual({ text: 'y', closed: false });
    expect(fed('["x"').field('a', '0')).toBeUndefined();
    expect(fed('{"":"x"').field('a', '')).toEqual({ text: 'x', closed: true });
  });

  it('takes the last of a repeated key inside too', () => {
    expect(fed('{"o":{"k":"x","k":"y').field('a', ['o', 'k'])).toEqual({ text: 'y', closed: false });
    expect(fed('{"o":{"k":"x","k":1').field('a', ['o', 'k'])).toBeUndefined();
    expect(fed('{"o":{"k":"x"},"o":{').field('a', ['o', 'k'])).toBeUndefined();
  });

  it('knows nothing of a call that never came', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(buffer.field('a', 'x')).toBeUndefined();
    expect(buffer.takeFieldDelta('a', 'x')).toBeUndefined();
    expect(buffer.partial('a')).toBeUndefined();
  });

  it.each([[[-1]], [[0.5]], [[null]], [5], [undefined], [{}]])('refuses %j as a path', (path) => {
    const buffer = fed(edits);
    const wrong = path as unknown as FieldPath;
    const error = { code: 'ERR_HOLDFAST_STREAM_BUFFER_ARGUMENT', argument: 'path', received: path };
    expect(() => buffer.field('a', wrong)).toThrow(expect.objectContaining(error));
    expect(() => buffer.takeFieldDelta('a', wrong)).toThrow(StreamBufferArgumentError);
    expect(() => buffer.onFieldDelta(wrong, () => {})).toThrow(StreamBufferArgumentError);
  });
});

describe('takeFieldDelta', () => {
  it('gives each part once, decoded, and says when the string has closed', () => {
    const buffer = new StreamingToolCallBuffer();
    const taken = ['{"a":', '"x', 'y\\', 'n\ud83d', '\ude00', '\\ud83d\\u', 'de00', 'z"', '}'].map((fragment) => {
      buffer.append('a', fragment);
      return buffer.takeFieldDelta('a', 'a');
    });
    const delta = (text: string, closed = false) => ({ kind: 'delta', text, closed });
    const open = [delta('x'), delta('y'), delta('\n'), delta('😀'), delta(''), delta('😀')];
    expect(taken).toEqual([undefined, ...open, delta('z', true), delta('', true)]);
  });

  it('gives what came while nobody asked, from any place to any other', () => {
    const value = Array.from({ length: 3_000 }, (_, index) => `line ${index}\n`).join('');
    for (const every of [1, 7, 300, 5_000]) {
      const buffer = fed('{"a":"');
      let taken = '';
      const fragments =
        JSON.stringify(value)
          .slice(1)
          .match(/.{1,5}/gs) ?? [];
      for (const [index, fragment] of fragments.entries()) {
        buffer.append('a', fragment);
        if (index % every === 0) taken += buffer.takeFieldDelta('a', 'a')?.text;
      }
      taken += buffer.takeFieldDelta('a', ['a'])?.text;
      expect(taken === value).toBe(true);
    }
  });

  it('reads escapes at every place near the ends of long pieces', () => {
    const value = `${'x'.repeat(80)}"\\é\n"\\\\"😀\u0001"${'y'.repeat(80)}`;
    const escaped = [...JSON.stringify(value)].map((character) =>
      character > '\x7f'
        ? [...character.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : character,
    );
    for (const json of [JSON.stringify(value), escaped.flat().join('')]) {
      for (let end = 60; end < json.length; end++) {
        const buffer = fed('{"a":', json.slice(0, end));
        const first = buffer.takeFieldDelta('a', 'a')?.text ?? '';
        expect(value.startsWith(first)).toBe(true);
        buffer.append('a', `${json.slice(end)}}`);
        expect(first + buffer.takeFieldDelta('a', 'a')?.text).toBe(value);
        expect(buffer.finish('a')?.kind).toBe('complete');
      }
    }
  });

  it('remembers each field of each call alone', () => {
    const buffer = fed('{"a":"x","b":"y","["c"]":"z","o":{"a":"w"}');
    buffer.append('b', '{"a":"v"');
    const take = (id: string, path: FieldPath) => buffer.takeFieldDelta(id, path)?.text;
    expect([take('a', 'a'), take('a', ['a']), take('a', 'b'), take('a', ['o', 'a']), take('b', 'a')]).toEqual([
      'x',
      '',
      'y',
      undefined,
      'v',
    ]);
    const nested = fed('{"o":{"a":"w"},"[\\"o\\",\\"a\\"]":"z"');
    expect(nested.takeFieldDelta('a', ['o', 'a'])?.text).toBe('w');
    expect(nested.takeFieldDelta('a', '["o","a"]')?.text).toBe('z');
  });

  it('resets when copies turn out to be text', () => {
    const buffer = fed('{"a":', '{"a":', '"x');
    expect(buffer.takeFieldDelta('a', 'a')).toEqual({ kind: 'delta', text: 'x', closed: false });
    buffer.append('a', '"');
    buffer.append('a', '}}');
    expect(buffer.getRawArgs('a')).toBe('{"a":{"a":"x"}}');
    expect(buffer.takeFieldDelta('a', 'a')).toEqual({ kind: 'reset', text: '', closed: false });
    expect(buffer.takeFieldDelta('a', 'a')).toBeUndefined();
    expect(buffer.takeFieldDelta('a', ['a', 'a'])).toEqual({ kind: 'delta', text: 'x', closed: true });
  });

  it('resets when the end shows another reading', () => {
    const buffer = fed('{"a":', '{"a":', '"x"}}');
    expect(buffer.takeFieldDelta('a', 'a')).toEqual({ kind: 'delta', text: 'x', closed: true });
    buffer.finish('a');
    expect(buffer.takeFieldDelta('a', 'a')).toEqual({ kind: 'reset', text: '', closed: false });
    expect(buffer.takeFieldDelta('a', ['a', 'a'])).toEqual({ kind: 'delta', text: 'x', closed: true });
  });

  it('resets for a repeated key, unless its text goes on from what was given', () => {
    const buffer = fed('{"a":"xy"');
    const take = () => buffer.takeFieldDelta('a', 'a');
    expect(take()?.text).toBe('xy');
    buffer.append('a', ',"a":"x');
    expect(take()).toEqual({ kind: 'reset', text: 'x', closed: false });
    const going = fed('{"a":"x"');
    going.takeFieldDelta('a', 'a');
    going.append('a', ',"a":"xyz');
    expect(going.takeFieldDelta('a', 'a')).toEqual({ kind: 'delta', text: 'yz', closed: false });
    going.append('a', '","a":7');
    expect(going.takeFieldDelta('a', 'a')).toEqual({ kind: 'reset', text: '', closed: false });
    going.append('a', ',"a":"new');
    expect(going.takeFieldDelta('a', 'a')).toEqual({ kind: 'delta', text: 'new', closed: false });
  });

  it.each([
    ['an escape', '\\u00e', '\\u00e9', 'é'],
    ['a pair of escapes', '\\ud83d', '\\ud83d\\ude00', '\u{1F600}'],
    ['a character', '\ud83d', '\ud83d\ude00', '\u{1F600}'],
  ])('resets where what was given ends within %s of another text', (_, cut, whole, text) => {
    const buffer = fed(`{"b":1,"a":"${cut}`);
    buffer.append('a', '","b":2}');
    const before = buffer.takeFieldDelta('a', 'a');
    buffer.append('a', `{"b":1,"a":"${whole}"}`);
    expect(before?.closed).toBe(true);
    expect(buffer.takeFieldDelta('a', 'a')).toEqual({ kind: 'reset', text, closed: true });
  });

  it('goes on through restatements that begin with what was given, and resets for others', () => {
    const buffer = new StreamingToolCallBuffer();
    const taken = ['{"cmd":"l', '{"cmd":"ls', '{"cmd":"ls -', '{"cmd":"ls -l"}', '{"cmd": "rm"}'].map((fragment) => {
      buffer.append('a', fragment);
      return buffer.takeFieldDelta('a', 'cmd');
    });
    expect(taken).toEqual([
      { kind: 'delta', text: 'l', closed: false },
      { kind: 'delta', text: 's', closed: false },
      { kind: 'delta', text: ' -', closed: false },
      { kind: 'delta', text: 'l', closed: true },
      { kind: 'reset', text: 'rm', closed: true },
    ]);
  });

  it('still resets when the text changes again before the reset was taken, also over a snapshot', () => {
    const buffer = fed('{"a":"x"}');
    buffer.takeFieldDelta('a', 'a');
    buffer.append('a', '{"a":"y"}');
    const stored = StreamingToolCallBuffer.restore(buffer.serialize());
    for (const each of [buffer, stored]) {
      each.append('a', '{"a":"xz"}');
      expect(each.takeFieldDelta('a', 'a')).toEqual({ kind: 'reset', text: 'xz', closed: true });
    }
  });

  it('decodes escapes inside a long fragment that follows many without any', () => {
    const buffer = fed('{"a":"');
    let shown = '';
    for (const fragment of [...'x'.repeat(100), `${'y'.repeat(40)}\\n${'z'.repeat(40)}`]) {
      buffer.append('a', fragment);
      shown += buffer.takeFieldDelta('a', 'a')?.text;
    }
    expect(shown).toBe(`${'x'.repeat(100)}${'y'.repeat(40)}\n${'z'.repeat(40)}`);
  });

  it('begins anew when the call is cleared', () => {
    const buffer = fed('{"a":"x');
    const told: FieldDeltaEvent[] = [];
    buffer.takeFieldDelta('a', 'a');
    buffer.clear('a');
    buffer.onFieldDelta('a', (event) => told.push(event));
    buffer.append('a', '{"a":"xy');
    buffer.clear('a');
    buffer.append('a', '{"a":"z');
    expect(told).toMatchObject([
      { kind: 'delta', text: 'xy' },
      { kind: 'delta', text: 'z' },
    ]);
    buffer.clear('a');
    buffer.append('a', '{"a":"xy');
    expect(buffer.takeFieldDelta('a', 'a')).toEqual({ kind: 'delta', text: 'xy', closed: false });
  });
});

describe('onFieldDelta', () => {
  function listened(path: FieldPath, buffer = new StreamingToolCallBuffer()) {
    const events: FieldDeltaEvent[] = [];
    const stop = buffer.onFieldDelta(path, (event) => events.push(event));
    return { buffer, events, stop };
  }

  it('tells what each piece brings, in every call', () => {
    const { buffer, events } = listened('a');
    buffer.ingest({ id: 'one', index: 0, name: 'f', args: '{"a":"x' });
    buffer.ingest({ id: 'two', index: 1, name: 'g', args: '{"b":1,"a":' });
    buffer.ingest({ index: 1, args: '"\\' });
    buffer.ingest({ index: 0, args: 'y","b":"' });
    buffer.append('two', 'n"}');
    buffer.append('two', ' ');
    const event = { kind: 'delta', path: 'a' };
    expect(events).toEqual([
      { ...event, toolCallId: 'one', toolName: 'f', text: 'x', closed: false },
      { ...event, toolCallId: 'one', toolName: 'f', text: 'y', closed: true },
      { ...event, toolCallId: 'two', toolName: 'g', text: '\n', closed: true },
    ]);
  });

  it('tells that an empty string has closed, and of a reset within finish', () => {
    const { buffer, events } = listened('a');
    buffer.append('x', '{"a":""');
    expect(events).toMatchObject([{ text: '', closed: true }]);
    for (const fragment of ['{"a":', '{"a":', '"x"}}']) buffer.append('y', fragment);
    buffer.finish('y');
    expect(events.slice(1)).toMatchObject([
      { kind: 'delta', toolCallId: 'y', text: 'x', closed: true },
      { kind: 'reset', toolCallId: 'y', text: '', closed: false },
    ]);
  });

  it('tells what has come already to a listener that is late, and nothing to one that has ended', () => {
    const buffer = fed('{"o":{"a":"x');
    const path: (string | number)[] = ['o', 'a'];
    const { events, stop } = listened(path, buffer);
    path.pop();
    expect(events).toMatchObject([{ text: 'x', path: ['o', 'a'] }]);
    buffer.append('a', 'y');
    stop();
    stop();
    buffer.append('a', 'z');
    expect(events.map(({ text }) => text)).toEqual(['x', 'y']);
    expect(buffer.takeFieldDelta('a', ['o', 'a'])?.text).toBe('xyz');
  });

  it('keeps the piece and what other listeners are owed when one throws', () => {
    const buffer = new StreamingToolCallBuffer();
    const stop = buffer.onFieldDelta('a', () => {
      throw new Error('full disk');
    });
    const { events } = listened('a', buffer);
    expect(() => buffer.append('a', '{"a":"x')).toThrow('full disk');
    stop();
    expect(buffer.append('a', 'y')).toBe(true);
    expect(buffer.getRawArgs('a')).toBe('{"a":"xy');
    expect(events.map(({ text }) => text)).toEqual(['xy']);
  });

  it('begins anew for a call that was cleared, and refuses what is no function', () => {
    const { buffer, events } = listened('a');
    buffer.append('a', '{"a":"x');
    buffer.clear('a');
    buffer.append('a', '{"a":"xy');
    expect(events.map(({ kind, text }) => [kind, text])).toEqual([
      ['delta', 'x'],
      ['delta', 'xy'],
    ]);
    const wrong = 'f' as unknown as () => void;
    const error = { code: 'ERR_HOLDFAST_STREAM_BUFFER_ARGUMENT', argument: 'listener', received: 'f' };
    expect(() => buffer.onFieldDelta('a', wrong)).toThrow(expect.objectContaining(error));
  });
});

describe('partial', () => {
  it.each<[string, unknown]>([
    ['', undefined],
    [' ', undefined],
    ['{', {}],
    ['{"a', {}],
    ['{"a":', {}],
    ['{"a":"', { a: '' }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\u00', { a: 'x' }],
    ['{"a":"x\ud83d', { a: 'x' }],
    ['{"a":"x\\ud83d', { a: 'x' }],
    ['{"a":"x\\\\ud83d', { a: 'x\\ud83d' }],
    ['{"a":"x","b":12', { a: 'x' }],
    ['{"a":"x","b":12,', { a: 'x', b: 12 }],
    ['{"a":[true,[null,{"b":fal', { a: [true, [null, {}]] }],
    ['{"a":"raw\nline \\q', { a: 'raw\nline \\q' }],
    ['[1,.05', [1]],
    ['"te', 'te'],
    ['12', undefined],
    ['{"__proto__":{"x":1', JSON.parse('{"__proto__":{}}')],
  ])('of %j is %j', (text, value) => {
    expect(fed(text).partial('a')).toEqual(value);
  });

  it('is a new value each time', () => {
    const buffer = fed('{"a":{}');
    const first = buffer.partial('a') as { a: { x?: number } };
    first.a.x = 1;
    expect(buffer.partial('a')).toEqual({ a: {} });
  });
});
