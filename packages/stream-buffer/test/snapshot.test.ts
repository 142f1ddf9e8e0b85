import { StreamBufferSnapshotError, StreamingToolCallBuffer, type ToolCallPiece } from '@holdfast/stream-buffer';
import { describe, expect, it } from 'vitest';

/** The same buffer, by way of a text. */
const again = (buffer: StreamingToolCallBuffer) => StreamingToolCallBuffer.restore(buffer.serialize());

const two = (...fragments: string[]): string[] => fragments.flatMap((fragment) => [fragment, fragment]);

const beginnings = (text: string): string[] => text.split('').map((_, at) => text.slice(0, at + 1));

describe('serialize and restore', () => {
  it.each<[string, string[]]>([
    ['a plain stream', ['{"a":"x', '=', '=', '\\', 'n\ud83d', '\ude00","b":', '1', '1', '}']],
    ['everything twice', two('{"a":"', '==', '==', 'x', '"}')],
    ['copies that are disproved', ['{"a":', '{"a":', '"x', '"', '}}']],
    ['a copy that gets lost', ['{"a":"', '{"a":"', 'x', 'y', 'y', '=', '=', 'z', '"}']],
    ['blanks first', [' ', ' ', '\n', '\n', '{"a":"', '{"a":"', 'x', 'x']],
    ['blanks twice, and the rest once', [' ', ' ', '{"a":"', 'x', '"}']],
    ['copies that stop', ['{"a":"', '{"a":"', 'x', 'x', 'y', '=', '=', '"', '}']],
    ['copies of which one gets lost', ['{"a":"', '{"a":"', 'x', 'y', 'y', 'z', 'z', 'w', 'w', '"}']],
    ['whole texts that could be joined', beginnings('{"a":"x {\\"a\\":","b":[1,{"a":"y"}]}')],
    ['whole texts each time', ['{"a', '{"a":"x', '{"a":"xy', '{"a":"xy"}']],
    ['a placeholder', ['{}', '{"a"', ':1}']],
    ['a final full copy', ['{"a"', ':1}', '{"a":1}']],
    ['text that is broken', ['{"a":oops', ',"b":1}', '{"a":1}']],
  ])('goes on exactly, wherever it was stored: %s', (_, fragments) => {
    const straight = new StreamingToolCallBuffer();
    let stored = new StreamingToolCallBuffer();
    for (const fragment of fragments) {
      expect(stored.append('a', fragment)).toBe(straight.append('a', fragment));
      stored = again(stored);
      expect(stored.takeFieldDelta('a', 'a')).toEqual(straight.takeFieldDelta('a', 'a'));
      expect(stored.calls()).toEqual(straight.calls());
      expect(stored.serialize()).toBe(straight.serialize());
    }
    expect(again(stored).finish('a')).toEqual(straight.finish('a'));
    expect(stored.getRawArgs('a')).toBe(straight.getRawArgs('a'));
  });

  it('goes on with routing, names, made-up ids, sources and sequences', () => {
    const pieces: ToolCallPiece[] = [
      { index: 0, name: 'f', args: '{"i":', source: 'run', sequence: 1 },
      { index: 0, id: 'late', args: '1', source: 'run', sequence: 2 },
      { index: 0, args: '}', source: 'wrapper', sequence: 2 },
      { index: 0, args: '}', source: 'run', sequence: 2 },
      { index: 0, args: '}', source: 'run', sequence: 3 },
      { index: 0, name: 'f' },
      { index: 0, args: '{"i":2}' },
      { id: 'late', args: ' ' },
      { args: ' ' },
      { index: 4, name: 'g' },
    ];
    const straight = new StreamingToolCallBuffer({ idPrefix: 'x' });
    let stored = new StreamingToolCallBuffer({ idPrefix: 'x' });
    for (const piece of pieces) {
      expect(stored.ingest(piece)).toEqual(straight.ingest(piece));
      stored = again(stored);
    }
    expect(stored.calls()).toEqual(straight.calls());
    expect(stored.ids()).toEqual(['x0', 'x1', 'x2']);
    expect(stored.serialize()).toBe(straight.serialize());
  });

  it('goes on with finished calls, limits and the other policies', () => {
    const options = { duplicates: 'adjacent', names: 'fragments', maxCharactersPerCall: 9, maxCalls: 2, maxDepth: 2 };
    const buffer = again(new StreamingToolCallBuffer(options as { duplicates: 'adjacent' }));
    for (const fragment of ['{"a', '{"a', '":"123456']) buffer.append('a', fragment);
    const stored = again(buffer);
    expect(stored.append('a', '"')).toBe(false);
    expect(stored.finish('a')).toMatchObject({ kind: 'truncated', limit: 'characters', closedJson: '{}' });
    stored.ingest({ id: 'b', name: 'read_' });
    expect(again(stored).ingest({ id: 'c' })).toMatchObject({ kind: 'refused', limit: 'calls' });
    const named = again(stored);
    named.ingest({ id: 'b', name: 'file', args: '[[[' });
    expect(named.getToolName('b')).toBe('read_file');
    expect(named.finish('b')).toMatchObject({ problem: 'depth_limit', position: 2 });
    named.append('b', '"');
    expect(again(named).append('b', '"')).toBe(false);
    const done = new StreamingToolCallBuffer();
    done.ingest({ index: 0, name: 'f', args: '{"a"' });
    done.finish('call_0');
    expect(again(done).ingest({ index: 0, name: 'f', args: '{' })).toMatchObject({ id: 'call_1' });
  });

  it('goes on with deltas of nested fields, and with a reset that is still to be told', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.append('a', '{"o":[{"k":"x\\ud83d');
    buffer.takeFieldDelta('a', ['o', 0, 'k']);
    const stored = again(buffer);
    stored.append('a', '\\ude00y');
    expect(stored.takeFieldDelta('a', ['o', 0, 'k'])).toEqual({ kind: 'delta', text: '😀y', closed: false });
    stored.append('a', '","k":"z');
    const reset = again(again(stored));
    expect(reset.takeFieldDelta('a', ['o', 0, 'k'])).toEqual({ kind: 'reset', text: 'z', closed: false });
    reset.append('a', '","k":1');
    expect(again(reset).takeFieldDelta('a', ['o', 0, 'k'])).toEqual({ kind: 'reset', text: '', closed: false });
  });
});

describe('a text that is no snapshot', () => {
  const good = (() => {
    const buffer = new StreamingToolCallBuffer();
    buffer.ingest({ index: 0, name: 'f', args: '{"a":"x', source: 's', sequence: 4 });
    buffer.takeFieldDelta('call_0', 'a');
    return buffer.serialize();
  })();

  /** The snapshot with one value changed. */
  function changed(place: string, value: unknown): string {
    const root = JSON.parse(good);
    const steps = place.split('.');
    const last = steps.pop() ?? '';
    let part = root;
    for (const step of steps) part = part[step];
    expect(part).toHaveProperty([last]);
    part[last] = value;
    return JSON.stringify(root);
  }

  it('is refused, with the place that is wrong', () => {
    for (const text of ['', '{', 'null', '[]', '{}', 5, undefined]) {
      expect(() => StreamingToolCallBuffer.restore(text as string)).toThrow(StreamBufferSnapshotError);
    }
    expect(() => StreamingToolCallBuffer.restore(changed('version', 2))).toThrow(
      'A snapshot expects version as 1, got 2. Restore what serialize() of the same major version returned, unchanged.',
    );
    expect(() => StreamingToolCallBuffer.restore(changed('calls.0.cursors.0.at', -1))).toThrow(
      expect.objectContaining({ code: 'ERR_HOLDFAST_STREAM_BUFFER_SNAPSHOT', place: 'calls.0.cursors.0.at' }),
    );
  });

  const places: [string, unknown[]][] = [
    ['format', ['x', null]],
    ['options.duplicates', ['guess', null]],
    ['options.names', ['x']],
    ['options.idPrefix', [1]],
    ['options.maxCalls', [0, '5', null]],
    ['madeUpIds', [-1, null]],
    ['sequences', [{}, [['s']], [['s', 'x']], ['s']]],
    ['router', [null]],
    ['router.indexes', [[['0', 'a']], [[0, 1]]]],
    ['router.sources', [[[0, 'a']]]],
    ['router.current', [1]],
    ['calls', [null, [1]]],
    ['calls.0.id', [null]],
    ['calls.0.madeUp', [1]],
    ['calls.0.name', [1]],
    ['calls.0.readings.readings', [null, []]],
    ['calls.0.readings.run', [0.5]],
    ['calls.0.readings.lead', [null, [{ fragment: ' ', times: 0 }]]],
    ['calls.0.readings.readings.0.copies', [0, 'x']],
    ['calls.0.readings.readings.0.text.text', [null]],
    ['calls.0.readings.readings.0.text.restatements', ['x']],
    ['calls.0.readings.readings.0.text.whole', [0, 1.5]],
    ['calls.0.cursors', [[{ path: [null], at: 6 }], [{ path: 'a', at: 2 }], [{ path: 'a', at: 9 }]]],
    ['calls.0.cursors', [[{ path: 'b', at: 6 }], [{ path: ['a', -1], at: null }], [{ at: 6 }]]],
  ];
  it.each(places)('is refused for %s as any of %j', (place, values) => {
    expect(() => StreamingToolCallBuffer.restore(good)).not.toThrow();
    for (const value of values) {
      expect(() => StreamingToolCallBuffer.restore(changed(place, value))).toThrow(StreamBufferSnapshotError);
    }
  });

  it('is refused when two calls have one id', () => {
    const root = JSON.parse(good);
    root.calls.push(root.calls[0]);
    expect(() => StreamingToolCallBuffer.restore(JSON.stringify(root))).toThrow(
      expect.objectContaining({ place: 'calls.1' }),
    );
  });
});
