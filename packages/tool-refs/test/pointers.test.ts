import {
  findReferences,
  TOOL_OUTPUT_REF_PATTERN,
  ToolOutputReferenceRegistry,
  type UnresolvedReference,
} from '@holdfast/tool-refs';
import { describe, expect, it, vi } from 'vitest';

const output = `{
  "items": [ {"id": 7, "name": "Ada \\"Lovelace\\"", "tags": ["a", "b"]}, {"id": 12345678901234567890} ],
  "empty": "", "none": null, "yes": true, "ratio": 1.50,
  "a/b": "slash", "m~n": "tilde", "": "no name", "paths": {"/users/{id}": "one user"}
}`;

function stored(text = output, options = {}) {
  const registry = new ToolOutputReferenceRegistry(options);
  registry.set('r', 'tool0turn0', text);
  return registry;
}

/** What becomes of `{{tool0turn0#<pointer>}}` alone in a string. */
function read(pointer: string, text = output): unknown {
  return stored(text).resolve('r', { a: `{{tool0turn0#${pointer}}}` }).resolved.a;
}

describe('a pointer alone in a string', () => {
  it.each([
    ['/items/0/id', 7],
    ['/items/0/name', 'Ada "Lovelace"'],
    ['/items/0/tags', ['a', 'b']],
    ['/items/0', { id: 7, name: 'Ada "Lovelace"', tags: ['a', 'b'] }],
    ['/none', null],
    ['/yes', true],
    ['/ratio', 1.5],
    ['/empty', ''],
    ['/a~1b', 'slash'],
    ['/m~0n', 'tilde'],
    ['/', 'no name'],
    ['/paths/~1users~1{id}', 'one user'],
  ])('%s keeps its JSON type', (pointer, value) => {
    expect(read(pointer)).toEqual(value);
  });

  it('of no tokens is the whole value, of any kind', () => {
    expect(read('', '[1]')).toEqual([1]);
    expect([read('', ' 42 '), read('', '"x"'), read('', 'null')]).toEqual([42, 'x', null]);
    expect(stored('[1]').resolve('r', { a: '{{tool0turn0}}' }).resolved.a).toBe('[1]');
  });

  it.each([
    '/items/2',
    '/items/00',
    '/items/-',
    '/items/-1',
    '/items/1e0',
    '/items/length',
    '/items/0/id/x',
    '/missing',
    '/toString',
    '/__proto__',
    '/m~2n',
    '/m~',
    'items',
    '/items/99999999999999999999',
    '/paths/length',
  ])('%s stays in place and is listed as written', (pointer) => {
    const args = { a: `{{tool0turn0#${pointer}}}` };
    const resolution = stored().resolve('r', args);
    expect(resolution.resolved).toBe(args);
    expect(resolution.unresolved).toEqual([`tool0turn0#${pointer}`]);
  });

  it('takes the last of repeated names, and __proto__ as a name', () => {
    const text = '{"a":1,"a":{"b":2},"__proto__":{"x":3},"c\\u0064":4,"constructor":5}';
    expect(['/a/b', '/__proto__/x', '/cd', '/constructor'].map((pointer) => read(pointer, text))).toEqual([2, 3, 4, 5]);
    expect(Object.keys(read('', text) as object)).toContain('__proto__');
    expect({}).not.toHaveProperty('x');
  });

  it('does not take an escape for what it is not', () => {
    const text = '{"m~2n":1,"m~":2}';
    expect([read('/m~02n', text), read('/m~0', text)]).toEqual([1, 2]);
    expect([read('/m~2n', text), read('/m~', text)]).toEqual(['{{tool0turn0#/m~2n}}', '{{tool0turn0#/m~}}']);
  });

  it('gives each place a value of its own', () => {
    const { resolved } = stored().resolve('r', ['{{tool0turn0#/items/0}}', '{{tool0turn0#/items/0}}']);
    expect(resolved[0]).toEqual(resolved[1]);
    expect(resolved[0]).not.toBe(resolved[1]);
  });
});

describe('numbers', () => {
  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-9007199254740993', '-9007199254740993'],
    ['1e400', '1e400'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['1e-400', '1e-400'],
  ])('that would be rounded come as a string of their digits: %s', (written, expected) => {
    expect(read('/n', `{"n":${written}}`)).toBe(expected);
    expect(read('', `[ ${written} ,"${written}"]`)).toEqual([expected, written]);
  });

  it.each([
    '9007199254740992',
    '1.50',
    '-0',
    '0e5',
    '1E2',
    '100000000000000000000',
    '1e21',
    '5e-324',
    '0.1',
    '-1.0e-7',
  ])('that a JavaScript number holds stay numbers: %s', (written) => {
    expect(read('/n', `{"n":${written}}`)).toBe(JSON.parse(written));
  });

  it('inside larger values are treated alike, and names and texts with digits are left alone', () => {
    const text = '{"1234567890123456789": {"id": 12345678901234567890, "s": "12345678901234567890 1e400", "n": 1}}';
    expect(read('', text)).toEqual({
      '1234567890123456789': { id: '12345678901234567890', s: '12345678901234567890 1e400', n: 1 },
    });
  });
});

describe('a pointer inside a longer string', () => {
  it('inserts strings raw and other values as they are written', () => {
    const text =
      'id={{tool0turn0#/items/0/id}} big={{tool0turn0#/items/1/id}} {{tool0turn0#/items/0/name}} {{tool0turn0#/items/0/tags}} {{tool0turn0#/ratio}}';
    expect(stored().resolve('r', { text }).resolved.text).toBe(
      'id=7 big=12345678901234567890 Ada "Lovelace" ["a", "b"] 1.50',
    );
  });

  it('ends at the first closing braces, unless they belong to a pair', () => {
    const { resolved } = stored().resolve('r', [
      '{"a":{{tool0turn0#/items/0/id}}}',
      '{{tool0turn0#/paths/~1users~1{id}}}!',
    ]);
    expect(resolved).toEqual(['{"a":7}', 'one user!']);
  });

  it('is text when it is all of a plain text: text comes out as text', () => {
    expect(stored().resolve('r', '{{tool0turn0#/items/0/tags}}').resolved).toBe('["a", "b"]');
  });
});

describe('a pointer in a JSON text', () => {
  it('keeps the JSON type and every digit', () => {
    const args =
      '{ "id": "{{tool0turn0#/items/1/id}}", "ratio":"{{tool0turn0#/ratio}}", "n":"{{tool0turn0#/items/0/name}}" }';
    expect(stored().resolve('r', args).resolved).toBe(
      '{ "id": 12345678901234567890, "ratio":1.50, "n":"Ada \\"Lovelace\\"" }',
    );
  });

  it('goes into a longer string as text', () => {
    expect(stored().resolve('r', '["x {{tool0turn0#/items/0/tags}}"]').resolved).toBe('["x [\\"a\\", \\"b\\"]"]');
  });

  it('may hold what JSON escapes', () => {
    const text = JSON.stringify({ 'say "hi" \\ \n': [1, 'x'] });
    const args = { alone: '{{tool0turn0#/say "hi" \\ \n/1}}', inside: '<{{tool0turn0#/say "hi" \\ \n}}>' };
    expect(stored(text).resolve('r', args).resolved).toEqual({ alone: 'x', inside: '<[1,"x"]>' });
    expect(JSON.parse(stored(text).resolve('r', JSON.stringify(args)).resolved)).toEqual({
      alone: 'x',
      inside: '<[1,"x"]>',
    });
  });

  it('is found when it is written with escapes, and left alone in a key', () => {
    const args = '{"{{tool0turn0#/ratio}}":"{{tool0turn0\\u0023/ratio}}","b":"{{tool0turn0#/x\\u002f}}"}';
    expect(stored().resolve('r', args)).toEqual({
      resolved: '{"{{tool0turn0#/ratio}}":1.50,"b":"{{tool0turn0#/x\\u002f}}"}',
      unresolved: ['tool0turn0#/x/'],
    });
  });
});

describe('a pointer', () => {
  it('says why it stays', () => {
    const events: UnresolvedReference[] = [];
    const options = { maxResolvedSize: 60, onUnresolved: (event: UnresolvedReference) => events.push(event) };
    const registry = stored(output, options);
    registry.set('r', 'tool1turn0', 'not JSON');
    registry.resolve('r', ['{{tool0turn0#/items}}', '{{tool1turn0#/a}}', '{{tool2turn0#/a}}']);
    expect(events).toEqual([
      { runId: 'r', key: 'tool0turn0#/items', reason: 'limit' },
      { runId: 'r', key: 'tool1turn0#/a', reason: 'pointer' },
      { runId: 'r', key: 'tool2turn0#/a', reason: 'missing' },
    ]);
  });

  it('is found by the pattern, which names the key first, and listed with its key', () => {
    expect([...(TOOL_OUTPUT_REF_PATTERN.exec('a {{tool0turn1#/x~1y/0}} b') ?? [])]).toEqual([
      '{{tool0turn1#/x~1y/0}}',
      'tool0turn1',
      '/x~1y/0',
    ]);
    expect(TOOL_OUTPUT_REF_PATTERN.exec('{{tool0turn1}}')?.[2]).toBeUndefined();
    expect(findReferences(['{{tool0turn1#/a}} {{tool0turn1}}', '{"{{tool0turn2#}}": 1}', '{{tool0turn2#}}'])).toEqual([
      'tool0turn1#/a',
      'tool0turn1',
      'tool0turn2#',
    ]);
  });

  it.each(['{{tool0turn0 #/a}}', '{{tool0turn0#/a}', '{{tool0turn0#/{a}}', '{{tool0turn0#/a}b}}', '{{tool0turn0/a}}'])(
    'has a strict form: %s is text',
    (text) => {
      expect(stored().resolve('r', [text])).toEqual({ resolved: [text], unresolved: [] });
      expect(TOOL_OUTPUT_REF_PATTERN.test(text)).toBe(false);
    },
  );

  it('reads each output once, however many pointers name it', () => {
    const text = JSON.stringify({ list: Array.from({ length: 1_000 }, (_, index) => index) });
    const registry = stored(text);
    const args = Array.from({ length: 1_000 }, (_, index) => `{{tool0turn0#/list/${index}}}`);
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(registry.resolve('r', args).resolved).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
      expect(parse.mock.calls.filter(([parsed]) => parsed === text)).toHaveLength(1);
    } finally {
      parse.mockRestore();
    }
  });

  it('may be as deep as its output', () => {
    const depth = 90_000;
    const text = `${'[0,'.repeat(depth)}"end"${']'.repeat(depth)}`;
    expect(read('/1'.repeat(depth), text)).toBe('end');
    expect(read('/1'.repeat(depth + 1), text)).toContain('{{tool0turn0#');
  });

  it.each([
    ['{"a":"{{tool0turn0#/a}}"}', '{"a":[1,"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]}'],
    [
      { a: '{{tool0turn0#/a/1}}', b: 'yy' },
      { a: 'x'.repeat(30), b: 'yy' },
    ],
  ])('may make the arguments just as long as their limit: %j', (args: unknown, expected) => {
    const text = `{"a":[1,"${'x'.repeat(30)}"]}`;
    const length = typeof expected === 'string' ? expected.length : 32;
    const resolve = (maxResolvedSize: number) => stored(text, { maxResolvedSize }).resolve('r', args).resolved;
    expect(resolve(length - 1)).toEqual(args);
    expect(resolve(length)).toEqual(expected);
  });

  it('cannot make the arguments grow past their limit', () => {
    const registry = stored(JSON.stringify({ a: 'x'.repeat(1_000), b: [1, 2, 3] }), { maxResolvedSize: 5_000 });
    const { resolved, unresolved } = registry.resolve('r', Array(100).fill('{{tool0turn0#}}') as unknown[]);
    expect(JSON.stringify(resolved).length).toBeLessThan(6_000);
    expect(unresolved).toEqual(['tool0turn0#']);
    const text = registry.resolve('r', JSON.stringify(Array(100).fill('{{tool0turn0#/a}}')));
    expect(text.resolved.length).toBeLessThanOrEqual(5_000);
    expect(JSON.parse(text.resolved)).toHaveLength(100);
  });
});

describe('one pass', () => {
  const trap = '{"s":"{{tool1turn0}}","list":[{"deep":"\\u007b{tool1turn0}}"}],"{{tool1turn0}}":1}';

  function trapped() {
    const registry = new ToolOutputReferenceRegistry();
    const first = registry.beginBatch('r');
    first.settle(0, trap);
    first.settle(1, 'secret');
    return registry.beginBatch('r');
  }

  it('holds for what a pointer inserts, whole or in part, in every form', () => {
    for (const args of [
      { a: '{{tool0turn0#/s}}', b: '{{tool0turn0#}}', c: 'x {{tool0turn0#/s}}' },
      '{"a":"{{tool0turn0#/s}}","b":"{{tool0turn0#}}","c":"x {{tool0turn0#/s}}"}',
    ]) {
      const batch = trapped();
      const { resolved } = batch.resolve<unknown>(args, { index: 0 });
      expect(JSON.stringify(resolved)).not.toContain('secret');
      expect(batch.resolve(resolved, { index: 0 }).resolved).toBe(resolved);
      const asTree = (typeof resolved === 'string' ? JSON.parse(resolved) : resolved) as { b: { list: unknown } };
      expect(JSON.stringify(batch.resolve({ again: asTree.b.list, more: '{{tool1turn0}}' }).resolved)).not.toBe('');
      expect(batch.resolve(structuredClone(asTree), { index: 0 }).resolved).toEqual(asTree);
      expect(batch.resolve({ again: asTree.b.list }, { index: 0 }).resolved).toEqual({ again: asTree.b.list });
    }
  });

  it.each([undefined, 0])('holds for text inside a value, with and without an index: %s', (index) => {
    for (const args of [{ b: '{{tool0turn0#}}' }, '{"b":"{{tool0turn0#}}"}']) {
      const batch = trapped();
      const { resolved } = batch.resolve<unknown>(args, { index });
      expect(batch.resolve(resolved, { index }).resolved).toBe(resolved);
      const inTree = typeof resolved === 'string' ? (JSON.parse(resolved) as unknown) : structuredClone(resolved);
      expect(batch.resolve(inTree, { index }).resolved).toBe(inTree);
    }
  });

  it('holds for the names in an inserted value', () => {
    for (const args of [{ a: '{{tool0turn0#}}' }, '{"a":"{{tool0turn0#}}"}']) {
      const batch = trapped();
      const { resolved } = batch.resolve<unknown>(args);
      const { a } = (typeof resolved === 'string' ? JSON.parse(resolved) : resolved) as { a: object };
      expect(batch.resolve({ columns: Object.keys(a) }).resolved).toEqual({ columns: ['s', 'list', '{{tool1turn0}}'] });
    }
  });

  it('keeps in place, and lists, what a hook has written around an inserted pointer', () => {
    const registry = new ToolOutputReferenceRegistry();
    const first = registry.beginBatch('r');
    first.settle(0, '{{tool1turn0#/a}}');
    first.settle(1, '{"a":"secret"}');
    const batch = registry.beginBatch('r');
    const { resolved } = batch.resolve({ a: '{{tool0turn0}}' }, { index: 0 });
    expect(batch.resolve({ a: `edited ${resolved.a}` }, { index: 0 })).toEqual({
      resolved: { a: 'edited {{tool1turn0#/a}}' },
      unresolved: ['tool1turn0#/a'],
    });
  });
});
