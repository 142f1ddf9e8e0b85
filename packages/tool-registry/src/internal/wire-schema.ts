/** An input schema as every provider takes it: one that a provider refuses fails the whole request. */

import type { JsonSchema } from '../tool-definition.js';
import { frozenJson } from './json-value.js';
import { arraysIn, mapSchema } from './schema-parts.js';

/** What OpenAI and Anthropic refuse at the root. */
const REFUSED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const'];

export interface WireSchema {
  /** With `properties` and `items`, which OpenAI wants also where they say nothing. */
  readonly parameters: JsonSchema;
  /** What had to be left out. */
  readonly leftOut: JsonSchema | undefined;
}

/** The very schema where nothing has to change. */
export function wireSchema(shown: JsonSchema): WireSchema {
  const schema = hasBareList(shown) ? (frozenJson(mapSchema(shown, withItems)) as JsonSchema) : shown;
  const refused = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword));
  if (refused.length === 0 && Object.hasOwn(schema, 'properties')) return { parameters: schema, leftOut: undefined };
  const pick = (isPicked: (keyword: string) => boolean) =>
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => isPicked(keyword)));
  const kept = pick((keyword) => !refused.includes(keyword));
  return {
    parameters: Object.freeze(Object.hasOwn(kept, 'properties') ? kept : { ...kept, properties: Object.freeze({}) }),
    leftOut: refused.length === 0 ? undefined : pick((keyword) => refused.includes(keyword)),
  };
}

/** Looks at every value, whether it is a schema or not: most tools have no such list and need no more than this. */
function hasBareList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isBareList(value as JsonSchema) || Object.values(value).some(hasBareList);
}

function isBareList(node: JsonSchema): boolean {
  const isList = node['type'] === 'array' || arraysIn(node, 'type').includes('array');
  return isList && !Object.hasOwn(node, 'items');
}

function withItems(node: JsonSchema): JsonSchema {
  return isBareList(node) ? { ...node, items: {} } : node;
}
