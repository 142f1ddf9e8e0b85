import { type ToolDefinition, ToolRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anySchema, thrownBy, tool } from './support.js';

const DEFINITION = 'ERR_HOLDFAST_TOOL_DEFINITION';
const COLLISION = 'ERR_HOLDFAST_TOOL_NAME_COLLISION';

describe('register', () => {
  it('takes a tool, an id with a tool, and a list', () => {
    const registry = new ToolRegistry();
    registry.register(tool('a'));
    registry.register('b', tool('b'));
    registry.register([tool('c'), tool('d')], 'deferred');
    registry.register(tool('e'), 'suspended');
    expect(registry.saveAvailability().tools).toEqual([
      ['a', 'active'],
      ['b', 'active'],
      ['c', 'deferred'],
      ['d', 'deferred'],
      ['e', 'suspended'],
    ]);
  });

  it('gives out the definition that came in', () => {
    const registry = new ToolRegistry();
    const a = tool('a');
    registry.register(a);
    expect(registry.get('a')).toBe(a);
    expect(registry.getOrThrow('a')).toBe(a);
    expect(registry.getAll()).toEqual([a]);
    expect([registry.has('a'), registry.has('b'), registry.size()]).toEqual([true, false, 1]);
    expect(registry.get('b')).toBeUndefined();
    expect(thrownBy(() => registry.getOrThrow('b'))['code']).toBe('ERR_HOLDFAST_UNKNOWN_TOOL');
  });

  it('refuses a name of 65 characters and takes one of 64', () => {
    const registry = new ToolRegistry();
    registry.register(tool('a'.repeat(64)));
    const long = 'a'.repeat(65);
    expect(thrownBy(() => registry.register(tool(long)))).toMatchObject({
      code: 'ERR_HOLDFAST_TOOL_NAME',
      toolName: long,
    });
    expect(thrownBy(() => registry.register(tool('搜索工具')))['message']).toContain('搜索工具');
    expect(registry.size()).toBe(1);
  });

  it('refuses an id that is not the name', () => {
    const registry = new ToolRegistry();
    expect(thrownBy(() => registry.register('b', tool('a')))['message']).toContain('"a"');
    expect(registry.size()).toBe(0);
  });

  it('refuses a duplicate, also within one list', () => {
    const registry = new ToolRegistry();
    registry.register(tool('a'));
    expect(thrownBy(() => registry.register(tool('a')))).toMatchObject({ code: COLLISION, toolName: 'a' });
    expect(thrownBy(() => registry.register([tool('b'), tool('b')]))).toMatchObject({ code: COLLISION, toolName: 'b' });
    expect(thrownBy(() => registry.register([tool('b'), tool('a')]))).toMatchObject({ code: COLLISION, toolName: 'a' });
    expect(registry.listNames()).toEqual(['a']);
  });

  it('refuses an unknown initial state', () => {
    const registry = new ToolRegistry();
    expect(thrownBy(() => registry.register(tool('a'), 'sleeping' as never))['code']).toBe(
      'ERR_HOLDFAST_TOOL_REGISTRY_OPTION',
    );
    expect(registry.size()).toBe(0);
  });

  it('takes the longest time limit that timers keep', () => {
    const registry = new ToolRegistry();
    registry.register(tool('a', { timeoutMs: 2 ** 31 - 1 }));
    expect(registry.has('a')).toBe(true);
  });

  it('makes a pinned tool active in a deferred list', () => {
    const registry = new ToolRegistry();
    registry.register([tool('a', { pinned: true }), tool('b')], 'deferred');
    expect(registry.getAvailability('a')).toBe('active');
    expect(registry.getAvailability('b')).toBe('deferred');
  });
});

describe('a definition that cannot be admitted', () => {
  const cyclic: Record<string, unknown> = { type: 'object' };
  cyclic['properties'] = cyclic;
  const bad: [string, Partial<ToolDefinition>, string][] = [
    ['no schema', { inputSchema: undefined as never }, 'inputSchema'],
    ['plain JSON Schema', { inputSchema: { type: 'string' } as never }, 'inputSchema'],
    ['a schema that shows a string', { inputSchema: anySchema({ type: 'string' }) }, 'inputSchema'],
    ['a schema that shows a union', { inputSchema: anySchema({ anyOf: [{ type: 'object' }] }) }, 'inputSchema'],
    ['a schema that shows no object', { inputSchema: anySchema([]) }, 'inputSchema'],
    ['a cyclic schema', { inputSchema: anySchema(cyclic) }, 'inputSchema'],
    ['undefined in a schema', { inputSchema: anySchema({ type: 'object', title: undefined }) }, 'inputSchema'],
    ['a zod string', { inputSchema: z.string() as never }, 'inputSchema'],
    ['a zod date', { inputSchema: z.object({ at: z.date() }) as never }, 'inputSchema'],
    [
      'no rendering',
      { inputSchema: { '~standard': { version: 1, vendor: 'x', validate: () => 1 } } as never },
      'inputSchema',
    ],
    ['a model schema that is no object', { modelInputSchema: { type: 'array' } }, 'modelInputSchema'],
    ['an output schema with a function', { outputSchema: { x: () => 1 } }, 'outputSchema'],
    ['an output schema that is a list', { outputSchema: [] as never }, 'outputSchema'],
    ['half a character in a schema', { inputSchema: anySchema({ type: 'object', title: '\ud83e' }) }, 'inputSchema'],
    ['half a character in a name', { outputSchema: { properties: { 'a\udd8a': {} } } }, 'outputSchema'],
    ['half a character in the description', { description: 'Fox \ud83e.' }, 'description'],
    ['no description', { description: undefined as never }, 'description'],
    ['no handler', { execute: undefined as never }, 'execute'],
    ['isReadOnly as a flag', { isReadOnly: true as never }, 'isReadOnly'],
    ['a time limit of 0', { timeoutMs: 0 }, 'timeoutMs'],
    ['a time limit of NaN', { timeoutMs: Number.NaN }, 'timeoutMs'],
    ['a time limit that timers cut to 1 ms', { timeoutMs: 2 ** 31 }, 'timeoutMs'],
    ['a time limit as a string', { timeoutMs: '5' as never }, 'timeoutMs'],
    ['a hint that is no text', { validationErrorHint: {} as never }, 'validationErrorHint'],
    ['a provenance of null', { provenance: null as never }, 'provenance'],
    ['a provenance without a server', { provenance: {} as never }, 'provenance'],
    ['search terms as a string', { searchTerms: 'abc' as never }, 'searchTerms'],
    ['enforcement without a model schema', { enforceModelInput: true }, 'enforceModelInput'],
  ];

  it.each(bad)('%s is refused by name and field, and nothing of the list is added', (_, parts, field) => {
    const registry = new ToolRegistry();
    expect(thrownBy(() => registry.register([tool('good'), tool('bad', parts)]))).toMatchObject({
      name: 'InvalidToolDefinitionError',
      code: DEFINITION,
      toolName: 'bad',
      field,
      message: expect.stringContaining('"bad"'),
    });
    expect(registry.listNames()).toEqual([]);
    expect(registry.toLLMTools()).toEqual([]);
    registry.register(tool('good'));
    expect(registry.listNames()).toEqual(['good']);
  });

  it('one that fails when it is read again', () => {
    const registry = new ToolRegistry();
    const sly = Object.defineProperty(tool('sly'), 'pinned', {
      get: () => {
        throw new Error('gone');
      },
    });
    expect(() => registry.register([tool('good'), sly])).toThrow('gone');
    expect(registry.listNames()).toEqual([]);
  });

  it('no definition at all', () => {
    expect(thrownBy(() => new ToolRegistry().register([null as never]))['code']).toBe(DEFINITION);
  });

  it('keeps the reason of a schema that cannot be rendered', () => {
    const failing = {
      '~standard': {
        ...anySchema()['~standard'],
        jsonSchema: {
          input: () => {
            throw new Error('no date');
          },
        },
      },
    };
    const error = thrownBy(() => new ToolRegistry().register(tool('a', { inputSchema: failing as never })));
    expect(error['message']).toContain('no date');
    expect(error['cause']).toBeInstanceOf(Error);
  });
});

describe('enforceModelInput', () => {
  const strict = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'object', properties: {}, additionalProperties: false } } },
    required: ['a'],
    additionalProperties: false,
  };

  it('marks the tool strict on the wire', () => {
    const registry = new ToolRegistry();
    registry.register(tool('a', { modelInputSchema: strict, enforceModelInput: true }));
    expect(registry.toLLMTools()[0]?.function).toMatchObject({ strict: true, parameters: strict });
  });

  it.each([
    ['an open object', { ...strict, additionalProperties: true }],
    ['an optional property', { ...strict, required: [] }],
    ['an open object below', { ...strict, properties: { a: { type: 'object', properties: {} } } }],
    ['an open object in $defs', { ...strict, $defs: { x: { type: 'object' } } }],
    ['an open object in anyOf', { ...strict, properties: { a: { anyOf: [{ type: 'object' }] } } }],
    ['allOf', { ...strict, properties: { a: { allOf: [] } } }],
    ['anyOf at the root', { ...strict, anyOf: [] }],
  ])('refuses %s', (_, modelInputSchema) => {
    const registry = new ToolRegistry();
    const definition = tool('a', { modelInputSchema, enforceModelInput: true });
    expect(thrownBy(() => registry.register(definition))['field']).toBe('modelInputSchema');
    registry.register(tool('a', { modelInputSchema }));
    expect(registry.toLLMTools()[0]?.function).not.toHaveProperty('strict');
  });
});

describe('replace', () => {
  it('takes the place on the wire and the state', () => {
    const registry = new ToolRegistry();
    registry.register([tool('a'), tool('b'), tool('c')]);
    registry.defer(['b']);
    const next = tool('b', { description: 'Is new.' });
    registry.replace(next);
    expect(registry.get('b')).toBe(next);
    expect(registry.getAvailability('b')).toBe('deferred');
    registry.activate(['b']);
    expect(registry.toLLMTools().map((entry) => entry.function.description)).toEqual(['Does a.', 'Is new.', 'Does c.']);
    registry.replace('b', tool('b', { description: 'Is newer.' }));
    expect(registry.get('b')?.description).toBe('Is newer.');
  });

  it('changes nothing when it is refused', () => {
    const registry = new ToolRegistry();
    const a = tool('a');
    registry.register(a);
    expect(() => registry.replace(tool('a', { inputSchema: anySchema({}) }))).toThrow();
    expect(() => registry.replace('b', tool('a'))).toThrow();
    expect(thrownBy(() => registry.replace(tool('b')))['code']).toBe('ERR_HOLDFAST_UNKNOWN_TOOL');
    expect(registry.getAll()).toEqual([a]);
  });
});

describe('unregister and clear', () => {
  it('remove tools from every view', () => {
    const registry = new ToolRegistry();
    registry.register([tool('a'), tool('b')]);
    expect(registry.unregister('a')).toBe(true);
    expect(registry.unregister('a')).toBe(false);
    expect(registry.listNames()).toEqual(['b']);
    expect(registry.toLLMTools()).toHaveLength(1);
    registry.clear();
    registry.clear();
    expect([registry.size(), registry.toLLMTools(), registry.toPromptSection()]).toEqual([0, [], '']);
    registry.register(tool('a'));
    expect(registry.getAvailability('a')).toBe('active');
  });
});
