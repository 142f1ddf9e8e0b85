/** Admission: a definition is checked and rendered once, before anything of the registry changes. */

import { describeValue, isWellFormed } from '@holdfast/kernel';
import { describeWithOutput } from '../describe-with-output.js';
import { InvalidToolDefinitionError } from '../errors.js';
import type { JsonSchema, ToolDefinition } from '../tool-definition.js';
import { assertToolName } from '../tool-name.js';
import type { ToolTierConfig } from '../tool-registry-config.js';
import { admitJson, renderInputSchema, renderModelSchema } from './schema.js';
import type { SearchDocument } from './search/document.js';
import { assertStrictSubset } from './strict-subset.js';
import { isStringList } from './string-list.js';

/** The longest time that a timer of every runtime can hold. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/** A tool as the registry keeps it: the definition, and what was made from it at registration. */
export interface AdmittedTool {
  readonly name: string;
  /** As it came; its handler runs on it. */
  readonly definition: ToolDefinition;
  /** With the result's shape appended. */
  readonly description: string;
  /** What the model is shown; frozen. */
  readonly parameters: JsonSchema;
  readonly document: SearchDocument;
}

/** Checks everything of a definition that could fail later, and renders what goes on the wire. */
export function admitTool(definition: ToolDefinition, tierConfig: ToolTierConfig | undefined): AdmittedTool {
  if (typeof definition !== 'object' || definition === null) {
    throw new InvalidToolDefinitionError('', 'definition', `must be an object; got ${describeValue(definition)}.`);
  }
  const { name, description } = definition;
  assertToolName(name);
  assertFields(definition);
  assertTier(name, definition.tier, tierConfig);
  const input = renderInputSchema(name, 'inputSchema', definition.inputSchema);
  const { modelInputSchema, outputSchema } = definition;
  const parameters = modelInputSchema === undefined ? input : renderModelSchema(name, modelInputSchema);
  if (definition.enforceModelInput) assertStrictSubset(name, modelInputSchema === undefined ? undefined : parameters);
  const output = outputSchema === undefined ? undefined : admitJson(name, 'outputSchema', outputSchema);
  return Object.freeze({
    name,
    definition,
    description: describeWithOutput(description, output),
    parameters,
    document: {
      name,
      server: definition.provenance?.server,
      title: definition.title,
      description,
      parameters,
      searchTerms: definition.searchTerms ?? [],
    },
  });
}

function assertFields(definition: ToolDefinition): void {
  const { name, title, description, execute, isReadOnly, timeoutMs, searchTerms, validationErrorHint, provenance } =
    definition;
  const refuse = (field: string, expected: string, value: unknown) => {
    throw new InvalidToolDefinitionError(name, field, `must be ${expected}; got ${describeValue(value)}.`);
  };
  if (title !== undefined && typeof title !== 'string') refuse('title', 'a string', title);
  if (typeof description !== 'string') refuse('description', 'a string', description);
  if (!isWellFormed(description)) refuse('description', 'without half a character (a lone surrogate)', description);
  if (typeof execute !== 'function') refuse('execute', 'a function', execute);
  if (isReadOnly !== undefined && typeof isReadOnly !== 'function') refuse('isReadOnly', 'a function', isReadOnly);
  const isTime = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS;
  if (timeoutMs !== undefined && !isTime) {
    refuse('timeoutMs', `more than 0 and at most ${MAX_TIMEOUT_MS} milliseconds`, timeoutMs);
  }
  if (searchTerms !== undefined && !isStringList(searchTerms)) refuse('searchTerms', 'a list of strings', searchTerms);
  if (validationErrorHint !== undefined && typeof validationErrorHint !== 'string') {
    refuse('validationErrorHint', 'a string', validationErrorHint);
  }
  if (provenance !== undefined && typeof provenance?.server !== 'string') {
    refuse('provenance', 'an object that names its server', provenance);
  }
}

function assertTier(name: string, tier: string | undefined, tierConfig: ToolTierConfig | undefined): void {
  if (tier === undefined || tierConfig === undefined) return;
  const ids = tierConfig.tiers.map(({ id }) => id);
  if (!ids.includes(tier)) {
    throw new InvalidToolDefinitionError(name, 'tier', `must be one of ${ids.join(', ')}; got ${describeValue(tier)}.`);
  }
}
