/** The verdict on any schema and value is that of another validator, which compiles its schemas to code. */

import { jsonSchema } from '@holdfast/tool-registry/json-schema';
import { Ajv as Ajv7, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';

type Schema = Record<string, unknown>;

const key = fc.constantFrom('a', 'b', 'c');
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 3, '', 'a', 'aa', 'long text'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const { schema } = fc.letrec<{ schema: Schema | boolean }>((tie) => {
  const part = tie('schema');
  const parts = fc.array(part, { minLength: 1, maxLength: 2 });
  const named = fc.dictionary(key, part, { maxKeys: 2 });
  const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(fc.constantFrom(null, 1, 'a', true), { minLength: 1 }),
    const: value,
    minimum: fc.integer({ min: -1, max: 2 }),
    exclusiveMaximum: fc.integer({ min: 0, max: 3 }),
    multipleOf: fc.constantFrom(1, 0.5, 3),
    minLength: fc.nat(2),
    maxLength: fc.nat(3),
    pattern: fc.constantFrom('^a', 'x$'),
    properties: named,
    required: fc.uniqueArray(key, { maxLength: 2 }),
    additionalProperties: part,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b|c'), part, { maxKeys: 1 }),
    minProperties: fc.nat(2),
    propertyNames: fc.constantFrom({ enum: ['a', 'b'] }, { maxLength: 1 }, false),
    minItems: fc.nat(2),
    maxItems: fc.nat(3),
    uniqueItems: fc.boolean(),
    contains: part,
    allOf: parts,
    anyOf: parts,
    oneOf: parts,
    not: part,
    // In one go: an object with a property `then` would look like a promise.
    ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, part])),
  };
  const one = fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, keywords[name] as fc.Arbitrary<unknown>]))),
    )
    // The oracle takes an empty list for one that contains what the list before it contained.
    .map((made) => ('contains' in made ? { ...made, minItems: Math.max(1, Number(made['minItems'] ?? 0)) } : made));
  return {
    schema: fc.oneof({ maxDepth: 2 }, fc.constantFrom({}, true, false, { type: 'number' }, { type: 'string' }), one),
  };
});

const options = { strict: false, validateSchema: false, logger: false } as const;

/** Draws again where the oracle itself throws, as ajv 8.20 does at some `oneOf` with `properties` beside `anyOf: [{}]`. */
function verdictOf(oracle: ValidateFunction, input: unknown): unknown {
  try {
    return oracle(input);
  } catch (error) {
    return fc.pre(!(error instanceof TypeError));
  }
}

function agrees(root: Schema, input: unknown, oracle: ValidateFunction) {
  const verdict = jsonSchema(root)['~standard'].validate(input);
  expect('value' in verdict, JSON.stringify([root, input])).toBe(verdictOf(oracle, input));
}

it('in draft 2020-12', () => {
  fc.assert(
    fc.property(schema, schema, fc.array(value, { minLength: 3, maxLength: 3 }), (one, two, values) => {
      const root = {
        prefixItems: [one],
        items: two,
        properties: { a: one, b: { $ref: '#/$defs/two' } },
        $defs: { two },
      };
      const oracle = new Ajv2020(options).compile(root);
      for (const input of [values, ...values, { a: values[0], b: values[1] }]) agrees(root, input, oracle);
    }),
    { numRuns: 40 },
  );
});

it('in draft 7', () => {
  fc.assert(
    fc.property(schema, schema, fc.array(value, { minLength: 3, maxLength: 3 }), (one, two, values) => {
      const root = {
        $schema: 'http://json-schema.org/draft-07/schema#',
        items: [one, { $ref: '#/definitions/two' }],
        additionalItems: two,
        properties: { a: one },
        definitions: { two },
      };
      const oracle = new Ajv7(options).compile(root);
      for (const input of [values, ...values, { a: values[0] }]) agrees(root, input, oracle);
    }),
    { numRuns: 40 },
  );
});
