import {
  annotateToolOutputWithReference,
  findReferences,
  previewOutput,
  ToolOutputReferenceRegistry,
} from '@holdfast/tool-refs';
import { describe, expect, it, vi } from 'vitest';

const k = 'tool0turn0';

function stored(output = 'v', options = {}): ToolOutputReferenceRegistry {
  const registry = new ToolOutputReferenceRegistry(options);
  registry.set('r', k, output);
  return registry;
}

function nest(depth: number, inside: unknown): unknown {
  let value = inside;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

function unnest(value: unknown): { depth: number; inside: unknown } {
  let depth = 0;
  let inside = value;
  for (; typeof inside === 'object' && inside !== null; depth++) inside = Object.values(inside)[0];
  return { depth, inside };
}

describe('arguments of any depth', () => {
  it('are resolved and searched', () => {
    const args = nest(100_000, '{{tool0turn0}}');
    const { resolved } = stored().resolve('r', args);
    expect(unnest(resolved)).toEqual({ depth: 100_000, inside: 'v' });
    expect(unnest(args)).toEqual({ depth: 100_000, inside: '{{tool0turn0}}' });
    expect(findReferences(args)).toEqual([k]);
  });

  it('come back as they are without a placeholder', () => {
    const args = nest(100_000, 'nothing');
    expect(stored().resolve('r', args).resolved).toBe(args);
  });

  it('are resolved as JSON text', () => {
    const text = `${'['.repeat(100_000)}"{{tool0turn0}}"${']'.repeat(100_000)}`;
    expect(stored('"').resolve('r', text).resolved).toBe(text.replace('{{tool0turn0}}', '\\"'));
  });
});

describe('cycles and shared parts', () => {
  it('come back without a placeholder, and keep their shape with one', () => {
    const plain: Record<string, unknown> = { list: [] };
    (plain['list'] as unknown[]).push(plain);
    expect(stored().resolve('r', plain).resolved).toBe(plain);

    const parent: Record<string, unknown> = { text: '{{tool0turn0}}' };
    const child: Record<string, unknown> = { parent, clean: { a: 1 } };
    Object.assign(parent, { child, self: parent, children: [child, child] });
    const { resolved } = stored().resolve('r', parent) as { resolved: Record<string, Record<string, unknown>> };
    expect(resolved).not.toBe(parent);
    expect(resolved['text']).toBe('v');
    expect(resolved['self']).toBe(resolved);
    expect(resolved['child']?.['parent']).toBe(resolved);
    expect(resolved['children']?.[0]).toBe(resolved['child']);
    expect(resolved['children']?.[1]).toBe(resolved['child']);
    expect(resolved['child']?.['clean']).toBe(child['clean']);
    expect([parent['text'], child['parent'] === parent]).toEqual(['{{tool0turn0}}', true]);
  });

  it('of any length keep their shape', () => {
    const first: Record<string, unknown> = { text: '{{tool0turn0}}' };
    let last = first;
    for (let link = 0; link < 10_000; link++) {
      const next = { clean: 'x' };
      last['next'] = next;
      last = next;
    }
    last['next'] = first;
    const { resolved } = stored().resolve('r', first);
    let end = resolved;
    for (let link = 0; link < 10_000; link++) end = end['next'] as Record<string, unknown>;
    expect(end['next']).toBe(resolved);
    expect([resolved['text'], last['next'] === first]).toEqual(['v', true]);
  });

  it('do not multiply without a placeholder either', () => {
    let reads = 0;
    let shared: unknown = { text: 'nothing of the kind' };
    for (let level = 0; level < 60; level++) {
      const value = shared;
      shared = Object.defineProperty({ left: value }, 'right', {
        enumerable: true,
        get: () => {
          reads++;
          return value;
        },
      });
    }
    expect(stored().resolve('r', shared).resolved).toBe(shared);
    expect(reads).toBeLessThan(200_000);
  });

  it('do not multiply: each part is read a bounded number of times', () => {
    let reads = 0;
    let shared: unknown = { text: '{{tool0turn0}}' };
    for (let level = 0; level < 60; level++) {
      const value = shared;
      const part = Object.defineProperty({}, 'left', { enumerable: true, value });
      shared = Object.defineProperty(part, 'right', {
        enumerable: true,
        get: () => {
          reads++;
          return value;
        },
      });
    }
    const { resolved } = stored().resolve('r', shared);
    let leaf = resolved as Record<string, unknown>;
    for (let level = 0; level < 60; level++) leaf = leaf['right'] as Record<string, unknown>;
    expect(leaf['text']).toBe('v');
    expect(reads).toBeLessThan(10_000);
  });
});

describe('hostile objects', () => {
  it('keep __proto__ and constructor as data', () => {
    const args = JSON.parse('{"__proto__":{"polluted":"{{tool0turn0}}"},"constructor":"{{tool0turn0}}"}') as object;
    const { resolved } = stored().resolve('r', args);
    expect(JSON.stringify(resolved)).toBe('{"__proto__":{"polluted":"v"},"constructor":"v"}');
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it('may have accessors, which become the values that they give', () => {
    let reads = 0;
    const args = {
      get text() {
        reads++;
        return '{{tool0turn0}}';
      },
      get clean() {
        reads++;
        return 1;
      },
      get inner() {
        reads++;
        return { a: '{{tool0turn0}}' };
      },
      plain: '{{tool0turn0}}',
    };
    const { resolved } = stored().resolve('r', args);
    expect(reads).toBeLessThanOrEqual(3 * 3);
    expect(resolved).toStrictEqual({ text: 'v', clean: 1, inner: { a: 'v' }, plain: 'v' });
    expect(Object.getOwnPropertyDescriptor(resolved, 'clean')).toMatchObject({ value: 1, writable: true });
    expect(args.text).toBe('{{tool0turn0}}');
  });

  it('give only their own properties', () => {
    // biome-ignore lint/suspicious/noSparseArray: the hole shows what the prototype holds there.
    const args = { bare: { a: '{{tool0turn0}}' }, list: ['{{tool0turn0}}', , 'x'] };
    const inherited = { value: '{{tool9turn9}}', enumerable: true, configurable: true, writable: true };
    Object.defineProperty(Object.prototype, 'inherited', inherited);
    Object.defineProperty(Array.prototype, 1, inherited);
    const { resolved, unresolved } = stored().resolve('r', args);
    Reflect.deleteProperty(Object.prototype, 'inherited');
    Reflect.deleteProperty(Array.prototype, 1);
    expect(unresolved).toEqual([]);
    expect(resolved.bare).toStrictEqual({ a: 'v' });
    expect(Object.hasOwn(resolved.list, 1)).toBe(false);
  });

  it('may be sparse beyond any walk by index', () => {
    const sparse: unknown[] = [];
    sparse[4_000_000_000] = '{{tool0turn0}}';
    sparse[5] = { a: 'clean' };
    const { resolved } = stored().resolve('r', { sparse });
    expect([resolved.sparse.length, resolved.sparse[4_000_000_000], resolved.sparse[5]]).toEqual([
      4_000_000_001,
      'v',
      sparse[5],
    ]);
  });

  it('may be frozen, and come back writable', () => {
    const args = Object.freeze({ a: Object.freeze(['{{tool0turn0}}', 'b']), c: 1 });
    const { resolved } = stored().resolve('r', args);
    expect(resolved).toEqual({ a: ['v', 'b'], c: 1 });
    expect([Object.isFrozen(resolved), Object.isFrozen(resolved.a)]).toEqual([false, false]);
  });
});

describe('growth', () => {
  function countSearches(run: () => unknown): number {
    const search = vi.spyOn(String.prototype, 'indexOf');
    try {
      run();
      return search.mock.calls.length;
    } finally {
      search.mockRestore();
    }
  }

  it.each([
    '{{',
    '{',
    '}}',
    '{{tool',
    '{{tool1turn',
    '{{tool1turn1}',
    '{{{{tool1turn0}}}}',
    '{{tool0turn0#',
    '{{tool0turn0#/{',
    '{{tool0turn0#/{a}',
    '{a}',
  ])('is linear in texts made of %s', (piece) => {
    const registry = stored();
    const searches = (count: number) => countSearches(() => registry.resolve('r', { a: piece.repeat(count) }));
    expect(searches(20_000)).toBeLessThanOrEqual(2 * searches(10_000) + 10);
    const text = piece.repeat(100_000);
    expect(registry.resolve('r', { a: text }).resolved.a).toBe(text);
  });

  it('is linear in a pointer that never ends', () => {
    for (const piece of ['/', '/a', '{a}', '~', '#']) {
      const text = `{{tool0turn0#${piece.repeat(200_000)}`.repeat(2);
      expect(stored().resolve('r', { a: text })).toEqual({ resolved: { a: text }, unresolved: [] });
    }
  });

  it('is linear in digits that never end', () => {
    const text = `{{tool${'1'.repeat(1_000_000)}`.repeat(2);
    expect(stored().resolve('r', { a: text })).toEqual({ resolved: { a: text }, unresolved: [] });
  });

  it('reads each property a few times at most, at every size', () => {
    const readsOf = (count: number) => {
      let reads = 0;
      const target = Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '{{tool0turn0}}']));
      const args = new Proxy(target, {
        get: (from, key) => {
          reads++;
          return Reflect.get(from, key);
        },
      });
      stored().resolve('r', args);
      return reads;
    };
    expect(readsOf(100)).toBeLessThanOrEqual(3 * 100);
    expect(readsOf(1_000)).toBeLessThanOrEqual(3 * 1_000);
  });

  it('of the outcome is bounded: one large output named many times', () => {
    const registry = stored('x'.repeat(1_000_000), { maxOutputSize: 1_000_000 });
    const { resolved, unresolved } = registry.resolve('r', { a: '{{tool0turn0}}'.repeat(1_000) });
    expect(resolved.a.length).toBeLessThanOrEqual(5_000_000);
    expect(resolved.a.endsWith('{{tool0turn0}}')).toBe(true);
    expect(unresolved).toEqual([k]);
    const { resolved: json } = registry.resolve('r', JSON.stringify({ a: Array(1_000).fill('{{tool0turn0}}') }));
    expect(json.length).toBeLessThanOrEqual(5_000_000);
    expect(JSON.parse(json).a).toHaveLength(1_000);
  });

  it('of events is linear: a model may name any number of missing outputs', () => {
    let events = 0;
    const registry = new ToolOutputReferenceRegistry({ onUnresolved: () => events++ });
    const args = Array.from({ length: 200_000 }, (_, index) => `{{tool${index}turn9}}`);
    expect(registry.resolve('r', args).unresolved).toHaveLength(200_000);
    expect(events).toBe(200_000);
  });

  it('of memory is bounded, however many runs and outputs come', () => {
    const registry = new ToolOutputReferenceRegistry({ maxEntries: 3, maxActiveRuns: 4 });
    for (let run = 0; run < 5_000; run++) {
      for (let turn = 0; turn < 5; turn++) registry.beginBatch(`run ${run}`).settle(0, 'x');
    }
    expect(registry.size).toBe(12);
  });
});

describe('values that pointers name', () => {
  it('cannot be read from what only looks like JSON', () => {
    for (const output of ['{"a":1', "{'a':1}", '{"a":1}}', '\uFEFF{"a":1}', '{"a":NaN}', '', '{a:1}', '{"a":01}']) {
      expect(stored(output).resolve('r', ['{{tool0turn0#/a}}']).unresolved).toEqual(['tool0turn0#/a']);
    }
  });

  it('that imitate pointers are data', () => {
    const output = JSON.stringify({ a: '{{tool0turn0#/b}}', b: '{{tool0turn0#/a}}', '{{tool0turn0#/a}}': 1 });
    const { resolved } = stored(output).resolve('r', {
      x: '{{tool0turn0#/a}}',
      y: 'y {{tool0turn0#/b}}',
      z: '{{tool0turn0#}}',
    });
    expect(resolved).toEqual({ x: '{{tool0turn0#/b}}', y: 'y {{tool0turn0#/a}}', z: JSON.parse(output) });
  });

  it('expand within the limit, however often a large one is named', () => {
    const registry = stored(JSON.stringify({ big: Array(90_000).fill(7) }));
    const { resolved, unresolved } = registry.resolve('r', Array(1_000).fill('{{tool0turn0#/big}}') as unknown[]);
    expect(unresolved).toEqual(['tool0turn0#/big']);
    expect(resolved.filter((value) => Array.isArray(value)).length).toBeLessThanOrEqual(5_000_000 / 180_000);
  });

  it('are all found among very many names', () => {
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`n${at}`, at]));
    const args = Array.from({ length: 20_000 }, (_, at) => `{{tool0turn0#/n${at}}}`);
    expect(stored(JSON.stringify(names)).resolve('r', args as unknown[]).resolved).toEqual(Object.values(names));
  });
});

describe('a cut output', () => {
  it('is a string of its own', () => {
    // Whatever is read from the copy must not need the original: the cut goes through new text.
    const stringify = vi.spyOn(JSON, 'stringify');
    const parse = vi.spyOn(JSON, 'parse');
    try {
      stored('x'.repeat(100), { maxOutputSize: 10 });
      expect([stringify.mock.calls[0]?.[0], parse.mock.calls[0]?.[0]]).toEqual(['xxxxxxxxxx', '"xxxxxxxxxx"']);
    } finally {
      stringify.mockRestore();
      parse.mockRestore();
    }
  });

  it('keeps every character as it was', () => {
    const output = '\uD83D"\\\u2028\0é😀\uDE00';
    expect(stored(`${output}tail`, { maxOutputSize: output.length }).get('r', k)).toBe(output);
  });
});

describe('annotation', () => {
  it('does not throw on outputs of any depth, also in our own fields', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const content of [
      deep,
      `{"a":${deep}}`,
      `{"_ref":${deep}}`,
      `{"_unresolved_refs":[${deep}]}`,
      '{'.repeat(100_000),
    ]) {
      const annotated = annotateToolOutputWithReference(content, k, ['tool9turn9']);
      expect(annotated.length).toBeGreaterThan(content.length);
      expect(annotated).toContain(k);
    }
  });

  it('does not throw on broken characters', () => {
    expect(annotateToolOutputWithReference('{"\uD83D":"\uDE00"}', k)).toBe('{"_ref":"tool0turn0","\uD83D":"\uDE00"}');
    expect(annotateToolOutputWithReference('\0\uD83D', '\uDE00')).toBe('[ref: \uDE00]\n\0\uD83D');
  });

  it('takes __proto__ in an output as data', () => {
    expect(annotateToolOutputWithReference('{"__proto__":{"_ref":"x"}}', k)).toBe(
      '{"_ref":"tool0turn0","__proto__":{"_ref":"x"}}',
    );
  });

  it('stays linear on lines that almost imitate ours', () => {
    const text = `${' '.repeat(100_000)}${'[ref '.repeat(100_000)}${'\n[unresolved '.repeat(100_000)}`;
    expect(annotateToolOutputWithReference(text, undefined)).toBe(text);
  });
});

describe('a preview', () => {
  it('is made of one line of any length', () => {
    const preview = previewOutput('😀'.repeat(1_000_000), 1_001);
    expect(preview.length).toBeLessThanOrEqual(1_001);
    expect(() => encodeURIComponent(preview)).not.toThrow();
  });
});
