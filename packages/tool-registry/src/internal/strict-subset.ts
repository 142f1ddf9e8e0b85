/** The subset of JSON Schema within which providers can constrain decoding. */

import { isPlainObject } from '@holdfast/kernel';
import { InvalidToolDefinitionError } from '../errors.js';
import type { JsonSchema } from '../tool-definition.js';
import { arraysIn, schemasIn } from './schema-parts.js';

/** What a strict schema may say; anything else makes the provider refuse the whole request. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'type enum const anyOf $ref $defs definitions properties required additionalProperties items description title ' +
    'pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'
  ).split(' '),
);
const FORMATS: ReadonlySet<unknown> = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '));

const MAX_OBJECT_DEPTH = 10;
const MAX_PROPERTIES = 5_000;
const MAX_ENUM_VALUES = 1_000;
/** Characters of all property names, definition names, `enum` and `const` values together. */
const MAX_TEXT = 120_000;
/** Above so many values, the texts of one `enum` have a limit of their own. */
const LONG_ENUM = 250;
const MAX_LONG_ENUM_TEXT = 15_000;

interface Totals {
  properties: number;
  enumValues: number;
  text: number;
}

/**
 * Checks that a schema can be enforced: supported keywords only, every object names all its properties as required and
 * allows no others, and the whole stays within the limits that OpenAI documents.
 *
 * @see https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas
 */
export function assertStrictSubset(toolName: string, schema: JsonSchema | undefined): void {
  if (schema === undefined) {
    throw new InvalidToolDefinitionError(toolName, 'enforceModelInput', 'needs a modelInputSchema.');
  }
  const totals: Totals = { properties: 0, enumValues: 0, text: 0 };
  const fault = 'anyOf' in schema ? '$ has anyOf at its root' : (faultOf(schema, '$', 0, totals) ?? excess(totals));
  if (fault === undefined) return;
  throw new InvalidToolDefinitionError(
    toolName,
    'modelInputSchema',
    `cannot be enforced: ${fault}. Leave enforceModelInput out, or bring the schema into the strict subset; ` +
      'inputSchema still checks what is left out.',
  );
}

function faultOf(node: unknown, path: string, depth: number, totals: Totals): string | undefined {
  if (!isPlainObject(node)) return `${path} is no schema object`;
  const levels = isObjectSchema(node) ? depth + 1 : depth;
  if (levels > MAX_OBJECT_DEPTH) return `${path} is nested more than ${MAX_OBJECT_DEPTH} objects deep`;
  const fault = ownFault(node) ?? objectFault(node);
  if (fault !== undefined) return `${path} ${fault}`;
  addUp(node, totals);
  for (const [key, part] of schemasIn(node)) {
    const below = faultOf(part, `${path}/${key}`, levels, totals);
    if (below !== undefined) return below;
  }
  return undefined;
}

function isObjectSchema(node: JsonSchema): boolean {
  return node['type'] === 'object' || arraysIn(node, 'type').includes('object') || 'properties' in node;
}

function ownFault(node: JsonSchema): string | undefined {
  const refused = Object.keys(node).find((keyword) => !KEYWORDS.has(keyword));
  if (refused !== undefined) return `has ${refused}`;
  if (!('type' in node || 'anyOf' in node || '$ref' in node)) return 'has no type';
  if ('$ref' in node && Object.keys(node).length > 1) return 'has a $ref beside other keywords';
  if ('format' in node && !FORMATS.has(node['format'])) return `has the format ${JSON.stringify(node['format'])}`;
  const isList = node['type'] === 'array' || arraysIn(node, 'type').includes('array');
  if (isList && !isPlainObject(node['items'])) return 'is a list without items';
  const values = arraysIn(node, 'enum');
  const isLong = values.length > LONG_ENUM && textOf(values) > MAX_LONG_ENUM_TEXT;
  return isLong ? `has an enum of more than ${LONG_ENUM} values and ${MAX_LONG_ENUM_TEXT} characters` : undefined;
}

function objectFault(node: JsonSchema): string | undefined {
  if (!isObjectSchema(node)) return undefined;
  if (node['additionalProperties'] !== false) return 'lacks additionalProperties: false';
  const required = new Set(arraysIn(node, 'required'));
  const names = new Set<unknown>(namesIn(node, 'properties'));
  const optional = [...names].find((key) => !required.has(key));
  if (optional !== undefined) return `does not require ${JSON.stringify(optional)}`;
  const extra = [...required].find((key) => !names.has(key));
  return extra === undefined ? undefined : `requires ${JSON.stringify(extra)}, which it does not have`;
}

function addUp(node: JsonSchema, totals: Totals): void {
  const properties = namesIn(node, 'properties');
  const values = arraysIn(node, 'enum');
  totals.properties += properties.length;
  totals.enumValues += values.length;
  totals.text += textOf([
    ...properties,
    ...namesIn(node, '$defs'),
    ...namesIn(node, 'definitions'),
    ...values,
    node['const'] ?? '',
  ]);
}

function excess({ properties, enumValues, text }: Totals): string | undefined {
  if (properties > MAX_PROPERTIES) return `it has more than ${MAX_PROPERTIES} properties`;
  if (enumValues > MAX_ENUM_VALUES) return `it has more than ${MAX_ENUM_VALUES} enum values`;
  return text > MAX_TEXT ? `its names and values have more than ${MAX_TEXT} characters` : undefined;
}

function namesIn(node: JsonSchema, keyword: string): string[] {
  const part = node[keyword];
  return isPlainObject(part) ? Object.keys(part) : [];
}

function textOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + String(value).length, 0);
}
