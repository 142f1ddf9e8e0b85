import { runInNewContext } from 'node:vm';
import { findReferences, ToolOutputReferenceRegistry, type UnresolvedReference } from '@holdfast/tool-refs';
import { describe, expect, it } from 'vitest';

function registryWith(outputs: Record<string, string>, options = {}): ToolOutputReferenceRegistry {
  const registry = new ToolOutputReferenceRegistry(options);
  for (const [key, output] of Object.entries(outputs)) registry.set('r', key, output);
  return registry;
}

describe('resolve, in text', () => {
  it('tells a short index from the front of a longer one', () => {
    const registry = registryWith({ tool1turn1: 'A', tool1turn10: 'B', tool11turn1: 'C' });
    expect(registry.resolve('r', '{{tool1turn10}}/{{tool1turn1}}/{{tool11turn1}}').resolved).toBe('B/A/C');
  });

  it('replaces every occurrence and keeps the text around', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    expect(registry.resolve('r', '<{{tool0turn0}}{{tool0turn0}} and {{tool0turn0}}>').resolved).toBe('<vv and v>');
    expect(registry.resolve('r', '{{{tool0turn0}}}').resolved).toBe('{v}');
    expect(registry.resolve('r', '{{tool1{{tool0turn0}}').resolved).toBe('{{tool1v');
  });

  it('never looks at what it has inserted', () => {
    const registry = registryWith({
      tool0turn0: '{{tool1turn0}}',
      tool1turn0: '{{tool0turn0}}',
      tool2turn0: 'turn0}}',
    });
    expect(registry.resolve('r', '{{tool0turn0}} {{tool1turn0}}').resolved).toBe('{{tool1turn0}} {{tool0turn0}}');
    expect(registry.resolve('r', '{{tool0{{tool2turn0}}').resolved).toBe('{{tool0turn0}}');
  });

  it('inserts replacement patterns verbatim', () => {
    const output = "$& $1 $$ $` $' $<key> \\u0041 \\";
    expect(registryWith({ tool0turn0: output }).resolve('r', 'a {{tool0turn0}} b').resolved).toBe(`a ${output} b`);
  });

  it('inserts shell code as it stands', () => {
    const registry = registryWith({ tool0turn0: "$(id); 'x'" });
    expect(registry.resolve('r', { command: 'echo {{tool0turn0}}' }).resolved).toEqual({ command: "echo $(id); 'x'" });
  });

  it('inserts an empty output', () => {
    const registry = registryWith({ tool0turn0: '' });
    expect(registry.resolve('r', { a: '<{{tool0turn0}}>', b: '{{tool0turn0}}' })).toEqual({
      resolved: { a: '<>', b: '' },
      unresolved: [],
    });
  });

  it.each(['{{ tool0turn0 }}', '{{tool00turn0}}', '{{Tool0Turn0}}'])('leaves %s alone and does not list it', (a) => {
    const registry = registryWith({ tool0turn0: 'v' });
    expect(registry.resolve('r', { a })).toEqual({ resolved: { a }, unresolved: [] });
  });
});

describe('resolve, in a tree', () => {
  it('always inserts text, and leaves other types alone', () => {
    const registry = registryWith({ tool0turn0: '123' });
    const { resolved } = registry.resolve('r', { n: '{{tool0turn0}}', m: 7, b: true, z: null });
    expect(resolved).toEqual({ n: '123', m: 7, b: true, z: null });
  });

  it('keeps null, 0, false and empty text', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const args = { a: null, b: [null, '{{tool0turn0}}'], c: 0, d: false, e: '', f: undefined };
    expect(registry.resolve('r', args).resolved).toStrictEqual({ ...args, b: [null, 'v'] });
  });

  it('enters arrays of objects', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const { resolved } = registry.resolve('r', { tool_calls: [{ args: { k: ['{{tool0turn0}}'] } }] });
    expect(resolved).toEqual({ tool_calls: [{ args: { k: ['v'] } }] });
  });

  it('leaves object keys alone and does not list them', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const args = { '{{tool0turn0}}': 'x', '{{tool9turn9}}': { a: 'y' } };
    const result = registry.resolve('r', args);
    expect(result.resolved).toBe(args);
    expect(result.unresolved).toEqual([]);
  });

  it('lists what stays, each key once, in the order of the document', () => {
    const registry = registryWith({ tool1turn1: 'v' });
    const flat = { a: '{{tool9turn9}} {{tool9turn9}}', b: '{{tool8turn0}}' };
    expect(registry.resolve('r', flat)).toEqual({ resolved: flat, unresolved: ['tool9turn9', 'tool8turn0'] });
    const nested = { x: [{ y: '{{tool5turn5}}' }, '{{tool4turn4}}'], z: '{{tool3turn3}}', w: { v: '{{tool5turn5}}' } };
    expect(registry.resolve('r', nested).unresolved).toEqual(['tool5turn5', 'tool4turn4', 'tool3turn3']);
  });

  it('gives the input back when nothing is replaced', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    for (const args of [{}, [], { a: ['b', { c: 1 }] }, { a: '{{tool9turn9}}' }, 'text', 7, null, undefined, true]) {
      expect(registry.resolve('r', args).resolved).toBe(args);
    }
  });

  it('copies only what changes', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const args = { same: { deep: [1, 2] }, other: [{ a: '{{tool0turn0}}' }, { b: 'b' }] };
    const before = structuredClone(args);
    const { resolved } = registry.resolve('r', args);
    expect(resolved).toEqual({ same: { deep: [1, 2] }, other: [{ a: 'v' }, { b: 'b' }] });
    expect(resolved.same).toBe(args.same);
    expect(resolved.other[1]).toBe(args.other[1]);
    expect(args).toEqual(before);
  });

  it('keeps the order of keys', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const { resolved } = registry.resolve('r', { z: 1, a: '{{tool0turn0}}', 2: 'x', m: { y: '{{tool0turn0}}', b: 2 } });
    expect(JSON.stringify(resolved)).toBe('{"2":"x","z":1,"a":"v","m":{"y":"v","b":2}}');
  });

  it('leaves class instances, dates, maps and functions untouched', () => {
    class Box {
      text = '{{tool0turn0}}';
    }
    class List extends Array<string> {}
    const others = {
      box: new Box(),
      list: List.of('{{tool0turn0}}'),
      date: new Date(0),
      map: new Map([['a', '{{tool0turn0}}']]),
      bytes: new Uint8Array(2),
      run: () => '{{tool0turn0}}',
    };
    const registry = registryWith({ tool0turn0: 'v' });
    const { resolved } = registry.resolve('r', { ...others, a: '{{tool0turn0}}' });
    expect(resolved.a).toBe('v');
    for (const [key, value] of Object.entries(others)) expect(Reflect.get(resolved, key)).toBe(value);
    expect(others.box.text).toBe('{{tool0turn0}}');
  });

  it('enters objects without a prototype and of another realm, and keeps what they are', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const bare = Object.assign(Object.create(null), { a: '{{tool0turn0}}' }) as { a: string };
    const resolvedBare = registry.resolve('r', bare).resolved;
    expect(Object.getPrototypeOf(resolvedBare)).toBeNull();
    expect(resolvedBare.a).toBe('v');
    const foreign = runInNewContext('({ list: [{ a: "{{tool0turn0}}" }] })') as { list: { a: string }[] };
    expect(JSON.stringify(registry.resolve('r', foreign).resolved)).toBe('{"list":[{"a":"v"}]}');
  });

  it('keeps holes, symbol keys, hidden properties and extra properties of arrays', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const mark = Symbol('mark');
    const sparse: unknown[] = ['{{tool0turn0}}'];
    sparse[3] = 'end';
    Object.assign(sparse, { note: 'kept', [mark]: 1 });
    const args = Object.defineProperty({ sparse, [mark]: '{{tool0turn0}}' }, 'hidden', { value: '{{tool0turn0}}' });
    const { resolved } = registry.resolve('r', args);
    expect(Object.keys(resolved.sparse)).toEqual(['0', '3', 'note']);
    expect(resolved.sparse).toMatchObject({ 0: 'v', 3: 'end', length: 4, note: 'kept', [mark]: 1 });
    expect(resolved[mark]).toBe('{{tool0turn0}}');
    expect(Object.getOwnPropertyDescriptor(resolved, 'hidden')).toMatchObject({
      value: '{{tool0turn0}}',
      enumerable: false,
      writable: true,
    });
  });
});

describe('resolve, in a JSON text', () => {
  const output = 'a "quoted" \\ line\n","injected":"{{tool0turn0}}';

  it('stays JSON whatever is inserted, and injects no arguments', () => {
    const registry = registryWith({ tool0turn0: output });
    const { resolved } = registry.resolve('r', '{"path":"{{tool0turn0}}"}');
    expect(JSON.parse(resolved)).toEqual({ path: output });
  });

  it('keeps digits, blanks, order, repeated keys and escapes outside the placeholders', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const text =
      ' {"id": 12345678901234567890,\n"r":1.0e+05, "s" : "{{tool0turn0}}\\/\\t", "id":1.00, "e":"\\u00e9\\"" } ';
    const { resolved } = registry.resolve('r', text);
    expect(resolved).toBe(text.replace('{{tool0turn0}}', 'v'));
  });

  it('leaves keys alone', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const text = '{"{{tool0turn0}}":1,"{{tool9turn9}}" : ["{{tool0turn0}}"]}';
    expect(registry.resolve('r', text)).toEqual({
      resolved: '{"{{tool0turn0}}":1,"{{tool9turn9}}" : ["v"]}',
      unresolved: [],
    });
  });

  it('finds a placeholder that is written with escapes', () => {
    const registry = registryWith({ tool0turn0: 'v\n' });
    const text = String.raw`["\u007b{\u0074ool0turn0}}\u00e9","\u00e9"]`;
    expect(registry.resolve('r', text).resolved).toBe(String.raw`["v\né","\u00e9"]`);
    const unresolved = String.raw`["\u007b{tool9turn9}}"]`;
    expect(registry.resolve('r', unresolved)).toEqual({ resolved: unresolved, unresolved: ['tool9turn9'] });
  });

  it('is not fooled by an escaped backslash or quote', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const text = String.raw`{"a":"\\","b":"\"{{tool0turn0}}\"","c":"\\{{tool0turn0}}"}`;
    expect(registry.resolve('r', text).resolved).toBe(String.raw`{"a":"\\","b":"\"v\"","c":"\\v"}`);
  });

  it('writes half a surrogate pair as JSON does', () => {
    const registry = registryWith({ tool0turn0: '\uD83D' });
    expect(registry.resolve('r', '["{{tool0turn0}}"]').resolved).toBe(String.raw`["\ud83d"]`);
  });

  it('takes JSON text inside a tree as text', () => {
    const registry = registryWith({ tool0turn0: '"' });
    const call = { function: { arguments: '["{{tool0turn0}}"]' } };
    expect(registry.resolve('r', call).resolved).toEqual({ function: { arguments: '["""]' } });
    expect(registry.resolve('r', call.function.arguments).resolved).toBe('["\\""]');
  });

  it('treats any other text as text', () => {
    const registry = registryWith({ tool0turn0: '"v"' });
    for (const text of [
      '{{tool0turn0}}',
      '"{{tool0turn0}}"',
      '{"a": {{tool0turn0}}}',
      '{"a":"{{tool0turn0}}"',
      '[{{tool0turn0}}',
    ]) {
      expect(registry.resolve('r', text).resolved).toBe(text.replace('{{tool0turn0}}', () => '"v"'));
    }
  });
});

describe('the limit of resolved arguments', () => {
  function limited(maxResolvedSize: number) {
    const events: UnresolvedReference[] = [];
    const onUnresolved = (event: UnresolvedReference) => events.push(event);
    return { events, registry: registryWith({ tool0turn0: 'x'.repeat(50) }, { maxResolvedSize, onUnresolved }) };
  }

  it('counts all strings, and leaves in place what would pass it', () => {
    const { registry, events } = limited(120);
    const args = { a: '{{tool0turn0}}{{tool0turn0}}{{tool0turn0}}', b: 'y'.repeat(6) };
    const { resolved, unresolved } = registry.resolve('r', args);
    expect(resolved.a).toBe(`${'x'.repeat(100)}{{tool0turn0}}`);
    expect(resolved.a.length + resolved.b.length).toBe(120);
    expect(unresolved).toEqual(['tool0turn0']);
    expect(events).toEqual([{ runId: 'r', key: 'tool0turn0', reason: 'limit' }]);
    expect(limited(119).registry.resolve('r', args).resolved.a).toBe(`${'x'.repeat(50)}${'{{tool0turn0}}'.repeat(2)}`);
  });

  it('counts a JSON text as text, escapes included', () => {
    const { registry } = limited(100);
    registry.set('r', 'tool1turn0', '\n'.repeat(48));
    expect(registry.resolve('r', '["{{tool1turn0}}"]').resolved).toHaveLength(100);
    registry.set('r', 'tool1turn0', '\n'.repeat(49));
    expect(registry.resolve('r', '["{{tool1turn0}}"]')).toEqual({
      resolved: '["{{tool1turn0}}"]',
      unresolved: ['tool1turn0'],
    });
  });

  it('counts what writing a string again costs', () => {
    const { registry } = limited(200);
    // Half surrogate pairs are one character each as they come, and six when the string is written again.
    const text = `["${'\uD83D'.repeat(30)}\\u007b{tool0turn0}}"]`;
    expect(registry.resolve('r', text)).toEqual({ resolved: text, unresolved: ['tool0turn0'] });
  });

  it('lets an output that is shorter than its placeholder in at any size', () => {
    const { registry } = limited(10);
    registry.set('r', 'tool1turn0', 'short');
    expect(registry.resolve('r', '{{tool1turn0}}{{tool0turn0}}').resolved).toBe('short{{tool0turn0}}');
  });

  it('reports missing references apart', () => {
    const { registry, events } = limited(60);
    registry.resolve('r', { a: '{{tool9turn9}}', b: '{{tool0turn0}}', c: '{{tool9turn9}}' });
    expect(events.map(({ key, reason }) => [key, reason])).toEqual([
      ['tool9turn9', 'missing'],
      ['tool0turn0', 'limit'],
    ]);
  });

  it('is 100,000,000 at most, and more is refused', () => {
    const registry = registryWith(
      { tool0turn0: 'x'.repeat(5_000_000) },
      { maxOutputSize: 5_000_000, maxResolvedSize: 100_000_000 },
    );
    expect(registry.resolve('r', { a: '{{tool0turn0}}'.repeat(21) }).resolved.a).toHaveLength(19 * 5_000_000 + 2 * 14);
    expect(() => limited(100_000_001)).toThrow(
      expect.objectContaining({
        code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT',
        argument: 'maxResolvedSize',
        received: 100_000_001,
        message: expect.stringContaining('from 1 to 100000000'),
      }),
    );
  });

  it('is 5,000,000 by default', () => {
    const registry = registryWith({ tool0turn0: 'x'.repeat(400_000) });
    const { resolved, unresolved } = registry.resolve('r', { a: '{{tool0turn0}}'.repeat(13) });
    expect(resolved.a).toHaveLength(12 * 400_000 + 14);
    expect(unresolved).toEqual(['tool0turn0']);
  });
});

describe('findReferences', () => {
  it('lists keys in order of first use, from trees, JSON texts and plain texts', () => {
    expect(findReferences({ a: [{ b: '{{tool2turn0}} {{tool1turn0}}' }], c: '{{tool2turn0}}' })).toEqual([
      'tool2turn0',
      'tool1turn0',
    ]);
    expect(findReferences('{"{{tool5turn5}}":"{{tool1turn3}}"}')).toEqual(['tool1turn3']);
    expect(findReferences('a {{tool1turn3}} {{tool0turn0}}')).toEqual(['tool1turn3', 'tool0turn0']);
    expect(findReferences({ '{{tool0turn0}}': 1, b: '{{ tool0turn0 }}' })).toEqual([]);
    expect(findReferences(undefined)).toEqual([]);
  });
});
