import { type FieldPath, type StreamBufferOptions, StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { beforeEach, describe, expect, it } from 'vitest';

/**
 * How many characters are looked at per character that arrives: one for each `charCodeAt` and `charAt`, the length for
 * what compares, searches or copies. Counted on the built package, whatever its inside.
 */
function workPerCharacter(work: () => number): number {
  const prototype = String.prototype;
  const { charCodeAt, charAt, startsWith, endsWith, indexOf, slice } = prototype;
  const { parse } = JSON;
  let characters = 0;
  prototype.charCodeAt = function (at) {
    characters++;
    return charCodeAt.call(this, at);
  };
  prototype.charAt = function (at) {
    characters++;
    return charAt.call(this, at);
  };
  prototype.startsWith = function (search, from) {
    characters += search.length;
    return startsWith.call(this, search, from);
  };
  // Flattens the text that it looks at.
  prototype.endsWith = function (search, to) {
    characters += this.length;
    return endsWith.call(this, search, to);
  };
  prototype.indexOf = function (search, from = 0) {
    const at = indexOf.call(this, search, from);
    characters += (at === -1 ? this.length : at + 1) - from;
    return at;
  };
  prototype.slice = function (from, to) {
    const piece = slice.call(this, from, to);
    characters += piece.length;
    return piece;
  };
  JSON.parse = (text) => {
    characters += text.length;
    return parse(text);
  };
  try {
    const arrived = work();
    return characters / arrived;
  } finally {
    Object.assign(prototype, { charCodeAt, charAt, startsWith, endsWith, indexOf, slice });
    JSON.parse = parse;
  }
}

const longValue = 'const a = \\"x\\";\\n  return 谢谢😀; '.repeat(500);

/** Streams a text in fragments of one size and reads its field in every way after each. */
function stream(text: string, size: number, copies = 1, path: FieldPath = 'content'): number {
  const buffer = new StreamingToolCallBuffer();
  let told = 0;
  buffer.onFieldDelta(path, (event) => {
    told += event.text.length;
  });
  let taken = 0;
  for (let at = 0; at < text.length; at += size) {
    for (let copy = 0; copy < copies; copy++) buffer.append('a', text.slice(at, at + size));
    taken += buffer.takeFieldDelta('a', path)?.text.length ?? 0;
    buffer.field('a', path);
    buffer.getRawArgs('a');
    buffer.has('a');
  }
  expect([told, taken]).toEqual([buffer.field('a', path)?.text.length, told]);
  return text.length * copies;
}

const argumentsOf = (value: string) => `{"action":"write","content":"${value}","n":[1,2,{"x":"y"}]}`;

describe('work', () => {
  it.each([
    [1, 1],
    [4, 1],
    [256, 1],
    [20_000, 1],
    [1, 2],
    [4, 3],
  ])('is linear in what arrives: fragments of %i, said %i times', (size, copies) => {
    const little = workPerCharacter(() => stream(argumentsOf(longValue), size, copies));
    const much = workPerCharacter(() => stream(argumentsOf(longValue.repeat(8)), size, copies));
    expect(much).toBeLessThan(little * 1.1);
    expect(much).toBeLessThan(12);
  });

  it.each<[string, (text: string) => number]>([
    ['a field', (value) => stream(argumentsOf(value), 4)],
    ['a nested field', (value) => stream(`{"edits":[{"new":"${value}"}]}`, 4, 1, ['edits', 0, 'new'])],
    ['a field whose text comes whole each time, in eighths', (value) => eighths(argumentsOf(value))],
  ])('grows with the text from 16 KB to 1 MB by an exponent of at most 1.1: %s', (_, work) => {
    const sizes = [16, 1_024].map((kilobytes) => longValue.repeat(Math.ceil((kilobytes * 1_024) / longValue.length)));
    const [small = 0, large = 0] = sizes.map((value) => {
      let arrived = 0;
      const perCharacter = workPerCharacter(() => {
        arrived = work(value);
        return arrived;
      });
      return Math.log(perCharacter * arrived);
    });
    const [short = '', long = ''] = sizes;
    expect((large - small) / Math.log(long.length / short.length)).toBeLessThan(1.1);
  });

  it.each([
    ['whole texts each time', () => ladder((text) => [text])],
    ['texts that look nested', () => ladder((text) => ['{"a":', text])],
    ['placeholders', () => feedAll(Array.from({ length: 2_000 }, () => ['{}', '{"a":1}']).flat())],
    ['finished texts that replace each other', () => feedAll(numbered(2_000, (i) => `{"a":${i}}`))],
    [
      'stray pieces behind a long finished text',
      () => feedAll([`{"a":"${longValue}"}`, ...numbered(2_000, () => '{')]),
    ],
    ['an opening without end', () => feedAll(numbered(20_000, () => '['))],
    ['openings that stay lawful', () => feedAll([...numbered(720, () => '['), ...numbered(5_000, () => ' ')])],
    ['copies that become irregular behind the limit', () => feedAll(irregular(), { maxCharactersPerCall: 20_000 })],
    ['copies that become irregular again and again', () => feedAll(irregularEachTime())],
  ])('is linear in what arrives: %s', (_, work) => {
    expect(workPerCharacter(work)).toBeLessThan(12);
  });

  it('does not grow with the number of reads', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.append('a', `{"content":"${longValue}`);
    expect(buffer.extractFieldValue('a', 'content')).toContain('return 谢谢😀; const a');
    const reads = workPerCharacter(() => {
      for (let read = 0; read < 1_000; read++) buffer.extractFieldValue('a', 'content');
      return 1;
    });
    expect(reads).toBe(0);
  });
});

function eighths(text: string): number {
  const ends = numbered(8, () => '').map((_, index) => Math.ceil((text.length * (index + 1)) / 8));
  return feedAll(ends.map((end) => text.slice(0, end)));
}

function numbered(length: number, piece: (index: number) => string): string[] {
  return Array.from({ length }, (_, index) => piece(index));
}

/** Says everything twice until the text is long, then once. */
function irregular(): string[] {
  const twice = ['{"a":"', ...numbered(200, (i) => `${'x'.repeat(100)}${i}`)].flatMap((piece) => [piece, piece]);
  return [...twice, ...numbered(2_000, (i) => 'xy'.charAt(i % 2))];
}

/** Every fifth piece comes once more than the others. */
function irregularEachTime(): string[] {
  const pieces = numbered(2_000, (i) => `${'xy'.charAt(i % 2)}${i}`);
  return ['{"a":"', '{"a":"', ...pieces.flatMap((piece, i) => [piece, piece, ...(i % 5 === 4 ? [piece] : [])])];
}

function feedAll(pieces: readonly string[], options: StreamBufferOptions = {}): number {
  const buffer = new StreamingToolCallBuffer(options);
  for (const piece of pieces) buffer.append('a', piece);
  buffer.finish('a');
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** A provider that sends the text so far each time, a little longer each time. */
function ladder(pieces: (text: string) => string[]): number {
  const text = `{"a":"${'x'.repeat(2_000)}"}`;
  const ends = Array.from({ length: 400 }, (_, index) => 6 + index * 5);
  return feedAll(ends.flatMap((end) => pieces(text.slice(0, end))));
}

describe('hostile text', () => {
  let buffer: StreamingToolCallBuffer;
  beforeEach(() => {
    buffer = new StreamingToolCallBuffer();
  });

  it('comes as a megabyte of single characters and loses none', () => {
    const value = `${'a'.repeat(999)}\n`.repeat(1_000);
    const text = JSON.stringify({ content: value });
    for (const character of text) buffer.append('a', character);
    expect(buffer.extractFieldValue('a', 'content') === value).toBe(true);
    expect(buffer.getRawArgs('a') === text).toBe(true);
    expect(buffer.finish('a')?.kind).toBe('complete');
  });

  it('is nested a hundred thousand times', () => {
    const deep = `{"a":"x","b":${'['.repeat(100_000)}`;
    buffer.append('a', deep);
    expect(buffer.extractFieldValue('a', 'a')).toBe('x');
    const verdict = buffer.finish('a');
    expect(verdict).toMatchObject({ kind: 'invalid', problem: 'depth_limit', position: 13 + 999 });
    expect(verdict?.closedJson).toBe(`{"a":"x","b":${'['.repeat(999)}${']'.repeat(999)}}`);
    expect(buffer.getRawArgs('a')).toBe(deep);
  });

  it.each([
    ['a copy', ['{"a":', '{"a":', '{"b":1', '}}', '}']],
    ['a restatement', ['{"a":', '{"a":[1', ']}', '}']],
  ])('loses nothing that looks like %s and is too deep', (_, pieces) => {
    const buffer = new StreamingToolCallBuffer({ maxDepth: 2 });
    for (const piece of pieces) buffer.append('a', piece);
    expect(buffer.finish('a')).toMatchObject({ kind: 'invalid', problem: 'depth_limit' });
    expect(buffer.getRawArgs('a')).toBe(pieces.join(''));
  });

  it('is nested as deep as the host allows', () => {
    const roomy = new StreamingToolCallBuffer({ maxDepth: 100_000 });
    roomy.append('a', '['.repeat(100_000));
    roomy.append('a', ']'.repeat(100_000));
    expect(roomy.finish('a')?.kind).toBe('complete');
    const shallow = new StreamingToolCallBuffer({ maxDepth: 1 });
    shallow.append('a', '{"a":[1]}');
    expect(shallow.finish('a')).toMatchObject({
      kind: 'invalid',
      problem: 'depth_limit',
      position: 5,
      closedJson: '{}',
    });
  });

  it('names its fields and calls like parts of objects', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
      expect(buffer.extractFieldValue(name, name)).toBeUndefined();
      buffer.append(name, `{${JSON.stringify(name)}:"v"}`);
      buffer.setToolName(name, 'f');
      expect(buffer.extractFieldValue(name, name)).toBe('v');
      expect(buffer.getToolName(name)).toBe('f');
    }
    expect(buffer.ids()).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']);
  });

  it('has null characters, bad escapes and lone surrogates everywhere', () => {
    for (const character of '{"\0":"\0\\x\\u\ud83d\\u12\ude00"\0') buffer.append('a', character);
    expect(buffer.extractFieldValue('a', '\0')).toBe('\0\\x\\u\ud83d\\u12\ude00');
    expect(buffer.finish('a')).toMatchObject({ kind: 'invalid', problem: 'control_character', position: 2 });
    expect(JSON.parse(buffer.finish('a')?.closedJson ?? '')).toEqual({ '\0': '\0\\x\\u\ud83d\\u12\ude00' });
  });

  it('has twenty thousand fields and faults', () => {
    const fields = Array.from({ length: 20_000 }, (_, index) => `"k${index}":"\t"`).join(',');
    buffer.append('a', `{${fields}`);
    expect(buffer.extractFieldValue('a', 'k19999')).toBe('\t');
    const verdict = buffer.finish('a');
    expect(Object.keys(JSON.parse(verdict?.closedJson ?? ''))).toHaveLength(20_000);
  });
});

describe('limits', () => {
  it('refuses the call that is one too many, and says so', () => {
    const buffer = new StreamingToolCallBuffer();
    for (let call = 0; call < 3_000; call++) buffer.ingest({ id: `c${call}`, index: call, name: 'f', args: '{}' });
    expect(buffer.ids()).toHaveLength(1_000);
    const refused = { kind: 'refused', limit: 'calls', started: false, appended: false };
    expect(buffer.ingest({ id: 'late', args: '{}' })).toEqual({ ...refused, id: 'late' });
    expect(buffer.ingest({ name: 'f', index: 5_000, args: '{}' })).toMatchObject(refused);
    expect(buffer.append('late', '{}')).toBe(false);
    buffer.setToolName('late', 'f');
    expect(buffer.getToolName('late')).toBeUndefined();
    expect(buffer.finish('late')).toBeUndefined();
    expect(buffer.append('c1', ' ')).toBe(true);
    buffer.clear('c0');
    expect(buffer.append('late', '{}')).toBe(true);
  });

  it('gives no other call the text of a refused one', () => {
    const buffer = new StreamingToolCallBuffer({ maxCalls: 1 });
    buffer.ingest({ id: 'a', args: '{"x":1' });
    for (const piece of [{ id: 'b', index: 7, args: '{' }, { index: 7, args: '"y":2' }, { args: '}' }]) {
      expect(buffer.ingest(piece)).toMatchObject({ kind: 'refused', id: 'b' });
    }
    expect(buffer.getRawArgs('a')).toBe('{"x":1');
  });

  it('holds as many indexes as calls', () => {
    const buffer = new StreamingToolCallBuffer({ maxCalls: 2 });
    for (const index of [0, 1, 2]) buffer.setIndexMapping(index, `c${index}`);
    expect([0, 1, 2].map((index) => buffer.getIdByIndex(index))).toEqual(['c0', 'c1', undefined]);
    buffer.setIndexMapping(1, 'c9');
    expect(buffer.getIdByIndex(1)).toBe('c9');
  });

  it('refuses the fragment that passes the limit of characters, and all after it', () => {
    const buffer = new StreamingToolCallBuffer({ maxCharactersPerCall: 12 });
    expect(buffer.ingest({ id: 'a', args: '{"a":"12' })).toMatchObject({ kind: 'appended' });
    expect(buffer.ingest({ id: 'a', args: '34567' })).toEqual({
      kind: 'refused',
      limit: 'characters',
      id: 'a',
      started: false,
      appended: false,
    });
    expect(buffer.append('a', '"}')).toBe(false);
    expect(buffer.getRawArgs('a')).toBe('{"a":"12');
    expect(buffer.finish('a')).toEqual({
      kind: 'truncated',
      position: 8,
      limit: 'characters',
      salvage: { fields: {}, open: { name: 'a', kind: 'string', text: '12' } },
      closedJson: '{"a":"12"}',
    });
  });

  it('calls no text complete of which a part was refused', () => {
    const buffer = new StreamingToolCallBuffer({ maxCharactersPerCall: 7 });
    buffer.append('a', '{"a":1}');
    expect(buffer.append('a', ' ')).toBe(false);
    expect(buffer.finish('a')).toMatchObject({ kind: 'truncated', limit: 'characters', closedJson: '{"a":1}' });
  });

  it('calls no text empty of which all was refused', () => {
    const buffer = new StreamingToolCallBuffer({ maxCharactersPerCall: 3 });
    expect(buffer.append('a', '{"a":1}')).toBe(false);
    expect(buffer.finish('a')).toMatchObject({ kind: 'truncated', limit: 'characters', closedJson: '{}' });
    buffer.append('b', '12');
    buffer.append('b', '34');
    expect(buffer.finish('b')).toMatchObject({ kind: 'truncated', limit: 'characters' });
  });

  it('refuses a restatement that passes the limit', () => {
    const buffer = new StreamingToolCallBuffer({ maxCharactersPerCall: 9 });
    expect(['{"a":1', '{"a":123}', '{"a":1234}'].map((piece) => buffer.append('a', piece))).toEqual([
      true,
      true,
      false,
    ]);
    expect(buffer.getRawArgs('a')).toBe('{"a":123}');
  });

  it('takes five million characters unless told otherwise', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(buffer.append('a', `"${'x'.repeat(4_999_998)}"`)).toBe(true);
    expect(buffer.append('a', ' ')).toBe(false);
    expect(buffer.append('b', `"${'x'.repeat(4_999_999)}"`)).toBe(false);
  });

  it('takes copies and restatements of a text that fills the limit', () => {
    const buffer = new StreamingToolCallBuffer({ maxCharactersPerCall: 7 });
    for (const fragment of ['{"a"', '{"a"', ':1}', ':1}']) buffer.append('a', fragment);
    expect(buffer.finish('a')).toMatchObject({ kind: 'complete', parsed: { a: 1 } });
    for (const fragment of ['{"b"', ':1}', '{"b":1}', '{"c":1}']) buffer.append('b', fragment);
    expect(buffer.finish('b')).toMatchObject({ kind: 'complete', parsed: { c: 1 } });
  });

  it.each(['maxCalls', 'maxCharactersPerCall', 'maxDepth'])('refuses a %s that is no limit', (option) => {
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5']) {
      expect(() => new StreamingToolCallBuffer({ [option]: value })).toThrow(
        expect.objectContaining({ code: 'ERR_HOLDFAST_STREAM_BUFFER_OPTION', option, received: value }),
      );
    }
  });
});
