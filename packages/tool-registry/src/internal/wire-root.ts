/** The root of an input schema as every provider takes it. */

import type { JsonSchema } from '../tool-definition.js';

/** What OpenAI and Anthropic refuse at the root of a tool's schema, and with it the whole request. */
const REFUSED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const'];

export interface WireRoot {
  /** With `properties`, which OpenAI wants even where there are none. */
  readonly parameters: JsonSchema;
  /** What had to be left out. */
  readonly leftOut: JsonSchema | undefined;
}

/** The very schema where nothing has to change. */
export function wireRoot(schema: JsonSchema): WireRoot {
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
