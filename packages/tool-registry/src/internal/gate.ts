/** The checks before a tool runs, in their order. Each gives the refusal, or nothing. */

import type { ToolExecutionResult } from '../tool-result.js';
import type { AdmittedTool } from './admission.js';
import type { CallContext } from './call-context.js';
import { frozenCopy } from './copy-value.js';
import { refuseDeferred, refuseForbidden, refuseReadOnly, refuseSuspended } from './refusals.js';
import { ignoreRejection, isThenable } from './thenable.js';
import type { ToolDirectory, ToolState } from './tool-state.js';

/** Allowed, then available. Without a context everybody is allowed. */
export function refuseAccess(
  state: ToolState,
  { states, isLoadedByProvider }: ToolDirectory,
  context: CallContext | undefined,
): ToolExecutionResult | undefined {
  const { name } = state.tool;
  if (context && !context.allows(name)) return refuseForbidden(name);
  if (state.availability === 'deferred' && !isLoadedByProvider) return refuseDeferred(state, states, context);
  return state.availability === 'suspended' ? refuseSuspended(name) : undefined;
}

/** Refuses in plan mode what is known to write, whatever its input is. */
export function refuseWriter(tool: AdmittedTool, context: CallContext | undefined): ToolExecutionResult | undefined {
  if (!context?.readOnlyMode) return undefined;
  const { isReadOnly, provenance } = tool.definition;
  if (isReadOnly === undefined || (provenance !== undefined && provenance.readOnlyHintTrusted !== true)) {
    return refuseReadOnly(tool.name);
  }
  // A function that takes no input has nothing to wait for. One that throws here may have wanted it after all.
  if (isReadOnly.length > 0) return undefined;
  return askReadOnly(tool, undefined) === 'no' ? refuseReadOnly(tool.name) : undefined;
}

/** Refuses in plan mode what may write with this very input. */
export function refuseWritingInput(
  tool: AdmittedTool,
  input: unknown,
  context: CallContext | undefined,
): ToolExecutionResult | undefined {
  if (!context?.readOnlyMode) return undefined;
  return askReadOnly(tool, frozenCopy(input)) === 'yes' ? undefined : refuseReadOnly(tool.name);
}

function askReadOnly(tool: AdmittedTool, input: unknown): 'yes' | 'no' | 'threw' {
  try {
    const answer: unknown = tool.definition.isReadOnly?.(input);
    if (isThenable(answer)) ignoreRejection(answer);
    return answer === true ? 'yes' : 'no';
  } catch {
    return 'threw';
  }
}
