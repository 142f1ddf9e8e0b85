/** Walking a JSON Schema: which of its values are schemas themselves. */

import { isPlainObject } from '@holdfast/kernel';
import type { JsonSchema } from '../tool-definition.js';

/** Keywords that hold one schema. */
const SINGLE =
  'items additionalItems additionalProperties unevaluatedItems unevaluatedProperties contains propertyNames not if then else contentSchema'.split(
    ' ',
  );
/** Keywords that hold a list of schemas. */
const LISTS = 'anyOf oneOf allOf prefixItems items'.split(' ');
/** Keywords that hold schemas by name. */
const MAPS = 'properties patternProperties dependentSchemas dependencies $defs definitions'.split(' ');

/** The schemas right below a schema, each with its place as a JSON pointer without the first slash. */
export function schemasIn(node: JsonSchema): [place: string, schema: unknown][] {
  const parts: [string, unknown][] = [];
  for (const keyword of SINGLE) if (isPlainObject(node[keyword])) parts.push([keyword, node[keyword]]);
  for (const keyword of LISTS) {
    for (const [index, part] of arraysIn(node, keyword).entries()) parts.push([`${keyword}/${index}`, part]);
  }
  for (const keyword of MAPS) {
    const named = node[keyword];
    if (isPlainObject(named))
      for (const [name, part] of Object.entries(named)) parts.push([`${keyword}/${name}`, part]);
  }
  return parts;
}

/** The list under a keyword; empty when there is none. */
export function arraysIn(node: JsonSchema, keyword: string): readonly unknown[] {
  const list = node[keyword];
  return Array.isArray(list) ? list : [];
}

/** The same schema with every schema inside it, and then itself, put through a function. */
export function mapSchema(node: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (!isPlainObject(node)) return node;
  const made: Record<string, unknown> = { ...node };
  const inner = (part: unknown) => mapSchema(part, change);
  for (const keyword of SINGLE) if (isPlainObject(made[keyword])) made[keyword] = inner(made[keyword]);
  for (const keyword of LISTS) if (Array.isArray(made[keyword])) made[keyword] = made[keyword].map(inner);
  for (const keyword of MAPS) {
    const named = made[keyword];
    if (isPlainObject(named)) {
      made[keyword] = Object.fromEntries(Object.entries(named).map(([name, part]) => [name, inner(part)]));
    }
  }
  return change(made);
}
