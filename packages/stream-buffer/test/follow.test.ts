import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { type DialectEvent, followToolCalls } from '@holdfast/stream-buffer/follow';
import { describe, expect, it } from 'vitest';
import { flat } from './support/fixtures.js';

const piece = (id: string, args: string, source?: string): DialectEvent => ({
  kind: 'piece',
  piece: { id, name: 'f', args, source },
});

/** A follower whose chunks are events already. */
function start(buffer = new StreamingToolCallBuffer()) {
  const follower = followToolCalls(buffer, (event: DialectEvent) => [event]);
  return {
    buffer,
    push: (...events: DialectEvent[]) => events.flatMap((event) => follower.push(event)).map(flat),
    end: (reason?: string) => follower.end(reason).map(flat),
  };
}

describe('followToolCalls', () => {
  it('gives a whole call when it ends, and only then', () => {
    const { push, end } = start();
    expect(push(piece('a', '{"x":1}'))).toEqual([]);
    expect(push({ kind: 'call-end', id: 'a' })).toEqual([
      {
        id: 'a',
        name: 'f',
        ranBy: 'host',
        differs: false,
        kind: 'complete',
        parsed: { x: 1 },
        closedJson: '{"x":1}',
      },
    ]);
    expect(push({ kind: 'call-end', id: 'a' }, { kind: 'turn-end', reason: 'stop' })).toEqual([]);
    expect(end()).toEqual([]);
  });

  it('lets a call that is not whole wait for the reason', () => {
    const { push } = start();
    expect(push(piece('a', ''), { kind: 'call-end', id: 'a' })).toEqual([]);
    expect(push({ kind: 'turn-end', reason: 'max_tokens' })).toMatchObject([{ id: 'a', kind: 'truncated' }]);
    expect(push(piece('b', ''), { kind: 'call-end', id: 'b' })).toEqual([]);
    expect(push({ kind: 'turn-end', reason: 'tool_use' })).toMatchObject([{ id: 'b', kind: 'empty' }]);
  });

  it('takes the reason for the last call, and for those that never ended where ends are told', () => {
    const noEnds = start();
    expect(noEnds.push(piece('a', ''), piece('b', ''), { kind: 'turn-end', reason: 'length' })).toMatchObject([
      { id: 'a', kind: 'empty' },
      { id: 'b', kind: 'truncated' },
    ]);
    const ends = start();
    ends.push(piece('a', ''), piece('b', ''), piece('c', ''), { kind: 'call-end', id: 'b' });
    expect(ends.push({ kind: 'turn-end', reason: 'length' })).toMatchObject([
      { id: 'a', kind: 'truncated' },
      { id: 'b', kind: 'empty' },
      { id: 'c', kind: 'truncated' },
    ]);
  });

  it('gives a call again whose text changed', () => {
    const { push, end } = start();
    expect(push(piece('a', '{"x":1'), { kind: 'turn-end', reason: 'stop' })).toMatchObject([{ kind: 'truncated' }]);
    expect(push(piece('a', '}'))).toEqual([]);
    expect(end()).toMatchObject([{ kind: 'complete', parsed: { x: 1 } }]);
    expect(end()).toEqual([]);
  });

  it('judges what a stream leaves behind as cut, with the reason of the host', () => {
    const { push, end } = start();
    push(piece('a', '{"x":1}'), piece('b', ''));
    expect(end('aborted')).toMatchObject([
      { id: 'a', kind: 'complete' },
      { id: 'b', kind: 'truncated' },
    ]);
    const number = start();
    number.push(piece('a', '12'));
    expect(number.end()).toMatchObject([{ kind: 'truncated' }]);
  });

  it('clears earlier replies when one begins, except while another streams', () => {
    const { buffer, push } = start();
    push({ kind: 'turn-start', source: 'A' }, piece('a', '{}', 'A'), { kind: 'turn-end', source: 'A' });
    expect(buffer.ids()).toEqual(['a']);
    push({ kind: 'turn-start', source: 'B' });
    expect(buffer.ids()).toEqual([]);
    push(piece('b', '{', 'B'));
    expect(push({ kind: 'turn-start', source: 'C' })).toEqual([]);
    expect(buffer.ids()).toEqual(['b']);
    expect(push({ kind: 'turn-start', source: 'B' })).toMatchObject([{ id: 'b', kind: 'truncated' }]);
    expect(buffer.ids()).toEqual(['b']);
  });

  it('leaves calls in the buffer that it did not follow', () => {
    const buffer = new StreamingToolCallBuffer();
    buffer.append('mine', '{}');
    const { push } = start(buffer);
    push({ kind: 'turn-start' }, piece('a', '{}'), { kind: 'turn-end' }, { kind: 'turn-start' });
    expect(buffer.ids()).toEqual(['mine']);
  });

  it('names calls that the buffer had no room for', () => {
    const { push } = start(new StreamingToolCallBuffer({ maxCalls: 1 }));
    push(piece('a', '{}'), piece('b', '{}'));
    expect(push({ kind: 'turn-end', reason: 'stop' })).toMatchObject([
      { id: 'a', kind: 'complete' },
      { id: 'b', kind: 'truncated', position: 0 },
    ]);
  });

  it('remembers a bounded number of calls that the buffer had no room for, in each reply', () => {
    const { push } = start(new StreamingToolCallBuffer({ maxCalls: 1 }));
    for (let reply = 0; reply < 2; reply++) {
      push({ kind: 'turn-start' });
      for (let call = 0; call < 5_000; call++) push(piece(`call ${call}`, '{}'));
      expect(push({ kind: 'turn-end', reason: 'stop' })).toHaveLength(1 + 1_000);
    }
  });

  it('names calls whose text was too long', () => {
    const { push } = start(new StreamingToolCallBuffer({ maxCharactersPerCall: 8 }));
    push(piece('a', '{"x":'), piece('a', '"123456"}'), { kind: 'call-end', id: 'a' });
    expect(push({ kind: 'turn-end', reason: 'stop' })).toMatchObject([{ kind: 'truncated', limit: 'characters' }]);
  });
});

describe('the last word', () => {
  const whole = (args: string): DialectEvent => ({ kind: 'whole', piece: { id: 'a', name: 'f', args } });

  it('is the text of a call that did not stream', () => {
    expect(start().push(whole('{"x":1}'))).toMatchObject([{ kind: 'complete', parsed: { x: 1 }, differs: false }]);
  });

  it('says the same in other blanks', () => {
    const { buffer, push } = start();
    expect(push(piece('a', '{"x": 1}'), whole('{"x":1}'))).toMatchObject([{ kind: 'complete', differs: false }]);
    expect(buffer.getRawArgs('a')).toBe('{"x": 1}');
  });

  it('brings what was lost at the end', () => {
    const { buffer, push } = start();
    expect(push(piece('a', '{"x":"ab'), whole('{"x":"abc"}'))).toMatchObject([
      { parsed: { x: 'abc' }, differs: false },
    ]);
    expect(buffer.getRawArgs('a')).toBe('{"x":"abc"}');
  });

  it('holds against what was streamed, and says that it differs', () => {
    const { push, end } = start();
    expect(push(piece('a', '{"x":"ac"}'), whole('{"x":"abc"}'))).toMatchObject([
      { parsed: { x: 'abc' }, differs: true },
    ]);
    expect(end()).toEqual([]);
    const cut = start();
    expect(cut.push(piece('a', '{"x":"ac'), whole('{"x":"abc'))).toEqual([]);
    expect(cut.end()).toMatchObject([{ kind: 'truncated', differs: true, closedJson: '{"x":"abc"}' }]);
  });
});
