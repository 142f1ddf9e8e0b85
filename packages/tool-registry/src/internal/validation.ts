/** Validation: one copy of the input, one verdict of the schema, and words for the model when it is no. */

import { isPlainObject } from '@holdfast/kernel';
import type { ToolInputIssue } from '../tool-definition.js';
import type { ToolExecutionResult } from '../tool-result.js';
import type { AdmittedTool } from './admission.js';
import { boundLine, boundText, describeThrown } from './bounded-text.js';
import { copyValue, UncopyableError } from './copy-value.js';
import { refusal } from './refusals.js';
import { isThenable } from './thenable.js';

const MAX_ISSUES = 20;
const MAX_FIELDS = 30;

export type Validated =
  | { readonly ok: true; readonly tool: AdmittedTool; readonly input: unknown }
  | { readonly ok: false; readonly result: ToolExecutionResult };

/**
 * Validates a copy of the input and gives a value that neither the caller nor the schema shares. A promise for a schema
 * that validates asynchronously; it never rejects.
 */
export function validateInput(tool: AdmittedTool, rawInput: unknown): Validated | Promise<Validated> {
  try {
    const input = copyValue(argumentsOf(rawInput));
    const verdict: unknown = tool.definition.inputSchema['~standard'].validate(input);
    return isThenable(verdict)
      ? readLater(tool, rawInput, input, verdict)
      : readVerdict(tool, rawInput, input, verdict);
  } catch (error) {
    return refuseFault(tool, error);
  }
}

async function readLater(
  tool: AdmittedTool,
  rawInput: unknown,
  input: unknown,
  verdict: PromiseLike<unknown>,
): Promise<Validated> {
  try {
    return readVerdict(tool, rawInput, input, await verdict);
  } catch (error) {
    return refuseFault(tool, error);
  }
}

/** The value is copied unless it is the very copy that was checked: a schema may hand out a default that it keeps. */
function readVerdict(tool: AdmittedTool, rawInput: unknown, input: unknown, verdict: unknown): Validated {
  const issues = issuesOf(verdict);
  if (issues !== undefined) return { ok: false, result: refuseInput(tool, explain(tool, rawInput, issues)) };
  const { value } = verdict as { readonly value: unknown };
  return { ok: true, tool, input: value === input ? input : copyValue(value) };
}

function refuseFault(tool: AdmittedTool, error: unknown): Validated {
  const reason = error instanceof UncopyableError ? `The input ${error.message}.` : describeThrown(error);
  return { ok: false, result: refuseInput(tool, `The input of "${tool.name}" cannot be checked: ${reason}`) };
}

/** What a call of the synchronous kind is told about a schema that needs time. */
export function refuseAsync(name: string): ToolExecutionResult {
  const text = `"${name}" did not run: its input schema validates asynchronously, and this call is prepared synchronously.`;
  return refusal('invalid_input', text, { retryable: false });
}

/** Providers deliver a call without arguments as nothing at all. */
function argumentsOf(rawInput: unknown): unknown {
  return rawInput === undefined || rawInput === null || rawInput === '' ? {} : rawInput;
}

/** The issues of a verdict; `undefined` when it is a yes. A verdict that is neither counts as a no. */
function issuesOf(verdict: unknown): readonly ToolInputIssue[] | undefined {
  const given: { readonly issues?: unknown } = Object(verdict);
  const { issues } = given;
  if (Array.isArray(issues) && issues.length > 0) return issues;
  if (issues !== undefined && issues !== null) return [{ message: 'no reason given' }];
  return Object.hasOwn(given, 'value') ? undefined : [{ message: 'the schema gave no verdict' }];
}

function refuseInput(tool: AdmittedTool, text: string): ToolExecutionResult {
  const hint = tool.definition.validationErrorHint;
  return refusal('invalid_input', boundText(hint ? `${boundText(text, 1_500)}\n${hint}` : text), { retryable: true });
}

function explain(tool: AdmittedTool, rawInput: unknown, issues: readonly ToolInputIssue[]): string {
  const given = argumentsOf(rawInput);
  if (isPlainObject(given) && Object.keys(given).length === 0) return explainEmpty(tool);
  const lines = issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `- ${pointer(issue)}: ${boundLine(String(issue?.message ?? 'no reason given'), 300)}`);
  const more = issues.length > lines.length ? `\n- and ${issues.length - lines.length} more` : '';
  return `The input of "${tool.name}" is not valid, so it did not run:\n${lines.join('\n')}${more}`;
}

/** Where an issue is, as a JSON pointer; the whole input is `input`. */
function pointer(issue: ToolInputIssue | undefined): string {
  // ArkType's list of keys is a class of its own, whose `map` makes a key of the length where there is none.
  const path: ToolInputIssue['path'] = Array.isArray(issue?.path) ? Array.from(issue.path) : [];
  const keys = path.map((segment) => String(typeof segment === 'object' && segment !== null ? segment.key : segment));
  return keys.length === 0 ? 'input' : boundLine(keys.map((key) => `/${escapePointer(key)}`).join(''), 200);
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A model that calls with nothing has mostly not seen the schema: it is told the fields. */
function explainEmpty(tool: AdmittedTool): string {
  const properties = isPlainObject(tool.parameters['properties']) ? tool.parameters['properties'] : {};
  const required = Array.isArray(tool.parameters['required']) ? tool.parameters['required'].map(String) : [];
  const fields = required.slice(0, MAX_FIELDS).map((name) => `- ${describeField(name, properties)}`);
  const more = required.length > fields.length ? `\n- and ${required.length - fields.length} more` : '';
  const listed = fields.length > 0 ? ` Required:\n${fields.join('\n')}${more}` : '';
  return `"${tool.name}" was called with no arguments, so it did not run.${listed}`;
}

function describeField(name: string, properties: Record<string, unknown>): string {
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isPlainObject(schema)) return boundLine(name, 100);
  const { description } = schema;
  const words = typeof description === 'string' && description !== '' ? `: ${boundLine(description, 200)}` : '';
  return `${boundLine(name, 100)} (${boundLine(typeOf(schema), 200)})${words}`;
}

function typeOf(schema: Record<string, unknown>): string {
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].map((value) => JSON.stringify(value)).join(', ')}`;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (typeof schema['type'] === 'string') return arrayOf(schema) ?? schema['type'];
  if (Array.isArray(schema['type'])) return schema['type'].join(' or ');
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(branches))
    return branches.map((branch) => (isPlainObject(branch) ? typeOf(branch) : 'any')).join(' or ');
  return 'any';
}

function arrayOf(schema: Record<string, unknown>): string | undefined {
  const { items } = schema;
  return schema['type'] === 'array' && isPlainObject(items) ? `array of ${typeOf(items)}` : undefined;
}
