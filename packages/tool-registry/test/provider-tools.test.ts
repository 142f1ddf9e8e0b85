import { type JsonSchema, type ToolDefinition, ToolRegistry, type ToolRegistryConfig } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anySchema, names, thrownBy, tool, wireNames } from './support.js';

const parameters = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};

function registryOf(tools: readonly ToolDefinition[], config: ToolRegistryConfig = {}) {
  const registry = new ToolRegistry(config);
  registry.register([...tools]);
  return registry;
}

function strictTool(name: string, modelInputSchema: JsonSchema) {
  return tool(name, { modelInputSchema, enforceModelInput: true });
}

function anthropicSchema(properties: JsonSchema, more: JsonSchema = {}) {
  const schema = { ...parameters, properties, required: Object.keys(properties), ...more };
  return registryOf([strictTool('a', schema)]).toAnthropicTools()[0];
}

describe('the forms of the providers', () => {
  const registry = registryOf([tool('a', { inputSchema: anySchema(parameters) }), strictTool('b', parameters)]);
  const a = { name: 'a', description: 'Does a.' };
  const b = { name: 'b', description: 'Does b.' };

  it('are what the messages of Anthropic take', () => {
    expect(registry.toAnthropicTools()).toEqual([
      { ...a, input_schema: parameters },
      { ...b, input_schema: parameters, strict: true },
    ]);
  });

  it('are what the responses of OpenAI take, where a missing strict means true', () => {
    expect(registry.toOpenAIResponsesTools()).toEqual([
      { type: 'function', ...a, parameters, strict: false },
      { type: 'function', ...b, parameters, strict: true },
    ]);
  });

  it('are one tool with all functions for Gemini, and none without functions', () => {
    expect(registry.toGeminiTools()).toEqual([
      { functionDeclarations: [a, b].map((one) => ({ ...one, parametersJsonSchema: parameters })) },
    ]);
    expect(new ToolRegistry().toGeminiTools()).toEqual([]);
  });

  it('refuse for Gemini a name that it would refuse, and name the tool', () => {
    for (const name of ['7zip', '-x']) {
      const thrown = thrownBy(() => registryOf([tool(name)]).toGeminiTools());
      expect(thrown).toMatchObject({ code: 'ERR_HOLDFAST_TOOL_DEFINITION', toolName: name });
    }
    expect(registryOf([tool('_x')]).toGeminiTools()).toHaveLength(1);
  });

  it('refuse for Anthropic an argument that it would refuse, and name the tool', () => {
    const taking = (key: string) =>
      tool('list', { inputSchema: anySchema({ type: 'object', properties: { [key]: {} } }) });
    for (const key of ['filter[id]', '$top', 'a b', '名', '', 'x'.repeat(65)]) {
      const thrown = thrownBy(() => registryOf([taking(key)]).toAnthropicTools());
      expect(thrown).toMatchObject({ code: 'ERR_HOLDFAST_TOOL_DEFINITION', toolName: 'list', field: 'inputSchema' });
    }
    for (const key of ['filter.id', 'a-b_C9', 'x'.repeat(64)]) {
      expect(registryOf([taking(key)]).toAnthropicTools()).toHaveLength(1);
    }
    expect(registryOf([taking('filter[id]')]).toLLMTools()).toHaveLength(1);
  });

  it('can be limited by name, and hold suspended tools', () => {
    registry.suspendAll();
    expect(names(registry.toAnthropicTools(['b', 'zzz']))).toEqual(['b']);
    expect(names(registry.toOpenAIResponsesTools(['b']))).toEqual(['b']);
    expect(names(registry.toGeminiTools(['b'])[0]?.functionDeclarations ?? [])).toEqual(['b']);
    registry.activate(['a', 'b']);
  });

  it('are made once: the same frozen objects and bytes as long as the set is the same', () => {
    let renders = 0;
    let walks = 0;
    const ownKeys = (target: object) => {
      walks += 1;
      return Reflect.ownKeys(target);
    };
    const input = (): JsonSchema => {
      renders += 1;
      return new Proxy<JsonSchema>(parameters, { ownKeys });
    };
    const counting = anySchema();
    const inputSchema = {
      '~standard': { ...counting['~standard'], jsonSchema: { input } },
    };
    const many = registryOf(Array.from({ length: 20 }, (_, index) => tool(`t${index}`, { inputSchema })));
    many.defer(['t3']);
    const forms = () => [
      many.toLLMTools(),
      many.toAnthropicTools(),
      many.toOpenAIResponsesTools(),
      many.toGeminiTools()[0]?.functionDeclarations ?? [],
    ];
    const before = forms();
    const counted = [renders, walks];
    expect(renders).toBe(20);
    many.activate(['t3']);
    many.defer(['t3']);
    const after = forms();
    for (const [kind, list] of before.entries()) {
      expect(after[kind]).toHaveLength(19);
      for (const [index, one] of list.entries()) {
        expect(after[kind]?.[index]).toBe(one);
        expect(Object.isFrozen(one)).toBe(true);
      }
    }
    expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    expect([renders, walks]).toEqual(counted);
  });

  it('change with a tool that is replaced or gets a tier, and with no other', () => {
    const tierConfig = { tiers: [{ id: 'x', label: 'First', priority: 1 }], labelInDescription: true };
    const two = registryOf([tool('a'), tool('b')], { tierConfig });
    const [a1, b1] = two.toAnthropicTools();
    two.assignTiers({ a: 'x' });
    const [a2, b2] = two.toAnthropicTools();
    expect([a1?.description, a2?.description]).toEqual(['Does a.', '[First] Does a.']);
    expect(b2).toBe(b1);
    two.replace(tool('b', { description: 'New.' }));
    expect(two.toAnthropicTools()[1]?.description).toBe('New.');
  });
});

describe('strict tools for Anthropic', () => {
  it('have bounds that it cannot enforce told in words, and stay frozen', () => {
    const made = anthropicSchema({
      n: { type: 'integer', minimum: 1, maximum: 9, description: 'How many.' },
      list: { type: 'array', items: { type: 'number', multipleOf: 2 }, maxItems: 3 },
    });
    expect(made).toMatchObject({ strict: true });
    expect(made?.input_schema.properties).toEqual({
      n: { type: 'integer', description: 'How many. (minimum 1, maximum 9)' },
      list: { type: 'array', items: { type: 'number', description: 'multipleOf 2' }, description: 'maxItems 3' },
    });
    const properties = made?.input_schema.properties as Record<string, { items?: object }> | undefined;
    for (const part of [properties, properties?.['list'], properties?.['list']?.items]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('keep the least lengths that it can enforce, and fields that are called like a bound', () => {
    const list = { type: 'array', items: { type: 'string' }, minItems: 1 };
    const minimum = { type: 'string' };
    expect(anthropicSchema({ list, minimum })?.input_schema.properties).toEqual({ list, minimum });
  });

  it('are not strict when the schema refers to itself, and are when parts are only used twice', () => {
    const node = {
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
      required: ['next'],
      additionalProperties: false,
    };
    expect(anthropicSchema({ a: { $ref: '#/$defs/node' } }, { $defs: { node } })).not.toHaveProperty('strict');
    expect(anthropicSchema({ a: { $ref: '#' } })).not.toHaveProperty('strict');
    const escaped = { ...node, properties: { next: { anyOf: [{ $ref: '#/$defs/a~1b~0c' }, { type: 'null' }] } } };
    const named = anthropicSchema({ a: { $ref: '#/$defs/a~1b~0c' } }, { $defs: { 'a/b~c': escaped } });
    expect(named).not.toHaveProperty('strict');
    const leaf = { type: 'string' };
    const twice = anthropicSchema({ a: { $ref: '#/$defs/leaf' }, b: { $ref: '#/$defs/leaf' } }, { $defs: { leaf } });
    expect(twice).toHaveProperty('strict', true);
  });
});

describe('tools that the provider loads', () => {
  const tools = [tool('a'), tool('b'), tool('c')];
  const native = registryOf(tools, { deferral: 'provider' });
  native.defer(['b']);

  it('go on the wire in their place, marked', () => {
    const marks = (list: readonly { readonly name: string; readonly defer_loading?: true }[]) =>
      list.map(({ name, defer_loading }) => [name, defer_loading]);
    const expected = [
      ['a', undefined],
      ['b', true],
      ['c', undefined],
    ];
    expect(marks(native.toAnthropicTools())).toEqual(expected);
    expect(marks(native.toOpenAIResponsesTools())).toEqual(expected);
    for (const list of [native.toAnthropicTools(), native.toOpenAIResponsesTools()]) {
      expect(list.filter((one) => 'defer_loading' in one)).toHaveLength(1);
    }
  });

  it('stay off the wire of providers that load none', () => {
    expect(wireNames(native.toLLMTools())).toEqual(['a', 'c']);
    expect(names(native.toGeminiTools()[0]?.functionDeclarations ?? [])).toEqual(['a', 'c']);
  });

  it('run when they are called, after all other checks', async () => {
    expect(names(native.getCallableTools())).toEqual(['a', 'b', 'c']);
    expect(await native.execute('b', {}, {})).toMatchObject({ success: true, output: 'b' });
    expect(await native.execute('b', {}, { allowedTools: ['a'] })).toMatchObject({ code: 'not_allowed' });
    const checked = native.prepareExecution('b', {});
    if (!checked.success) throw new Error(checked.result.output);
    expect(await native.executePrepared(checked.prepared, {})).toMatchObject({ success: true });
  });

  it('are not listed as tools that cannot be called', () => {
    expect(native.toPromptSection()).not.toContain('deferred');
    expect(native.toPromptSection()).toContain('- a\n- c');
  });

  it('are loaded by the provider of a fork as well', async () => {
    const fork = native.fork({ deferExcept: ['a'] });
    expect(fork.toAnthropicTools().map((one) => one.defer_loading ?? false)).toEqual([false, true, true]);
    expect(await fork.execute('c', {}, {})).toMatchObject({ success: true });
  });

  it('are none unless the host says so, and only in these words', async () => {
    const plain = registryOf(tools);
    plain.defer(['b']);
    expect(names(plain.toAnthropicTools())).toEqual(['a', 'c']);
    expect(await plain.execute('b', {}, {})).toMatchObject({ code: 'deferred' });
    const wrong = thrownBy(() => new ToolRegistry({ deferral: 'native' as 'provider' }));
    expect(wrong).toMatchObject({ code: 'ERR_HOLDFAST_TOOL_REGISTRY_OPTION', option: 'deferral' });
  });
});

describe('a schema that is in the strict subset', () => {
  it('of zod is found to be so', () => {
    const modelInputSchema = z.strictObject({
      kind: z.enum(['a', 'b']),
      when: z.iso.datetime().nullable(),
      list: z.array(z.strictObject({ n: z.number().min(0).max(5) })).max(4),
    });
    const { parameters: shown } = registryOf([tool('a', { modelInputSchema, enforceModelInput: true })]).toLLMTools()[0]
      ?.function ?? { parameters: {} };
    expect(shown).toMatchObject({ additionalProperties: false, required: ['kind', 'when', 'list'] });
  });
});
