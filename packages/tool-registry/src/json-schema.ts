/**
 * `@holdfast/tool-registry/json-schema`: plain JSON Schema as an input schema, checked without `eval` by
 * `@cfworker/json-schema`, an optional peer dependency.
 */

import { type CompiledSchema, compileSchema } from './internal/compile-schema.js';
import { JsonSchemaError } from './internal/json-schema-error.js';
import { frozenJson, NotJsonError } from './internal/json-value.js';
import type { JsonSchema, ToolInputSchema } from './tool-definition.js';

export { HoldfastError } from '@holdfast/kernel';
export { JsonSchemaError } from './internal/json-schema-error.js';

/** The versions of JSON Schema that can be checked. */
export type JsonSchemaDraft = '7' | '2019-09' | '2020-12';

/** How a schema is read. */
export interface JsonSchemaOptions {
  /** The version, where `$schema` does not say it. Default: `2020-12`, and `7` where `items` is a list. */
  readonly draft?: JsonSchemaDraft | undefined;
  /**
   * `skip` leaves out what an evil schema can make take minutes: `pattern`, `patternProperties`, `uniqueItems`, and with
   * `patternProperties` whatever depends on it (`additionalProperties` beside it, `unevaluatedProperties`). The model is
   * shown these keywords all the same. For schemas that a stranger wrote. Default: `check`.
   */
  readonly costly?: 'check' | 'skip' | undefined;
}

/**
 * Makes an input schema of plain JSON Schema. The whole schema is looked at here: dialect, references, patterns. Checking
 * an input changes nothing of it: no defaults, no coercion.
 *
 * Limits: 100 levels and 50,000 values in a schema. Refused is an input of more than 250,000 values, and one whose check
 * would take more than 20,000,000 steps (values of the schema times values of the input, and every reference that is
 * followed) or apply schemas more than 500,000 times. `format` is checked where it is one of the standard ones and is an
 * annotation otherwise.
 *
 * @throws {JsonSchemaError} `ERR_HOLDFAST_JSON_SCHEMA`
 * @see https://json-schema.org/draft/2020-12
 */
export function jsonSchema<TInput = unknown>(schema: object, options: JsonSchemaOptions = {}): ToolInputSchema<TInput> {
  const shown = admit(schema);
  const { check } = compile(shown, options);
  return {
    '~standard': {
      version: 1,
      vendor: 'holdfast',
      validate: (value) => {
        const issues = check(value);
        return issues === undefined ? { value: value as TInput } : { issues };
      },
      jsonSchema: { input: () => shown },
    },
  };
}

function admit(schema: unknown): JsonSchema {
  try {
    return frozenJson(schema) as JsonSchema;
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new JsonSchemaError(`is not plain JSON: it ${error.message}`);
  }
}

function compile(schema: JsonSchema, { draft, costly = 'check' }: JsonSchemaOptions): CompiledSchema {
  if (costly !== 'check' && costly !== 'skip')
    throw new JsonSchemaError('needs "check" or "skip" as the option costly');
  return compileSchema(schema, draft, costly);
}
