/** The checks of one call, put together: known, allowed, available, read-only mode, valid. */

import type { ToolExecutionResult } from '../tool-result.js';
import type { CallContext } from './call-context.js';
import { refuseAccess, refuseWriter, refuseWritingInput } from './gate.js';
import type { Preparation } from './prepared-call.js';
import { refusal, refuseChanged, refuseUnknown } from './refusals.js';
import { settle } from './settle.js';
import type { ToolDirectory, ToolState } from './tool-state.js';
import { refuseAsync, type Validated, validateInput } from './validation.js';

/** A call as it came from a model. Without a context everybody is allowed, and nothing of other tools is shown. */
export interface UncheckedCall {
  readonly directory: ToolDirectory;
  readonly toolName: string;
  readonly rawInput: unknown;
  readonly context: CallContext | undefined;
}

/** Checks a call whose schema answers at once; one that needs time is refused. */
export function checkCallNow(call: UncheckedCall): Validated {
  const checked = checkCall(call);
  return checked instanceof Promise ? { ok: false, result: refuseAsync(call.toolName) } : checked;
}

/**
 * Checks a call. A schema that needs time is waited for no longer than the tool itself would be; afterwards state and
 * permissions are checked again. The promise never rejects.
 */
export function checkCall(call: UncheckedCall): Validated | Promise<Validated> {
  const { directory, toolName, rawInput, context } = call;
  const state = directory.states.get(toolName);
  if (!state) return { ok: false, result: refuseUnknown(toolName, directory, context) };
  const refused = refuseAccess(state, directory, context) ?? refuseWriter(state.tool, context);
  if (refused) return { ok: false, result: refused };
  const validated = validateInput(state.tool, rawInput);
  return validated instanceof Promise ? finishLater(call, state, validated) : finish(call, validated);
}

function finish({ context }: UncheckedCall, validated: Validated): Validated {
  if (!validated.ok || !context?.readOnlyMode) return validated;
  const writing = refuseWritingInput(validated.tool, validated.input, context);
  return writing ? { ok: false, result: writing } : validated;
}

async function finishLater(call: UncheckedCall, state: ToolState, validated: Promise<Validated>): Promise<Validated> {
  const { directory, context } = call;
  const { name, definition } = state.tool;
  const { timeoutMs } = definition;
  const outcome = await settle(() => validated, { abortSignal: context?.abortSignal, timeoutMs });
  if (outcome.kind !== 'returned') {
    const what = outcome.kind === 'timeout' ? `took more than ${timeoutMs} ms` : 'was aborted';
    const code = outcome.kind === 'timeout' ? 'timeout' : 'aborted';
    return { ok: false, result: refusal(code, `"${name}" did not run: the check of its input ${what}.`) };
  }
  const finished = finish(call, outcome.value as Validated);
  const refused = finished.ok ? recheckCall(directory, finished, context) : undefined;
  return refused ? { ok: false, result: refused } : finished;
}

/** Checks a call again that was checked before: states, tools and permissions may have changed since. */
export function recheckCall(
  directory: ToolDirectory,
  { tool, input }: Preparation,
  context: CallContext | undefined,
): ToolExecutionResult | undefined {
  const state = directory.states.get(tool.name);
  if (!state) return refuseUnknown(tool.name, directory, context);
  return (
    refuseAccess(state, directory, context) ??
    (state.tool === tool ? undefined : refuseChanged(tool.name)) ??
    refuseWriter(tool, context) ??
    refuseWritingInput(tool, input, context)
  );
}
