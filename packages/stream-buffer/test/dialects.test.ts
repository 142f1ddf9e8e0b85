import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { describe, expect, it } from 'vitest';
import { flat, followAll, readers, readFixtures } from './support/fixtures.js';

const fixtures = readFixtures();

describe.each(Object.keys(readers))('the dialect %s', (dialect) => {
  const own = fixtures.filter((fixture) => fixture.dialect === dialect);
  const reader = readers[dialect];

  it('has fixtures', () => {
    expect(own.length).toBeGreaterThan(3);
  });

  it.each(own)('$name', ({ chunks, calls, fields = {} }) => {
    const buffer = new StreamingToolCallBuffer();
    const texts: Record<string, string> = {};
    for (const key of Object.keys(fields)) {
      const [id, field] = key.split('.') as [string, string];
      buffer.onFieldDelta(field, ({ toolCallId, kind, text }) => {
        if (toolCallId === id) texts[key] = (kind === 'reset' ? '' : (texts[key] ?? '')) + text;
      });
    }
    const finished = followAll(chunks as never[], reader?.() as never, buffer);
    expect(finished.map(flat)).toEqual(calls.map((call) => expect.objectContaining(call)));
    expect(texts).toEqual(fields);
  });

  it('takes nonsense for nothing', () => {
    const read = reader?.() as (chunk: unknown) => unknown;
    for (const chunk of [
      {},
      { type: 'x' },
      { choices: [] },
      { choices: [{}] },
      { candidates: [{}] },
      { delta: null },
      null,
      undefined,
      'data: [DONE]',
      1,
    ]) {
      expect(read(chunk)).toEqual([]);
    }
  });
});
