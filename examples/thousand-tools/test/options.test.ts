import { expect, it } from 'vitest';
import { readOptions, UsageError } from '../src/options.js';
import { SERVERS } from '../src/servers.js';

it('has defaults for everything', () => {
  expect(readOptions([], {})).toEqual({
    help: false,
    queries: [],
    agent: undefined,
    expect: undefined,
    model: 'local',
    servers: SERVERS,
    catalogues: [],
    limit: 5,
    startLimitMs: 30_000,
  });
});

it('keeps the order of the list, whatever the order of names', () => {
  const { servers } = readOptions(['--servers', 'linear, memory'], {});
  expect(servers.map(({ server }) => server)).toEqual(['memory', 'linear']);
  expect(readOptions(['--servers', 'none'], {}).servers).toEqual([]);
});

it.each([
  [['--servers', 'memory,nope'], 'nope'],
  [['--model', 'other'], 'other'],
  [['--limit', '0'], '--limit'],
  [['--limit', '2.5'], '--limit'],
  [['--start-limit', 'soon'], '--start-limit'],
  [['--expect', 'get-sum'], '--agent'],
  [['--agent', 'x', '--query', 'y'], '--query'],
  [['--catalog', 'x'], '--catalog'],
  [['words'], 'words'],
] as const)('refuses %j', (args, word) => {
  const read = () => readOptions(args, {});
  expect(read).toThrow(UsageError);
  expect(read).toThrow(word);
});
