/** A JSON Schema made ready for checking: what cannot be checked is found here and not in the middle of a call. */

import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { isPlainObject } from '@holdfast/kernel';
import type { JsonSchema, ToolInputIssue } from '../tool-definition.js';
import { boundLine } from './bounded-text.js';
import { JsonSchemaError } from './json-schema-error.js';
import { readIssues } from './json-schema-issues.js';
import { arraysIn, mapSchema, schemasIn } from './schema-parts.js';

/** Checks a value; the issues, or nothing. Throws for a check that would take too long. */
export interface CompiledSchema {
  check(value: unknown): ToolInputIssue[] | undefined;
}

/** What one check may take: values of the schema times values of the input, roughly. */
const MAX_STEPS = 20_000_000;
/** Values in one check, and schemas that are applied in it: each may leave a finding, which takes time and memory. */
const MAX_VALUES = 250_000;
const MAX_APPLIED = 500_000;
/** The least that following a reference counts: findings pile up on the way, so there is a bound on them as well. */
const STEPS_OF_A_REFERENCE = 200;
/** Larger values get the first issue only: collecting all of them could take more memory than the value. */
const MAX_VALUES_FOR_ALL_ISSUES = 10_000;

const DRAFTS: readonly (readonly [dialect: string, draft: SchemaDraft])[] = [
  ['json-schema.org/draft-04/', '4'],
  ['json-schema.org/draft-06/', '7'],
  ['json-schema.org/draft-07/', '7'],
  ['json-schema.org/draft/2019-09/', '2019-09'],
  ['json-schema.org/draft/2020-12/', '2020-12'],
];

/** Everything that says something about a value. The rest is annotation, and nothing of it can mislead the checker. */
const CHECKED: ReadonlySet<string> = new Set(
  (
    '$id $anchor $ref $recursiveRef $recursiveAnchor $defs definitions type enum const not anyOf allOf oneOf if then ' +
    'else format properties patternProperties additionalProperties unevaluatedProperties minProperties maxProperties ' +
    'propertyNames required dependentRequired dependentSchemas dependencies prefixItems items additionalItems ' +
    'unevaluatedItems contains minContains maxContains minItems maxItems uniqueItems minimum maximum ' +
    'exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern'
  ).split(' '),
);
const COSTLY = ['pattern', 'patternProperties', 'uniqueItems'];

export function compileSchema(
  schema: JsonSchema,
  wanted: string | undefined,
  costly: 'check' | 'skip',
): CompiledSchema {
  const draft = draftOf(schema, wanted);
  const all = allSchemas(schema);
  const dynamic = all.find((node) => '$dynamicRef' in node);
  if (dynamic) throw new JsonSchemaError('has $dynamicRef, which is not supported');
  const hasPatternProperties = all.some((node) => 'patternProperties' in node);
  const root = mapSchema(schema, (node) =>
    costly === 'skip' ? withoutCostly(checkedPart(node), hasPatternProperties) : checkedPart(node),
  ) as Schema;
  const lookup = resolve(root);
  assertCheckable(root, lookup);
  return checker(root, draft, lookup);
}

function draftOf(schema: JsonSchema, wanted: string | undefined): SchemaDraft {
  const dialect = schema['$schema'];
  if (dialect === undefined) {
    const draft = wanted ?? (allSchemas(schema).some((node) => Array.isArray(node['items'])) ? '7' : '2020-12');
    if (draft !== '7' && draft !== '2019-09' && draft !== '2020-12') {
      throw new JsonSchemaError('needs "7", "2019-09" or "2020-12" as the option draft');
    }
    return draft;
  }
  const known = DRAFTS.find(([part]) => typeof dialect === 'string' && dialect.includes(part));
  if (!known) throw new JsonSchemaError(`has an unknown $schema: ${boundLine(JSON.stringify(dialect), 100)}`);
  return known[1];
}

function checkedPart(node: JsonSchema): JsonSchema {
  return Object.fromEntries(
    // The checker's expression for the old format `url` can take exponential time.
    Object.entries(node).filter(
      ([keyword, value]) => CHECKED.has(keyword) && !(keyword === 'format' && value === 'url'),
    ),
  );
}

function withoutCostly(node: JsonSchema, hasPatternProperties: boolean): JsonSchema {
  const dropped = new Set(COSTLY);
  if ('patternProperties' in node) dropped.add('additionalProperties');
  if (hasPatternProperties) dropped.add('unevaluatedProperties');
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => !dropped.has(keyword)));
}

function allSchemas(schema: JsonSchema): JsonSchema[] {
  const found: JsonSchema[] = [];
  const pending: unknown[] = [schema];
  while (pending.length > 0) {
    const node = pending.pop();
    if (!isPlainObject(node)) continue;
    found.push(node);
    pending.push(...schemasIn(node).map(([, part]) => part));
  }
  return found;
}

function resolve(root: Schema): Record<string, Schema | boolean> {
  try {
    return dereference(root);
  } catch (error) {
    throw new JsonSchemaError(`cannot be resolved: ${boundLine(String((error as Error).message), 200)}`, {
      cause: error,
    });
  }
}

type Lookup = Readonly<Record<string, Schema | boolean>>;

/** References lead somewhere and never in a circle on one and the same value; patterns are patterns. */
function assertCheckable(root: Schema, lookup: Lookup): void {
  const done = new Set<Schema>();
  const above = new Set<Schema>();
  const visit = (node: unknown): void => {
    if (!isPlainObject(node) || done.has(node)) return;
    if (above.has(node)) throw new JsonSchemaError('refers to itself without going any deeper into the value');
    above.add(node);
    for (const part of onSameValue(node, lookup)) visit(part);
    above.delete(node);
    done.add(node);
  };
  for (const node of allSchemas(root)) {
    visit(node);
    for (const pattern of [node['pattern'], ...Object.keys(node['patternProperties'] ?? {})]) assertPattern(pattern);
  }
}

/** The schemas that apply to the very value that a schema applies to. */
function onSameValue(node: Schema, lookup: Lookup): unknown[] {
  const parts: unknown[] = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => arraysIn(node, keyword));
  for (const keyword of ['not', 'if', 'then', 'else']) parts.push(node[keyword]);
  parts.push(...Object.values({ ...node['dependentSchemas'], ...node['dependencies'] }));
  const reference = node['__absolute_ref__'];
  if (typeof reference === 'string') {
    const target = lookup[reference];
    if (target === undefined) {
      throw new JsonSchemaError(`refers to ${boundLine(JSON.stringify(node['$ref']), 100)}, which is not in it`);
    }
    parts.push(target);
  }
  return parts;
}

function assertPattern(pattern: unknown): void {
  if (pattern === undefined) return;
  try {
    new RegExp(String(pattern), 'u');
  } catch (error) {
    throw new JsonSchemaError(`has a pattern that is none: ${boundLine(String(pattern), 100)}`, { cause: error });
  }
}

function checker(root: Schema, draft: SchemaDraft, lookup: Record<string, Schema | boolean>): CompiledSchema {
  const sizes = new Map(Object.values(lookup).map((schema) => [schema, countValues(schema)]));
  const schemaSize = countValues(root);
  let stepsLeft = 0;
  let appliedLeft = 0;
  onEachApplication(root, () => {
    appliedLeft -= 1;
    if (appliedLeft < 0) throw new Error(TOO_LARGE);
  });
  const counted = new Proxy(lookup, {
    get: (target, uri: string) => {
      const schema = target[uri];
      stepsLeft -= Math.max(STEPS_OF_A_REFERENCE, sizes.get(schema as Schema) ?? 0);
      if (stepsLeft < 0) throw new Error(TOO_LARGE);
      return schema;
    },
  });
  const run = (value: unknown, shortCircuit: boolean): OutputUnit[] => {
    stepsLeft = MAX_STEPS;
    appliedLeft = MAX_APPLIED;
    try {
      return validate(value, root, draft, counted, shortCircuit).errors;
    } catch (error) {
      // The checker hands findings on as arguments, of which an engine takes about a hundred thousand.
      throw error instanceof RangeError ? new Error(TOO_LARGE) : error;
    }
  };
  return {
    check: (value) => {
      const values = countValues(value);
      if (values > MAX_VALUES || values * schemaSize > MAX_STEPS) throw new Error(TOO_LARGE);
      const first = run(value, true);
      if (first.length === 0) return undefined;
      return readIssues(values > MAX_VALUES_FOR_ALL_ISSUES ? first : run(value, false));
    },
  };
}

/** The checker reads all keywords of a schema whenever it applies it, so that one which is asked can count. */
function onEachApplication(root: Schema, count: () => void): void {
  for (const node of allSchemas(root)) {
    const anchor = node['$recursiveAnchor'];
    const get = () => {
      count();
      return anchor;
    };
    Object.defineProperty(node, '$recursiveAnchor', { get, enumerable: false });
  }
}

const TOO_LARGE = 'the value is too large for its schema to be checked';

function countValues(value: unknown): number {
  let count = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const one = pending.pop();
    count += 1;
    if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) pending.push(part);
  }
  return count;
}
