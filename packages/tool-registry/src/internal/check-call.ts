/** The checks of one call, put together: known, allowed, available, read-only mode, valid. */

import type { ToolExecutionResult } from '../tool-result.js';
import type { CallContext } from './call-context.js';
import { refuseAccess, refuseWriter, refuseWritingInput } from './gate.js';
import type { Preparation } from './preparations.js';
import { refuseChanged, refuseUnknown } from './refusals.js';
import type { ToolStates } from './tool-state.js';
import { type Validated, validateInput } from './validation.js';

/** Checks a call that comes from a model. Without a context everybody is allowed, and nothing of other tools is shown. */
export function checkCall(
  states: ToolStates,
  toolName: string,
  rawInput: unknown,
  context: CallContext | undefined,
): Validated {
  const state = states.get(toolName);
  if (!state) return { ok: false, result: refuseUnknown(toolName, states, context) };
  const refused = refuseAccess(state, states, context) ?? refuseWriter(state.tool, context);
  if (refused) return { ok: false, result: refused };
  const validated = validateInput(state.tool, rawInput);
  const writing = validated.ok ? refuseWritingInput(state.tool, validated.input, context) : undefined;
  return writing ? { ok: false, result: writing } : validated;
}

/** Checks a call again that was prepared before: states, tools and permissions may have changed since. */
export function recheckCall(
  states: ToolStates,
  { tool, input }: Preparation,
  context: CallContext,
): ToolExecutionResult | undefined {
  const state = states.get(tool.name);
  if (!state) return refuseUnknown(tool.name, states, context);
  return (
    refuseAccess(state, states, context) ??
    (state.tool === tool ? undefined : refuseChanged(tool.name)) ??
    refuseWriter(tool, context) ??
    refuseWritingInput(tool, input, context)
  );
}
