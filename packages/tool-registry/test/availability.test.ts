import { ToolRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { names, thrownBy, tool, wireNames } from './support.js';

const UNKNOWN = 'ERR_HOLDFAST_UNKNOWN_TOOL';
const OPTION = 'ERR_HOLDFAST_TOOL_REGISTRY_OPTION';

function registryOf(...all: string[]): ToolRegistry {
  const registry = new ToolRegistry();
  registry.register(all.map((name) => tool(name)));
  return registry;
}

describe('activate and defer', () => {
  it('activate all the names, however many', () => {
    const seven = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const registry = new ToolRegistry();
    registry.register(
      seven.map((name) => tool(name)),
      'deferred',
    );
    registry.activate([...seven].reverse());
    expect(names(registry.getCallableTools())).toEqual(seven);
  });

  it('name every unknown tool and change nothing', () => {
    const registry = registryOf('real');
    registry.defer(['real']);
    expect(thrownBy(() => registry.activate(['real', 'nope', 'nada']))).toMatchObject({
      code: UNKNOWN,
      toolNames: ['nope', 'nada'],
      message: expect.stringContaining('"nope"'),
    });
    expect(registry.getAvailability('real')).toBe('deferred');
    registry.activate(['real', 'real']);
    expect(thrownBy(() => registry.defer(['real', 'nope']))['code']).toBe(UNKNOWN);
    expect(registry.getAvailability('real')).toBe('active');
  });

  it('refuse a single string', () => {
    const registry = registryOf('a', 'b');
    expect(thrownBy(() => registry.defer('ab' as never))['code']).toBe(OPTION);
    expect(thrownBy(() => registry.activate([1] as never))['code']).toBe(OPTION);
  });

  it('are not undone by later registrations', () => {
    const registry = new ToolRegistry();
    registry.register(tool('a'), 'deferred');
    registry.activate(['a']);
    registry.register(tool('b'));
    expect(registry.getAvailability('a')).toBe('active');
  });

  it('getAvailability refuses an unknown name', () => {
    expect(thrownBy(() => registryOf('a').getAvailability('toString'))['code']).toBe(UNKNOWN);
  });
});

describe('suspendAll', () => {
  it('leaves the wire as it was and lets nothing run', async () => {
    const registry = registryOf('a', 'b', 'c');
    registry.defer(['b']);
    const before = JSON.stringify(registry.toLLMTools());
    expect(registry.hasSuspended()).toBe(false);
    registry.suspendAll();
    expect(registry.hasSuspended()).toBe(true);
    expect(JSON.stringify(registry.toLLMTools())).toBe(before);
    expect(registry.getCallableTools()).toEqual([]);
    expect(registry.getAvailability('b')).toBe('deferred');
    expect(await registry.execute('a', {}, {})).toMatchObject({ success: false, code: 'suspended' });
    registry.activate(['a', 'c']);
    expect(registry.hasSuspended()).toBe(false);
    expect(await registry.execute('a', {}, {})).toMatchObject({ success: true });
  });
});

describe('fork', () => {
  it('is independent in both directions', () => {
    const registry = registryOf('a', 'b');
    registry.defer(['b']);
    const fork = registry.fork();
    expect(fork.saveAvailability()).toEqual(registry.saveAvailability());
    fork.activate(['b']);
    fork.register(tool('c'));
    fork.suspendAll();
    expect(registry.saveAvailability().tools).toEqual([
      ['a', 'active'],
      ['b', 'deferred'],
    ]);
    registry.unregister('a');
    registry.clear();
    expect(fork.listNames()).toEqual(['a', 'b', 'c']);
    expect(fork.hasSuspended()).toBe(true);
  });

  it('shares definitions and what was rendered of them', () => {
    const registry = registryOf('a');
    const fork = registry.fork();
    expect(fork.get('a')).toBe(registry.get('a'));
    expect(fork.toLLMTools()[0]).toBe(registry.toLLMTools()[0]);
    fork.replace(tool('a', { description: 'Is new.' }));
    expect(registry.get('a')?.description).toBe('Does a.');
  });

  it('shares the configuration', () => {
    const tierConfig = { tiers: [{ id: 'x', label: 'X', priority: 1 }], guidanceTemplate: () => 'guide' };
    const fork = new ToolRegistry({ tierConfig }).fork();
    expect(fork.toTierGuidance()).toBe('guide');
    expect(() => fork.register(tool('a', { tier: 'y' }))).toThrow();
  });

  it('defers the active tools outside deferExcept, and only those', () => {
    const registry = registryOf('a', 'b', 'c', 'd');
    registry.defer(['c']);
    const states = (deferExcept?: string[]) =>
      registry
        .fork(deferExcept ? { deferExcept } : {})
        .saveAvailability()
        .tools.map(([name, state]) => `${name}:${state}`)
        .join(' ');
    expect(states()).toBe('a:active b:active c:deferred d:active');
    expect(states(['a', 'c'])).toBe('a:active b:deferred c:deferred d:deferred');
    expect(states([])).toBe('a:deferred b:deferred c:deferred d:deferred');
    registry.suspendAll();
    expect(states(['a'])).toBe('a:suspended b:suspended c:deferred d:suspended');
  });

  it('refuses a deferExcept that is misspelt, repeated or no list', () => {
    const registry = registryOf('a', 'b');
    const code = (deferExcept: unknown) =>
      thrownBy(() => registry.fork({ deferExcept: deferExcept as string[] }))['code'];
    expect(code(['a', 'bb'])).toBe(UNKNOWN);
    expect(code(['a', 'a'])).toBe(OPTION);
    expect(code(['a b'])).toBe('ERR_HOLDFAST_TOOL_NAME');
    expect(code('a')).toBe(OPTION);
    expect(code(null)).toBe(OPTION);
  });
});

describe('saveAvailability and restoreAvailability', () => {
  it('carry the states through JSON into a new registry', () => {
    const registry = registryOf('a', 'b', '__proto__', 'gone');
    registry.defer(['b']);
    registry.suspendAll();
    registry.activate(['a', 'gone']);
    const saved = JSON.parse(JSON.stringify(registry.saveAvailability()));
    const next = registryOf('new', '__proto__', 'b', 'a');
    expect(next.restoreAvailability(saved)).toEqual({
      restored: ['__proto__', 'b', 'a'],
      unknown: ['gone'],
      unmentioned: ['new'],
    });
    expect(wireNames(next.toLLMTools())).toEqual(['new', '__proto__', 'a']);
    expect(next.getAvailability('__proto__')).toBe('suspended');
  });

  it.each([
    ['nothing', null],
    ['another version', { version: 2, tools: [] }],
    ['no list', { version: 1, tools: { a: 'active' } }],
    [
      'an unknown state',
      {
        version: 1,
        tools: [
          ['a', 'deferred'],
          ['b', 'asleep'],
        ],
      },
    ],
    ['a broken pair', { version: 1, tools: [['a', 'deferred'], 'b'] }],
    [
      'a name twice',
      {
        version: 1,
        tools: [
          ['a', 'deferred'],
          ['a', 'active'],
        ],
      },
    ],
    ['an inherited state', { version: 1, tools: [['a', 'toString']] }],
  ])('refuse %s and change nothing', (_, snapshot) => {
    const registry = registryOf('a', 'b');
    expect(thrownBy(() => registry.restoreAvailability(snapshot as never))['code']).toBe(OPTION);
    expect(names(registry.getCallableTools())).toEqual(['a', 'b']);
  });
});
