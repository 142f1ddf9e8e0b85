import { ToolRegistry } from '@holdfast/tool-registry';
import { type JsonSchemaOptions, jsonSchema } from '@holdfast/tool-registry/json-schema';
import { describe, expect, it } from 'vitest';
import { thrownBy, tool } from './support.js';

type Schema = Readonly<Record<string, unknown>>;

function check(schema: Schema, value: unknown, options: JsonSchemaOptions = {}) {
  const verdict = jsonSchema(schema, options)['~standard'].validate(value);
  if (verdict instanceof Promise || !('issues' in verdict || 'value' in verdict)) throw new Error('no verdict');
  return (verdict as { issues?: readonly { message: string; path: string[] }[] }).issues;
}

function paths(schema: Schema, value: unknown, options: JsonSchemaOptions = {}) {
  return check(schema, value, options)?.map(({ path }) => `/${path.join('/')}`);
}

function refusal(schema: unknown, options: JsonSchemaOptions = {}) {
  const thrown = thrownBy(() => jsonSchema(schema as Schema, options));
  expect(thrown).toMatchObject({ name: 'JsonSchemaError', code: 'ERR_HOLDFAST_JSON_SCHEMA' });
  return String(thrown['reason']);
}

const order = {
  type: 'object',
  properties: {
    to: { type: 'string', minLength: 1 },
    count: { type: 'integer', minimum: 1 },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
  },
  required: ['to'],
  additionalProperties: false,
  $defs: { item: { type: 'object', properties: { 'a/b~c': { enum: ['x', 'y'] } }, required: ['a/b~c'] } },
};

describe('plain JSON Schema as an input schema', () => {
  it('is shown as it is, and checks the calls of a tool without changing their input', async () => {
    const registry = new ToolRegistry();
    const inputSchema = jsonSchema<{ to: string }>({ $schema: 'http://json-schema.org/draft-07/schema#', ...order });
    registry.register(
      tool('send', { inputSchema, execute: (input) => ({ success: true, output: JSON.stringify(input) }) }),
    );
    expect(registry.toLLMTools()[0]?.function.parameters).toEqual(order);
    expect((await registry.execute('send', { to: 'ann', count: 2 }, {})).output).toBe('{"to":"ann","count":2}');
    const refused = await registry.execute('send', { to: '', count: '2', more: 1 }, {});
    expect(refused).toMatchObject({ code: 'invalid_input', started: false, retryable: true });
    expect(refused.output.split('\n').slice(1)).toEqual([
      '- /to: String is too short (0 < 1).',
      '- /count: Instance type "string" is invalid. Expected "integer".',
      '- /more: is not allowed here',
    ]);
    expect((await registry.execute('send', {}, {})).output).toContain('Required:\n- to (string)');
  });

  it('says each fault once and where, however deep', () => {
    const value = { to: 'a', items: [{ 'a/b~c': 'x' }, { 'a/b~c': 'z' }, {}, 5] };
    expect(paths(order, value)).toEqual(['/items/1/a/b~c', '/items/2', '/items/3']);
    expect(check(order, value)?.[1]?.message).toBe('Instance does not have required property "a/b~c".');
    expect(check(order, { to: 'a', 'ü%': 1 })?.[0]).toEqual({ message: 'is not allowed here', path: ['ü%'] });
  });

  it('says the same fault of the same place once, though two parts of the schema find it', () => {
    expect(check({ allOf: [{ required: ['a'] }, { required: ['a'] }] }, {})).toHaveLength(1);
  });

  it('applies no default and coerces nothing', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', default: 3 }, s: { type: 'string' } } };
    const value = { s: 'x' };
    expect(jsonSchema(schema)['~standard'].validate(value)).toEqual({ value: { s: 'x' } });
    expect(paths(schema, { n: '3' })).toEqual(['/n']);
  });

  it('reads own properties only', () => {
    expect(check({ type: 'object', required: ['toString'] }, {})).toHaveLength(1);
    const value = JSON.parse('{"__proto__":{"admin":true}}');
    expect(check({ type: 'object', additionalProperties: false }, value)).toHaveLength(1);
  });

  it.each([
    ['7', { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }], additionalItems: false }],
    ['7, by its list of items', { items: [{ type: 'string' }], additionalItems: false }],
    [
      '2019-09',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }], additionalItems: false },
    ],
    [
      '2020-12',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }], items: false },
    ],
    ['2020-12, by default', { prefixItems: [{ type: 'string' }], items: false }],
  ])('knows draft %s', (_, schema) => {
    expect(paths(schema, ['a'])).toBeUndefined();
    expect(paths(schema, [1])).toEqual(['/0']);
    expect(paths(schema, ['a', 'b'])).toEqual(['/1']);
  });

  it('lets the draft be named: what stands beside a reference counts since 2019', () => {
    const schema = { $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a', minLength: 2 } } };
    expect(paths(schema, { x: 'a' }, { draft: '7' })).toBeUndefined();
    expect(paths(schema, { x: 'a' })).toEqual(['/x']);
  });

  it('is not misled by annotations and words of others', () => {
    const schema = {
      type: 'object',
      id: 'not a uri %%',
      examples: [{ $ref: '#/nowhere', id: 7 }],
      'x-vendor': { $ref: '#/nowhere', id: {} },
      properties: { id: { type: 'string', default: { $ref: '#/nowhere' } }, $ref: { type: 'string' } },
      __absolute_ref__: 'https://example.com',
    };
    expect(paths(schema, { id: 'a', $ref: 'b' })).toBeUndefined();
    expect(paths(schema, { id: 1, $ref: 2 })).toEqual(['/id', '/$ref']);
  });

  it('refuses when it is made what cannot be checked', () => {
    expect(refusal({ $ref: '#/$defs/nope' })).toContain('refers to "#/$defs/nope"');
    expect(refusal({ $ref: 'https://example.com/schema.json' })).toContain('https://example.com/schema.json');
    expect(refusal({ $ref: '#' })).toContain('refers to itself');
    expect(refusal({ anyOf: [{ type: 'string' }, { allOf: [{ $ref: '#' }] }] })).toContain('refers to itself');
    expect(refusal({ $dynamicRef: '#x' })).toContain('$dynamicRef');
    expect(refusal({ properties: { a: { pattern: '(' } } })).toContain('pattern');
    expect(refusal({ patternProperties: { '(': {} } })).toContain('pattern');
    expect(refusal({ $schema: 'https://example.com/mine' })).toContain('unknown $schema');
    expect(refusal({ a: () => 1 })).toContain('not plain JSON');
    expect(refusal({ type: 'object' }, { draft: '3' as '7' })).toContain('"2020-12"');
    expect(refusal({ type: 'object' }, { costly: 'no' as 'skip' })).toContain('costly');
    expect(refusal({ $id: 'https://a/b', $defs: { x: { $id: 'https://a/b' } } })).toContain('cannot be resolved');
  });

  it('takes a schema that refers to itself further down', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, n: { type: 'number' } } };
    expect(paths(tree, { left: { left: { n: 1 } } })).toBeUndefined();
    expect(paths(tree, { left: { left: { n: 'x' } } })).toEqual(['/left/left/n']);
  });

  it('is copied and frozen once, whoever is shown it', () => {
    const inputSchema = jsonSchema(order);
    const shown = inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    const registry = new ToolRegistry();
    registry.register([tool('a', { inputSchema }), tool('b', { inputSchema: jsonSchema(shown) })]);
    for (const { function: wire } of registry.toLLMTools()) expect(wire.parameters).toBe(shown);
    expect(shown).toEqual(order);
    expect(shown).not.toBe(order);
    expect(Object.isFrozen(shown['$defs'])).toBe(true);
  });

  it('leaves the given schema alone', () => {
    const frozen = Object.freeze({ ...order, $id: 'https://example.com/order' });
    const before = JSON.stringify(frozen);
    expect(paths(frozen, { to: 'a', items: [{}] })).toEqual(['/items/0']);
    expect(JSON.stringify(frozen)).toBe(before);
    expect(Reflect.ownKeys(order.properties.items.items)).toEqual(['$ref']);
  });
});

describe('a schema of a stranger', () => {
  const skip = { costly: 'skip' } as const;

  it('can be checked without what an evil one makes slow', () => {
    const evil = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$', minLength: 2 } } };
    expect(paths(evil, { a: `${'a'.repeat(40)}!` }, skip)).toBeUndefined();
    expect(paths(evil, { a: 'a' }, skip)).toEqual(['/a']);
    expect(paths({ uniqueItems: true, maxItems: 1 }, [1, 1], skip)).toEqual(['/']);
    expect(paths({ properties: { u: { format: 'url' } } }, { u: `http://${'a'.repeat(60)}!` })).toBeUndefined();
  });

  it('refuses nothing because of what was left out', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'number' } },
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
    };
    expect(paths(schema, { n: 1, 'x-a': 'b' }, skip)).toBeUndefined();
    expect(paths(schema, { n: '1' }, skip)).toEqual(['/n']);
    expect(paths({ allOf: [schema], unevaluatedProperties: false }, { 'x-a': 'b' }, skip)).toBeUndefined();
    const closed = { properties: schema.properties, additionalProperties: false };
    expect(paths(closed, { n: 1, 'x-a': 'b' }, skip)).toEqual(['/x-a']);
  });

  it('refuses a value when the check would take too long, by steps and not by time', () => {
    const double = (next: string) => ({ anyOf: [{ $ref: next }, { $ref: next }] });
    const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`d${n}`, double(`#/$defs/d${n + 1}`)]));
    const woven = { type: 'object', $defs: { ...$defs, d60: false }, properties: { a: { $ref: '#/$defs/d0' } } };
    expect(() => check(woven, { a: 1 })).toThrow('too large');
    expect(check(woven, {})).toBeUndefined();
    const wide = { items: { allOf: Array.from({ length: 300 }, () => ({ type: 'number' })) } };
    expect(() =>
      check(
        wide,
        Array.from({ length: 40_000 }, () => 1),
      ),
    ).toThrow('too large');
  });

  it('refuses a value for which findings would pile up, or that has too many parts', () => {
    const text = { type: 'string' };
    const piling = { type: 'object', additionalProperties: { anyOf: Array.from({ length: 100 }, () => text) } };
    const keyed = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, key) => [`k${key}`, key]));
    expect(() => check(piling, keyed(6_000))).toThrow('too large');
    expect(check(piling, keyed(10))).toHaveLength(20);
    const list = (length: number) => Array.from({ length }, () => 1);
    expect(check({ type: 'array' }, list(249_999))).toBeUndefined();
    expect(() => check({ type: 'array' }, list(250_000))).toThrow('too large');
  });

  it('counts for each value anew, and knows an anchor as before', () => {
    const tree = { $recursiveAnchor: true, properties: { a: { $recursiveRef: '#' }, n: { type: 'number' } } };
    const options = { draft: '2019-09' } as const;
    expect(paths(tree, { a: { a: { n: 1 } } }, options)).toBeUndefined();
    expect(paths(tree, { a: { a: { n: 'x' } } }, options)).toEqual(['/a/a/n']);
    const { validate } = jsonSchema({ items: { type: 'number' } })['~standard'];
    const list = Array.from({ length: 200_000 }, () => 1);
    for (let time = 0; time < 4; time += 1) expect(validate(list)).toEqual({ value: list });
  });

  it('gives one issue for a large value instead of all of them', () => {
    const large = Array.from({ length: 20_000 }, () => 'x');
    expect(check({ items: { type: 'number' } }, large)).toHaveLength(1);
    expect(check({ items: { type: 'number' } }, large.slice(0, 5_000))).toHaveLength(5_000);
  });
});
