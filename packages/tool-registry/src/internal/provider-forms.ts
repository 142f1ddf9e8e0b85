/** What goes on the wire, put into the forms of several providers; each form of a tool is made once. */

import { isPlainObject } from '@holdfast/kernel';
import { InvalidToolDefinitionError } from '../errors.js';
import type { AnthropicTool, GeminiFunctionDeclaration, OpenAIResponsesTool } from '../provider-tools.js';
import type { JsonSchema, LLMToolSchema } from '../tool-definition.js';
import { quoteName } from './bounded-text.js';
import { frozenJson } from './json-value.js';
import { mapSchema, schemasIn } from './schema-parts.js';
import type { ToolState } from './tool-state.js';

/** Only a tool that is deferred, in a registry whose provider loads those, gets this far as deferred. */
export const anthropicTool: (state: ToolState) => AnthropicTool = once(renderAnthropic);
export const openAIResponsesTool: (state: ToolState) => OpenAIResponsesTool = once(renderOpenAIResponses);
export const geminiFunction: (state: ToolState) => GeminiFunctionDeclaration = once(renderGemini);

type Deferral = { readonly defer_loading?: true };

/** Keeps what was made of a tool as long as the tool is on the wire in the same form and state. */
function once<T extends object>(render: (wire: LLMToolSchema, deferral: Deferral) => T): (state: ToolState) => T {
  const loaded = new WeakMap<LLMToolSchema, T>();
  const deferred = new WeakMap<LLMToolSchema, T>();
  return ({ wire, availability }) => {
    const isDeferred = availability === 'deferred';
    const made = isDeferred ? deferred : loaded;
    const known = made.get(wire);
    if (known) return known;
    const rendered = Object.freeze(render(wire, isDeferred ? { defer_loading: true } : {}));
    made.set(wire, rendered);
    return rendered;
  };
}

/** @see https://platform.claude.com/docs/en/api/messages#body-tools */
const ANTHROPIC_ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/;

function renderAnthropic({ function: { name, description, parameters, strict } }: LLMToolSchema, deferral: Deferral) {
  const refused = Object.keys(Object(parameters['properties'])).find((key) => !ANTHROPIC_ARGUMENT.test(key));
  if (refused !== undefined) {
    const what = `has the argument ${quoteName(refused)}; Anthropic takes 1 to 64 of a-z A-Z 0-9 _ . - for one.`;
    throw new InvalidToolDefinitionError(name, 'inputSchema', `${what} Rename it, or leave the tool out.`);
  }
  const enforced =
    strict === true && !refersToItself(parameters, { root: parameters, above: new Set(), done: new Set() });
  const schema = enforced ? frozenJson(mapSchema(parameters, describeBounds)) : parameters;
  return {
    name,
    description,
    input_schema: schema as AnthropicTool['input_schema'],
    ...(enforced && { strict: true as const }),
    ...deferral,
  };
}

/** Bounds that Anthropic's strict mode refuses: the model is told of them in words, and the input schema checks them. */
const UNENFORCEABLE = 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf maxItems minItems'.split(' ');

/** @see https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
function describeBounds(schema: JsonSchema): JsonSchema {
  const bounds = UNENFORCEABLE.filter(
    (keyword) => keyword in schema && !(keyword === 'minItems' && isSmall(schema[keyword])),
  );
  if (bounds.length === 0) return schema;
  const words = bounds.map((keyword) => `${keyword} ${String(schema[keyword])}`).join(', ');
  const said = typeof schema['description'] === 'string' ? `${schema['description']} (${words})` : words;
  const kept = Object.entries(schema).filter(([keyword]) => !bounds.includes(keyword));
  return { ...Object.fromEntries(kept), description: said };
}

function isSmall(count: unknown): boolean {
  return count === 0 || count === 1;
}

interface Walk {
  readonly root: JsonSchema;
  readonly above: Set<unknown>;
  readonly done: Set<unknown>;
}

/** Anthropic's strict mode takes no recursive schema. A strict schema refers to definitions of its own only. */
function refersToItself(node: unknown, walk: Walk): boolean {
  if (!isPlainObject(node) || walk.done.has(node)) return false;
  if (walk.above.has(node)) return true;
  walk.above.add(node);
  const parts = schemasIn(node).map(([, part]) => part);
  if (typeof node['$ref'] === 'string') parts.push(resolve(node['$ref'], walk.root));
  const found = parts.some((part) => refersToItself(part, walk));
  walk.done.add(node);
  return found;
}

function resolve(reference: string, root: JsonSchema): unknown {
  let node: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = isPlainObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

function renderOpenAIResponses(
  { function: { name, description, parameters, strict } }: LLMToolSchema,
  deferral: Deferral,
) {
  return { type: 'function' as const, name, description, parameters, strict: strict === true, ...deferral };
}

/** @see https://ai.google.dev/api/caching#FunctionDeclaration */
function renderGemini({ function: { name, description, parameters } }: LLMToolSchema) {
  if (!/^[a-zA-Z_]/.test(name)) {
    throw new InvalidToolDefinitionError(
      name,
      'name',
      'must begin with a letter or an underscore for Gemini. Rename it.',
    );
  }
  return { name, description, parametersJsonSchema: parameters };
}
