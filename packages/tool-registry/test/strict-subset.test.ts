import { type JsonSchema, ToolRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { thrownBy, tool } from './support.js';

function object(properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more };
}

function admit(modelInputSchema: JsonSchema) {
  new ToolRegistry().register(tool('a', { modelInputSchema, enforceModelInput: true }));
}

function refusalOf(schema: JsonSchema): string {
  const thrown = thrownBy(() => admit(schema));
  expect(thrown).toMatchObject({ code: 'ERR_HOLDFAST_TOOL_DEFINITION', toolName: 'a', field: 'modelInputSchema' });
  return String(thrown['message']);
}

const text = { type: 'string' };
const numbered = (count: number, length = 8) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));
const nested = (levels: number): JsonSchema => (levels === 0 ? text : object({ a: nested(levels - 1) }));

describe('enforceModelInput', () => {
  it('takes what providers can enforce', () => {
    admit(
      object(
        {
          word: { ...text, pattern: '^a', description: 'A word.', title: 'Word' },
          when: { type: ['string', 'null'], format: 'date-time' },
          size: { type: 'number', minimum: 0, exclusiveMaximum: 10, multipleOf: 0.5 },
          list: { type: 'array', items: { $ref: '#/$defs/item' }, minItems: 1, maxItems: 3 },
          either: { anyOf: [text, { type: 'null' }] },
          kind: { type: 'string', enum: ['a', 'b'] },
          fixed: { type: 'string', const: 'x' },
          // Names of fields are no keywords.
          not: text,
          default: text,
        },
        { $defs: { item: object({ again: { $ref: '#' } }) } },
      ),
    );
    admit(object({}));
  });

  it.each([
    ['oneOf', { oneOf: [text] }],
    ['not', { ...text, not: {} }],
    ['default', { ...text, default: 'x' }],
    ['minLength', { ...text, minLength: 1 }],
    ['uniqueItems', { type: 'array', items: text, uniqueItems: true }],
    ['prefixItems', { type: 'array', items: text, prefixItems: [text] }],
    ['patternProperties', { ...object({}), patternProperties: {} }],
    ['if', { ...text, if: {} }],
    ['dependentRequired', { ...object({}), dependentRequired: {} }],
    ['the format "uri"', { ...text, format: 'uri' }],
    ['no type', {}],
    ['no type', { enum: ['a'] }],
    ['without items', { type: 'array' }],
    ['without items', { type: ['array', 'null'] }],
    ['lacks additionalProperties: false', { type: ['object', 'null'], properties: {} }],
    ['has a $ref beside other keywords', { $ref: '#', description: 'Again.' }],
    ['requires "b", which it does not have', { ...object({}), required: ['b'] }],
    ['does not require "b"', { ...object({ b: text }), required: [] }],
  ])('refuses %s and says where', (fault, schema) => {
    expect(refusalOf(object({ deep: object({ a: schema }) }))).toContain(`$/properties/deep/properties/a`);
    expect(refusalOf(object({ deep: object({ a: schema }) }))).toContain(fault);
  });

  it('looks into lists, unions and definitions', () => {
    const bad = { ...text, default: 1 };
    expect(refusalOf(object({ a: { type: 'array', items: bad } }))).toContain('$/properties/a/items has default');
    expect(refusalOf(object({ a: { anyOf: [text, bad] } }))).toContain('$/properties/a/anyOf/1 has default');
    expect(refusalOf(object({}, { $defs: { x: bad } }))).toContain('$/$defs/x has default');
    expect(refusalOf(object({}, { definitions: { x: bad } }))).toContain('$/definitions/x has default');
    expect(refusalOf(object({ a: { type: 'array', items: true } }))).toContain('$/properties/a');
  });

  it('keeps the documented limits', () => {
    admit(nested(10));
    expect(refusalOf(nested(11))).toContain('more than 10 objects deep');
    const properties = (count: number) => object(Object.fromEntries(numbered(count).map((name) => [name, text])));
    admit(properties(5_000));
    expect(refusalOf(properties(5_001))).toContain('more than 5000 properties');
    const choice = (count: number, length = 8) => ({ type: 'string', enum: numbered(count, length) });
    admit(object({ a: choice(500), b: choice(500) }));
    expect(refusalOf(object({ a: choice(500), b: choice(501) }))).toContain('more than 1000 enum values');
    admit(object({ a: choice(250, 200) }));
    admit(object({ a: choice(251, 59) }));
    expect(refusalOf(object({ a: choice(251, 60) }))).toContain('15000 characters');
    admit(object({ a: choice(250, 479) }));
    const fixed = (length: number) => object({ a: { type: 'string', const: 'x'.repeat(length) } });
    admit(fixed(119_999));
    expect(refusalOf(fixed(120_000))).toContain('more than 120000 characters');
    expect(refusalOf(object({ a: choice(250, 480) }))).toContain('more than 120000 characters');
  });
});
