/** Refusals and failures: results that a model can act on. */

import { toWellFormed } from '@holdfast/kernel';
import type { ToolExecutionResult, ToolRefusalCode } from '../tool-result.js';
import { boundText, quoteName } from './bounded-text.js';
import type { CallContext } from './call-context.js';
import { nearNames } from './near-names.js';
import { canSearch, SEARCH_TOOL_NAME, type ToolDirectory, type ToolState, type ToolStates } from './tool-state.js';

/** The longest schema that a refusal carries. */
const MAX_SCHEMA_LENGTH = 8_000;

type Details = Pick<ToolExecutionResult, 'permissionDenied' | 'retryable' | 'data'>;

/** A refusal: the tool has not been started. */
export function refusal(code: ToolRefusalCode, text: string, details: Details = {}): ToolExecutionResult {
  return { ...failure(code, text, details), started: false };
}

/** A tool that has run cannot claim that it has not: only results that were made here are believed. */
const refusedInside = new WeakSet<object>();

/** The refusal of a handler that stands for a tool elsewhere and has not asked it: for what is known only then. */
export function refuseInside(text: string): ToolExecutionResult {
  const result = refusal('suspended', text, { retryable: false });
  refusedInside.add(result);
  return result;
}

export function isRefusedInside(result: object): boolean {
  return refusedInside.has(result);
}

/** A failed result of a tool that was started, with the same text for the model and for the host. */
export function failure(code: ToolRefusalCode, text: string, details: Details = {}): ToolExecutionResult {
  const output = toWellFormed(text);
  return { success: false, output, error: boundText(output), code, ...details };
}

/** Names that are near, out of those that the caller may see. Without a context the registry cannot know those. */
export function refuseUnknown(name: unknown, directory: ToolDirectory, context?: CallContext): ToolExecutionResult {
  const { states, index } = directory;
  const visible = [...states.values()]
    .filter(({ availability, tool }) => availability !== 'suspended' && context?.allows(tool.name))
    .map(({ tool }) => tool.name);
  const near = nearNames(typeof name === 'string' ? name : '', visible, index);
  const advice = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  const search = canSearch(states, context) ? ` ${SEARCH_TOOL_NAME} finds tools by what they do.` : '';
  return refusal('unknown_tool', `There is no tool named ${quoteName(name)}.${advice}${search}`, {
    retryable: false,
    ...(near.length > 0 && { data: { nearNames: near } }),
  });
}

export function refuseForbidden(name: string): ToolExecutionResult {
  return refusal('not_allowed', `The tool "${name}" is not allowed here.`, {
    permissionDenied: true,
    retryable: false,
  });
}

export function refuseSuspended(name: string): ToolExecutionResult {
  return refusal('suspended', `The tool "${name}" is suspended and did not run.`, { retryable: false });
}

export function refuseReadOnly(name: string): ToolExecutionResult {
  return refusal(
    'read_only_mode',
    `"${name}" did not run: in plan mode only tools run that are known to change nothing.`,
    { permissionDenied: true, retryable: false },
  );
}

export function refuseChanged(name: string): ToolExecutionResult {
  return refusal('changed', `The tool "${name}" was replaced after this call was checked, so it did not run.`, {
    retryable: true,
  });
}

/** How to load the tool and, for a caller who is known to be allowed it, what it takes. */
export function refuseDeferred(state: ToolState, states: ToolStates, context?: CallContext): ToolExecutionResult {
  const { name } = state.tool;
  const load = canSearch(states, context)
    ? `Call ${SEARCH_TOOL_NAME} with the query "${name}" to load it, then call it again.`
    : 'It has to be loaded before it can be called.';
  const text = `The tool "${name}" is not loaded, so it did not run. ${load}${context ? schemaText(state) : ''}`;
  return refusal('deferred', text, { retryable: true });
}

function schemaText(state: ToolState): string {
  const schema = JSON.stringify(state.tool.parameters);
  return schema.length <= MAX_SCHEMA_LENGTH ? ` Its input schema is: ${schema}` : '';
}
