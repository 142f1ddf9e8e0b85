/** A context as the registry reads it: each field once, and checked. */

import type { AbortSignalLike } from '@holdfast/kernel';
import { ToolRegistryOptionError } from '../errors.js';
import type { ToolResultGuardrail } from '../guardrail.js';
import type { ToolContext } from '../tool-definition.js';
import { assertGuardrails } from './option-checks.js';
import { isStringList } from './string-list.js';

export interface CallContext {
  /** What the tool is handed: the host's own object. */
  readonly host: ToolContext;
  readonly readOnlyMode: boolean;
  readonly abortSignal: AbortSignalLike | undefined;
  readonly toolUseId: string | undefined;
  readonly resultGuardrails: readonly ToolResultGuardrail[];
  allows(toolName: string): boolean;
}

/** Throws when a field has the wrong shape: a list that is no list would otherwise forbid, or allow, the wrong tools. */
export function readContext(context: ToolContext): CallContext {
  if (typeof context !== 'object' || context === null) {
    throw new ToolRegistryOptionError('context', 'an object', context);
  }
  const { allowedTools, permissionContext, abortSignal, toolUseId, resultGuardrails } = context;
  if (allowedTools !== undefined && !isStringList(allowedTools)) {
    throw new ToolRegistryOptionError('context.allowedTools', 'a list of tool names', allowedTools);
  }
  if (abortSignal && typeof abortSignal.addEventListener !== 'function') {
    throw new ToolRegistryOptionError('context.abortSignal', 'an AbortSignal', abortSignal);
  }
  if (resultGuardrails !== undefined) assertGuardrails('context.resultGuardrails', resultGuardrails);
  return {
    host: context,
    readOnlyMode: permissionContext?.mode === 'plan',
    abortSignal,
    toolUseId,
    resultGuardrails: resultGuardrails ?? [],
    allows: allowedTools === undefined ? allowsAll : allowanceOf(allowedTools),
  };
}

const allowsAll = () => true;

/** Most calls ask once or twice, which a scan answers sooner than a set is built; a search asks for every tool. */
function allowanceOf(names: readonly string[]): (toolName: string) => boolean {
  let asked = 0;
  let set: ReadonlySet<string> | undefined;
  return (toolName) => {
    asked += 1;
    if (asked > 2) set ??= new Set(names);
    return set ? set.has(toolName) : names.includes(toolName);
  };
}
