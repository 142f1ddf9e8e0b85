/** The subset of JSON Schema within which providers can constrain decoding. */

import { isPlainObject } from '@holdfast/kernel';
import { InvalidToolDefinitionError } from '../errors.js';
import type { JsonSchema } from '../tool-definition.js';

/** Keywords that providers refuse in a strict schema. */
const REFUSED: readonly string[] = [
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
];

/**
 * Checks that a schema can be enforced: every object names all its properties as required and allows no others.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function assertStrictSubset(toolName: string, schema: JsonSchema | undefined): void {
  if (schema === undefined) {
    throw new InvalidToolDefinitionError(toolName, 'enforceModelInput', 'needs a modelInputSchema.');
  }
  if ('anyOf' in schema) refuse(toolName, '$', 'has anyOf at its root');
  assertNode(toolName, schema, '$');
}

function assertNode(toolName: string, node: unknown, path: string): void {
  if (!isPlainObject(node)) return;
  const refused = REFUSED.find((keyword) => Object.hasOwn(node, keyword));
  if (refused) refuse(toolName, path, `has ${refused}`);
  const properties = isPlainObject(node['properties']) ? node['properties'] : {};
  if (node['type'] === 'object' || 'properties' in node) {
    if (node['additionalProperties'] !== false) refuse(toolName, path, 'lacks additionalProperties: false');
    const required = Array.isArray(node['required']) ? node['required'] : [];
    const optional = Object.keys(properties).find((key) => !required.includes(key));
    if (optional !== undefined) refuse(toolName, path, `does not require ${JSON.stringify(optional)}`);
  }
  for (const [key, part] of Object.entries(properties)) assertNode(toolName, part, `${path}/properties/${key}`);
  for (const keyword of ['$defs', 'definitions']) {
    const definitions = node[keyword];
    if (!isPlainObject(definitions)) continue;
    for (const [key, part] of Object.entries(definitions)) assertNode(toolName, part, `${path}/${keyword}/${key}`);
  }
  assertNode(toolName, node['items'], `${path}/items`);
  const branches = node['anyOf'];
  if (Array.isArray(branches))
    for (const [index, part] of branches.entries()) assertNode(toolName, part, `${path}/anyOf/${index}`);
}

function refuse(toolName: string, path: string, fault: string): never {
  throw new InvalidToolDefinitionError(
    toolName,
    'modelInputSchema',
    `cannot be enforced: ${path} ${fault}. Leave enforceModelInput out, or bring the schema into the strict subset.`,
  );
}
