/** Schemas: what is rendered for the model at registration. */

import { isPlainObject } from '@holdfast/kernel';
import { InvalidToolDefinitionError } from '../errors.js';
import type { JsonSchema, ToolInputSchema } from '../tool-definition.js';
import { frozenJson } from './json-value.js';

const WAY_OUT =
  'Use a Standard Schema that renders JSON Schema (zod 4.2 or later, ArkType, Valibot through toStandardJsonSchema), ' +
  'jsonSchema(schema) of @holdfast/tool-registry/json-schema for plain JSON Schema, ' +
  "or wrap your own validator: { '~standard': { version: 1, vendor, validate, jsonSchema: { input } } }.";

/** Renders an input schema to a frozen JSON Schema whose root is an object. */
export function renderInputSchema(toolName: string, field: string, schema: unknown): JsonSchema {
  const standard = standardOf(schema);
  if (standard === undefined) {
    const plain = isPlainObject(schema) && ('type' in schema || 'properties' in schema);
    const what = plain ? 'is plain JSON Schema, which cannot check an input by itself.' : 'is not a Standard Schema.';
    throw new InvalidToolDefinitionError(toolName, field, `${what} ${WAY_OUT}`);
  }
  if (typeof standard.jsonSchema?.input !== 'function') {
    throw new InvalidToolDefinitionError(toolName, field, `does not render JSON Schema. ${WAY_OUT}`);
  }
  let rendered: unknown;
  try {
    rendered = standard.jsonSchema.input({ target: 'draft-2020-12' });
  } catch (error) {
    throw new InvalidToolDefinitionError(toolName, field, `cannot be rendered: ${messageOf(error)}`, { cause: error });
  }
  return admitObjectSchema(toolName, field, rendered);
}

/** The schema that the model sees in the place of the input schema: plain JSON Schema, or one that renders it. */
export function renderModelSchema(toolName: string, schema: unknown): JsonSchema {
  const field = 'modelInputSchema';
  return standardOf(schema) === undefined
    ? admitObjectSchema(toolName, field, schema)
    : renderInputSchema(toolName, field, schema);
}

/** A frozen copy of a schema whose root is an object; the dialect marker is left out, providers do not take it. */
function admitObjectSchema(toolName: string, field: string, rendered: unknown): JsonSchema {
  const schema = withoutDialect(admitJson(toolName, field, rendered));
  if (schema['type'] !== 'object') {
    throw new InvalidToolDefinitionError(
      toolName,
      field,
      'must have type "object" at its root: providers take no other. Put the value, or the union, into a field.',
    );
  }
  return schema;
}

function withoutDialect(schema: JsonSchema): JsonSchema {
  if (!Object.hasOwn(schema, '$schema')) return schema;
  return Object.freeze(Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema')));
}

/** A frozen copy of a JSON object, or an error that names the tool. */
export function admitJson(toolName: string, field: string, value: unknown): JsonSchema {
  if (!isPlainObject(value)) throw new InvalidToolDefinitionError(toolName, field, 'is not a JSON object.');
  try {
    return frozenJson(value) as JsonSchema;
  } catch (error) {
    throw new InvalidToolDefinitionError(toolName, field, `is not plain JSON: it ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

type Standard = Partial<ToolInputSchema['~standard']>;

function standardOf(schema: unknown): Standard | undefined {
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'function') return undefined;
  const standard: unknown = (schema as { '~standard'?: unknown })['~standard'];
  if (typeof standard !== 'object' || standard === null) return undefined;
  return typeof (standard as Standard).validate === 'function' ? (standard as Standard) : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
