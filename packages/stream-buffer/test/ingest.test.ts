import { StreamBufferPieceError, StreamingToolCallBuffer, type ToolCallPiece } from '@holdfast/stream-buffer';
import { describe, expect, it } from 'vitest';

interface Call {
  readonly id: string;
  readonly name: string | undefined;
  readonly text: string | undefined;
}

function ingestAll(buffer: StreamingToolCallBuffer, pieces: readonly ToolCallPiece[]): Call[] {
  for (const piece of pieces) buffer.ingest(piece);
  return buffer.calls().map(({ id, name }) => ({ id, name, text: buffer.getRawArgs(id) }));
}

function callsOf(...pieces: ToolCallPiece[]): Call[] {
  return ingestAll(new StreamingToolCallBuffer(), pieces);
}

describe('ingest', () => {
  it('says what each piece did', () => {
    const buffer = new StreamingToolCallBuffer();
    expect(buffer.ingest({ id: 'a', index: 0, name: 'f', args: '' })).toEqual({
      kind: 'noted',
      id: 'a',
      started: true,
      appended: false,
    });
    expect(buffer.ingest({ index: 0, args: '{"x"' })).toEqual({
      kind: 'appended',
      id: 'a',
      started: false,
      appended: true,
    });
    expect(buffer.ingest({ index: 0, args: '{"x":' })).toMatchObject({ kind: 'restated', id: 'a', appended: true });
    expect(buffer.ingest({ id: 'b', args: '{"y"' })).toMatchObject({ kind: 'appended', id: 'b', started: true });
    expect(buffer.ingest({ id: 'b', args: '{"y"' })).toEqual({
      kind: 'duplicate',
      id: 'b',
      started: false,
      appended: false,
    });
    expect(buffer.ingest({ args: '' })).toMatchObject({ kind: 'noted', id: 'b', started: false });
    expect(buffer.ids()).toEqual(['a', 'b']);
    expect(buffer.calls()).toEqual([
      { id: 'a', name: 'f', characters: 5, copies: 1, revision: 0 },
      { id: 'b', name: undefined, characters: 4, copies: 2, revision: 0 },
    ]);
  });

  it('ignores a piece that says nothing of any call', () => {
    const buffer = new StreamingToolCallBuffer();
    const nothing = { kind: 'ignored', started: false, appended: false };
    expect(buffer.ingest({})).toEqual(nothing);
    expect(buffer.ingest({ id: '', index: 3, name: null, args: '' })).toEqual(nothing);
    expect(buffer.ids()).toEqual([]);
  });

  it('refuses a part of the wrong type and names the call', () => {
    const buffer = new StreamingToolCallBuffer();
    const piece = (part: object) => part as unknown as ToolCallPiece;
    expect(() => buffer.ingest(piece({ id: 'a', args: { command: 'ls' } }))).toThrow(
      'Tool call "a" expects its args as a string, got an object.',
    );
    for (const wrong of [{ id: 1 }, { index: '0' }, { name: 1 }, { args: 1 }, { source: 1 }]) {
      expect(() => buffer.ingest(piece(wrong))).toThrow(StreamBufferPieceError);
    }
    expect(buffer.ids()).toEqual([]);
  });
});

describe('routing', () => {
  it('counts the arguments of a start piece once', () => {
    expect(callsOf({ id: 'a', index: 0, name: 'f', args: '{' }, { index: 0, args: '}' })).toEqual([
      { id: 'a', name: 'f', text: '{}' },
    ]);
  });

  it('sends interleaved pieces without an id to the call at their index', () => {
    const calls = callsOf(
      { id: 'a', index: 0, name: 'f' },
      { id: 'b', index: 1, name: 'g' },
      { index: 0, args: '1' },
      { index: 1, args: '2' },
      { index: 0, args: '3' },
    );
    expect(calls).toEqual([
      { id: 'a', name: 'f', text: '13' },
      { id: 'b', name: 'g', text: '2' },
    ]);
  });

  it('keeps one call when its id comes with a wrong index, and goes on with it when neither comes', () => {
    const calls = callsOf({ id: 'a', index: 0, args: '{' }, { id: 'a', index: 3, args: '' }, { args: '}' });
    expect(calls).toEqual([{ id: 'a', name: undefined, text: '{}' }]);
  });

  it('lets no wrong index take another call its place', () => {
    const calls = callsOf(
      { id: 'a', index: 0, args: '{"x"' },
      { id: 'b', index: 1, args: '{"y"' },
      { id: 'a', index: 1, args: ':1' },
      { index: 1, args: ':2' },
    );
    expect(calls.map(({ text }) => text)).toEqual(['{"x":1', '{"y":2']);
  });

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['"null"', 'null'],
    ['null', null],
  ])('changes nothing for an id and a name that are %s', (_, none) => {
    const calls = callsOf(
      { index: 0, id: 'a', name: 'f', args: '{' },
      { index: 0, id: none, name: none, args: null },
      { index: 0, id: none, name: none, args: '}' },
    );
    expect(calls).toEqual([{ id: 'a', name: 'f', text: '{}' }]);
  });

  it('begins a new call for a new id at a known index', () => {
    const calls = callsOf(
      { id: 'a', index: 0, args: '{"x":1' },
      { id: 'b', index: 0, args: '{"y"' },
      { index: 0, args: ':2}' },
      { id: 'a', args: '}' },
    );
    expect(calls.map(({ text }) => text)).toEqual(['{"x":1}', '{"y":2}']);
  });

  it('lets the id win when one call is spread over several indexes', () => {
    const calls = callsOf({ id: 'a', index: 0, name: 'f' }, { id: 'a', index: 1, args: '{}' });
    expect(calls).toEqual([{ id: 'a', name: 'f', text: '{}' }]);
  });

  it('tells calls apart that all come with index 0 and without an id, with stable ids', () => {
    const pieces = [1, 2, 3].map((i) => ({ index: 0, name: 'f', args: `{"i":${i}}` }));
    const expected = [1, 2, 3].map((i) => ({ id: `call_${i - 1}`, name: 'f', text: `{"i":${i}}` }));
    expect(callsOf(...pieces)).toEqual(expected);
    const buffer = new StreamingToolCallBuffer();
    ingestAll(buffer, pieces);
    buffer.clearAll();
    expect(ingestAll(buffer, pieces)).toEqual(expected);
  });

  it('tells calls apart that come with neither id nor index', () => {
    const calls = callsOf(
      { name: 'f', args: '{"i":1}' },
      { name: 'g', args: '{"i":' },
      { args: '2}' },
      { name: 'g', args: '{}' },
    );
    expect(calls.map(({ name, text }) => [name, text])).toEqual([
      ['f', '{"i":1}'],
      ['g', '{"i":2}'],
      ['g', '{}'],
    ]);
  });

  it('tells calls without arguments apart by their names', () => {
    const calls = callsOf({ index: 0, name: 'now', args: '' }, { index: 0, name: 'here', args: '' });
    expect(calls.map(({ name }) => name)).toEqual(['now', 'here']);
  });

  it('tells calls apart whose names differ and whose arguments do not', () => {
    const calls = callsOf({ index: 0, name: 'list_files', args: '{}' }, { index: 0, name: 'git_status', args: '{}' });
    expect(calls.map(({ name, text }) => [name, text])).toEqual([
      ['list_files', '{}'],
      ['git_status', '{}'],
    ]);
  });

  it.each([1, 2])('tells calls of one tool apart that begin with the name alone, said %i times', (copies) => {
    const pieces = [1, 2].flatMap((i) => [
      { index: 0, name: 'f', args: '' },
      { index: 0, args: `{"i":${i}` },
      { index: 0, args: '}' },
    ]);
    expect(callsOf(...pieces.flatMap((piece) => Array.from({ length: copies }, () => piece)))).toEqual([
      { id: 'call_0', name: 'f', text: '{"i":1}' },
      { id: 'call_1', name: 'f', text: '{"i":2}' },
    ]);
  });

  it('begins no call for a name that is said once more, alone or with blanks', () => {
    const call = { id: 'call_0', name: 'f', text: '{"i":1} \n' };
    const start = { index: 0, name: 'f', args: '{"i":1}' };
    expect(callsOf(start, { index: 0, name: 'f', args: ' ' }, { index: 0, name: 'f' }, { args: '\n' })).toEqual([call]);
    expect(callsOf(start, { index: 0, name: 'f' }, { index: 0, args: '{"i":1}' })).toHaveLength(1);
    const foreign = { name: 'f', args: '', source: 'inner' };
    const calls = callsOf({ ...start, source: 'outer' }, foreign, { args: '{"i":2}' });
    expect(calls).toEqual([{ id: 'call_0', name: 'f', text: '{"i":2}' }]);
    const own = callsOf({ ...start, id: 'a' }, { id: 'a', name: 'f' }, { index: 0, args: '{"i":2}' });
    expect(own).toEqual([{ id: 'a', name: 'f', text: '{"i":2}' }]);
    const late = callsOf({ args: '{"i":1}' }, { name: 'f' }, { args: '{"i":2}' });
    expect(late).toEqual([{ id: 'call_0', name: 'f', text: '{"i":2}' }]);
  });

  it('gives a text that replaces another the name that it came with', () => {
    const calls = callsOf({ id: '0', name: 'read', args: '{"a":1}' }, { id: '0', name: 'delete', args: '{"b":1}' });
    expect(calls).toEqual([{ id: '0', name: 'delete', text: '{"b":1}' }]);
    const fuller = callsOf({ id: '0', name: 'read', args: '{"a":1' }, { id: '0', name: 'file', args: '{"a":12}' });
    expect(fuller).toEqual([{ id: '0', name: 'read', text: '{"a":12}' }]);
    const unnamed = callsOf({ id: '0', name: 'read', args: '{"a":1}' }, { id: '0', args: '{"a": 1}' });
    expect(unnamed).toEqual([{ id: '0', name: 'read', text: '{"a": 1}' }]);
  });

  it('takes a whole copy of a call without an id for a copy, not for a call', () => {
    const piece = { index: 0, name: 'charge', args: '{"amount":1}' };
    expect(callsOf(piece, piece)).toHaveLength(1);
    const keep = new StreamingToolCallBuffer({ duplicates: 'keep' });
    expect(ingestAll(keep, [piece, piece])).toHaveLength(2);
  });

  it('takes a copy of the last piece for no call, also when it opens an object', () => {
    const piece = (args: string) => ({ index: 0, name: 'f', args });
    const pieces = ['{"a":', '{"b":1}}', '{"a":', '{"b":2}}'].flatMap((args) => [piece(args), piece(args)]);
    expect(callsOf(...pieces).map(({ text }) => text)).toEqual(['{"a":{"b":1}}', '{"a":{"b":2}}']);
  });

  it('makes up ids that no call has', () => {
    const calls = callsOf({ id: 'call_0', name: 'f', args: '{}' }, { index: 5, name: 'g', args: '{}' });
    expect(calls.map(({ id }) => id)).toEqual(['call_0', 'call_1']);
    const buffer = new StreamingToolCallBuffer({ idPrefix: 'turn4_' });
    expect(ingestAll(buffer, [{ name: 'f' }])).toEqual([{ id: 'turn4_0', name: 'f', text: '' }]);
  });

  it('does not join a name that is repeated or changes under way', () => {
    const repeated = { id: 'a', name: 'read_file', args: '{' };
    expect(callsOf(repeated, { ...repeated, args: '' }, { ...repeated, args: '}' })).toEqual([
      { id: 'a', name: 'read_file', text: '{}' },
    ]);
    expect(callsOf({ index: 0, name: 'f', args: '{"a"' }, { index: 0, name: 'g', args: ':1}' })).toEqual([
      { id: 'call_0', name: 'f', text: '{"a":1}' },
    ]);
  });

  it('takes {} in a start piece for a placeholder when deltas follow', () => {
    const start = { id: 'a', index: 0, name: 'f', args: '{}' };
    expect(callsOf(start, { index: 0, args: '{"a"' }, { index: 0, args: ':1}' })[0]?.text).toBe('{"a":1}');
    expect(callsOf({ ...start, id: null }, { index: 0, args: '{"a"' }, { index: 0, args: ':1}' })).toEqual([
      { id: 'call_0', name: 'f', text: '{"a":1}' },
    ]);
    expect(callsOf(start)[0]?.text).toBe('{}');
  });

  it('takes the whole text once more, at the end and without a name, for a restatement', () => {
    const pieces = [
      { index: 0, name: 'f', args: '{"cmd":"ls"' },
      { index: 0, args: '}' },
    ];
    expect(callsOf(...pieces, { index: 0, args: '{"cmd":"ls"}' })).toMatchObject([{ text: '{"cmd":"ls"}' }]);
    expect(callsOf(...pieces, { index: 0, args: '{"cmd":"ls -l"}' })).toMatchObject([{ text: '{"cmd":"ls -l"}' }]);
  });

  it('goes on with the current call at a free index when that call has none', () => {
    const calls = callsOf({ id: 'a', name: 'f' }, { index: 0, args: '{' }, { index: 0, args: '}' });
    expect(calls).toEqual([{ id: 'a', name: 'f', text: '{}' }]);
  });

  it('keeps text at an unknown index, as a call without a name', () => {
    const calls = callsOf({ id: 'a', index: 0, name: 'f', args: '{' }, { index: 1, args: '{"lost"' });
    expect(calls).toEqual([
      { id: 'a', name: 'f', text: '{' },
      { id: 'call_0', name: undefined, text: '{"lost"' },
    ]);
  });

  it('begins a new call behind a finished one', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.ingest({ index: 0, name: 'f', args: '{"a":"cut' });
    buffer.finish('call_0', 'length');
    expect(buffer.ingest({ index: 0, name: 'f', args: '{"b":1}' })).toMatchObject({ id: 'call_1', started: true });
    expect(buffer.ingest({ args: ' ' })).toMatchObject({ id: 'call_1', appended: true });
  });

  it('follows the indexes that the host mapped', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.append('a', '{"x"');
    buffer.setIndexMapping(0, 'a');
    buffer.setIndexMapping(1, 'b');
    expect(buffer.ingest({ index: 0, args: ':1' })).toMatchObject({ id: 'a' });
    expect(buffer.ingest({ index: 1, args: '{' })).toMatchObject({ id: 'b', started: true });
    buffer.ingest({ id: 'c', index: 2 });
    expect(buffer.getIdByIndex(2)).toBe('c');
  });

  it('forgets a cleared call', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.ingest({ id: 'a', index: 0, source: 's', args: '{"x"' });
    buffer.clear('a');
    expect(buffer.ingest({ index: 0 })).toMatchObject({ kind: 'ignored' });
    expect(buffer.ingest({ source: 's' })).toMatchObject({ kind: 'ignored' });
  });

  it.each([{}, { index: 0 }, { source: 's' }])('forgets, when all is cleared, what stood for a call: %j', (part) => {
    const buffer = new StreamingToolCallBuffer();
    buffer.ingest({ id: 'a', index: 0, source: 's', args: '{"x"' });
    buffer.clearAll();
    expect(buffer.ingest({ ...part, args: '{' })).toMatchObject({ id: 'call_0', started: true });
  });
});

describe('an id that comes late', () => {
  it('stands for the call that is under way at its index', () => {
    const buffer = new StreamingToolCallBuffer();
    const calls = ingestAll(buffer, [
      { index: 0, name: 'f', args: '' },
      { index: 0, id: 'x', args: '{"a"' },
      { id: 'x', index: 1, args: ':1' },
      { index: 0, args: '}' },
    ]);
    expect(calls).toEqual([{ id: 'call_0', name: 'f', text: '{"a":1}' }]);
    expect(buffer.getRawArgs('x')).toBe('{"a":1}');
    expect(buffer.has('x')).toBe(true);
    expect(buffer.getToolName('x')).toBe('f');
    expect(buffer.append('x', ' ')).toBe(true);
    expect(buffer.finish('x')).toMatchObject({ kind: 'complete', parsed: { a: 1 } });
    buffer.clear('x');
    expect(buffer.ids()).toEqual([]);
    expect(buffer.ingest({ id: 'x', args: '{' })).toMatchObject({ id: 'x', started: true });
  });

  it('reads fields by the late id, makes up no such id, and forgets it with the rest', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.ingest({ index: 0, name: 'f', args: '{"path":"a' });
    buffer.ingest({ index: 0, id: 'call_1' });
    expect(buffer.extractFieldValue('call_1', 'path')).toBe('a');
    expect(buffer.ingest({ index: 1, name: 'g' })).toMatchObject({ id: 'call_2', started: true });
    buffer.clearAll();
    expect(buffer.append('call_1', '{')).toBe(true);
    expect(buffer.ids()).toEqual(['call_1']);
  });

  it('begins a call of its own when the call has been judged', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.ingest({ index: 0, name: 'f' });
    buffer.finish('call_0');
    expect(buffer.ingest({ index: 0, id: 'x' })).toMatchObject({ id: 'x', started: true });
  });

  it('begins a call of its own when the name differs, the text is whole, or an id has come already', () => {
    expect(callsOf({ index: 0, name: 'f' }, { index: 0, id: 'x', name: 'g' })).toHaveLength(2);
    expect(callsOf({ index: 0, name: 'f', args: '{}' }, { index: 0, id: 'x', args: '{' })).toHaveLength(2);
    expect(callsOf({ index: 0, name: 'f' }, { index: 0, id: 'x' }, { index: 0, id: 'y' })).toHaveLength(2);
    expect(callsOf({ id: 'w', index: 0 }, { index: 0, id: 'x' })).toHaveLength(2);
    expect(callsOf({ id: 'x', args: '{' }, { index: 0, name: 'f' }, { index: 0, id: 'x', args: '}' })).toEqual([
      { id: 'x', name: undefined, text: '{}' },
      { id: 'call_0', name: 'f', text: '' },
    ]);
  });
});

describe('sources', () => {
  it('drops what nested wrappers repeat, and keeps equal neighbours of the first', () => {
    const buffer = new StreamingToolCallBuffer();
    const outcomes: string[] = [];
    for (const args of ['{"a":', '1', '1', '}']) {
      for (const source of ['outer', 'inner']) outcomes.push(buffer.ingest({ id: 'a', index: 0, args, source }).kind);
    }
    expect(buffer.getRawArgs('a')).toBe('{"a":11}');
    expect(outcomes).toEqual(Array.from({ length: 4 }, () => ['appended', 'duplicate']).flat());
  });

  it('drops repeated calls without an id, also when each has index 0 and another name', () => {
    const buffer = new StreamingToolCallBuffer();
    const pieces = [
      { index: 0, name: 'f', args: '{"i":1}' },
      { index: 0, name: 'g', args: '{"i":' },
      { index: 0, args: '2}' },
    ];
    for (const piece of pieces) for (const source of ['outer', 'inner']) buffer.ingest({ ...piece, source });
    expect(ingestAll(buffer, [])).toEqual([
      { id: 'call_0', name: 'f', text: '{"i":1}' },
      { id: 'call_1', name: 'g', text: '{"i":2}' },
    ]);
  });

  it('drops a repeated call without an id that comes after the first one has ended', () => {
    const pieces = [
      { index: 0, name: 'f', args: '{"i":' },
      { index: 0, args: '1}' },
    ];
    const calls = callsOf(
      ...pieces.map((piece) => ({ ...piece, source: 'outer' })),
      ...pieces.map((piece) => ({ ...piece, source: 'inner' })),
    );
    expect(calls).toEqual([{ id: 'call_0', name: 'f', text: '{"i":1}' }]);
  });

  it('keeps two models apart that stream side by side with the same indexes', () => {
    const calls = callsOf(
      { id: 'a', index: 0, name: 'f', source: 'one' },
      { id: 'b', index: 0, name: 'g', source: 'two' },
      { index: 0, args: '{"x":1', source: 'one' },
      { index: 0, args: '{"y":2', source: 'two' },
      { args: '}', source: 'one' },
      { args: '}', source: 'two' },
    );
    expect(calls.map(({ text }) => text)).toEqual(['{"x":1}', '{"y":2}']);
    const nameless = callsOf(
      { index: 0, name: 'f', args: '{"x":', source: 'one' },
      { index: 0, name: 'g', args: '{"y":', source: 'two' },
      { index: 0, args: '1}', source: 'one' },
      { index: 0, args: '2}', source: 'two' },
    );
    expect(nameless.map(({ text }) => text)).toEqual(['{"x":1}', '{"y":2}']);
  });
});

describe('names in fragments', () => {
  const fragments = (...pieces: ToolCallPiece[]) =>
    ingestAll(new StreamingToolCallBuffer({ names: 'fragments' }), pieces);

  it('are joined until the arguments begin', () => {
    const pieces = [
      { index: 0, name: 'read_', args: '' },
      { index: 0, name: 'file', args: '{"a"' },
      { index: 0, name: 'file', args: ':1}' },
      { index: 0, name: 'li', args: '{' },
      { index: 0, name: 'st', args: '}' },
    ];
    expect(fragments(...pieces)).toEqual([
      { id: 'call_0', name: 'read_file', text: '{"a":1}' },
      { id: 'call_1', name: 'li', text: '{}' },
    ]);
    expect(fragments({ id: 'a', name: 'read_' }, { id: 'a', name: 'file' })).toMatchObject([{ name: 'read_file' }]);
    expect(callsOf({ id: 'a', name: 'read_' }, { id: 'a', name: 'file' })).toMatchObject([{ name: 'read_' }]);
  });

  it('are not joined from a source that only repeats', () => {
    const pieces = ['read_', 'file'].map((name) => ({ id: 'a', name }));
    const twice = pieces.flatMap((piece) => ['outer', 'inner'].map((source) => ({ ...piece, source })));
    expect(fragments(...twice)).toMatchObject([{ name: 'read_file' }]);
    const buffer = new StreamingToolCallBuffer({ names: 'fragments' });
    ingestAll(buffer, twice.slice(0, 1));
    const restored = StreamingToolCallBuffer.restore(buffer.serialize());
    expect(ingestAll(restored, twice.slice(1))).toMatchObject([{ name: 'read_file' }]);
  });

  it('are a rule that exists', () => {
    const wrong = { names: 'parts' as 'whole' };
    expect(() => new StreamingToolCallBuffer(wrong)).toThrow("The option names expects 'whole' or 'fragments'");
  });
});

describe('sequences', () => {
  const event = (source: string | undefined, sequence: number, args: string) => ({
    id: source,
    args,
    source,
    sequence,
  });

  it('keep each piece of each source once, when the server says them again', () => {
    const buffer = new StreamingToolCallBuffer();
    const kinds = [
      event('A', 1, '{"a":'),
      event('A', 2, '1'),
      event('A', 3, '1'),
      event('A', 2, '1'),
      event('A', 3, '1'),
      event('A', 4, '}'),
      event('B', 1, '{"b":'),
      event('B', 2, '2}'),
    ].map((piece) => buffer.ingest(piece));
    expect(kinds.map(({ kind }) => kind)).toEqual([
      ...['appended', 'appended', 'appended', 'replayed', 'replayed', 'appended'],
      ...['appended', 'appended'],
    ]);
    expect(kinds[3]).toEqual({ kind: 'replayed', started: false, appended: false });
    expect([buffer.getRawArgs('A'), buffer.getRawArgs('B')]).toEqual(['{"a":11}', '{"b":2}']);
  });

  it('begin no call for a start that is replayed', () => {
    const start = { index: 0, name: 'f', args: '{"i":1}', sequence: 7 };
    expect(callsOf(start, { ...start }, { ...start, sequence: 8 })).toHaveLength(1);
    const other = { ...start, args: '{"i":2}' };
    expect(callsOf(start, other)).toMatchObject([{ text: '{"i":1}' }]);
    expect(callsOf(start, { ...other, sequence: 8 })).toHaveLength(2);
  });

  it('are remembered of as many sources as there may be calls, the oldest forgotten first', () => {
    const buffer = new StreamingToolCallBuffer({ maxCalls: 2 });
    for (const source of ['A', 'B', 'C']) buffer.ingest({ source, sequence: 1 });
    const kinds = ['B', 'C', 'A'].map((source) => buffer.ingest({ source, sequence: 1 }).kind);
    expect(kinds).toEqual(['replayed', 'replayed', 'ignored']);
    buffer.clearAll();
    expect(buffer.ingest({ source: 'C', sequence: 1 }).kind).toBe('ignored');
  });

  it('are numbers', () => {
    const buffer = new StreamingToolCallBuffer();
    for (const wrong of ['1', Number.NaN, Number.POSITIVE_INFINITY]) {
      const piece = { id: 'a', sequence: wrong as number };
      expect(() => buffer.ingest(piece)).toThrow(expect.objectContaining({ part: 'sequence', toolCallId: 'a' }));
    }
    expect(buffer.ingest({ id: 'a', sequence: null }).kind).toBe('noted');
  });
});

describe('a call on several indexes', () => {
  it('is found by each of them while another call is spoken of', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.ingest({ id: 'a', index: 0, name: 'f', args: '{"x":' });
    buffer.ingest({ id: 'a', index: 1, args: '1' });
    buffer.ingest({ id: 'b', index: 2, name: 'g', args: '{' });
    expect(buffer.ingest({ index: 1, args: '}' })).toMatchObject({ kind: 'appended', id: 'a' });
    expect(buffer.ids().map((id) => buffer.getRawArgs(id))).toEqual(['{"x":1}', '{']);
  });
});
