/** Guardrails at work: each sees the result as the one before left it. */

import type { ToolResultGuardrail, ToolResultReplacement, ToolResultView } from '../guardrail.js';
import type { ToolExecutionResult } from '../tool-result.js';
import { boundLine, boundText, describeThrown } from './bounded-text.js';
import { copyValue } from './copy-value.js';
import { failure } from './refusals.js';

export interface GuardedCall {
  readonly toolName: string;
  readonly toolUseId: string | undefined;
  warn(message: string, error?: unknown): void;
}

/** Passes a result through all guardrails; the first one that does not clearly pass or replace withholds it. */
export async function guardResult(
  result: ToolExecutionResult,
  guardrails: readonly ToolResultGuardrail[],
  call: GuardedCall,
): Promise<ToolExecutionResult> {
  if (guardrails.length === 0) return result;
  let current: ToolExecutionResult;
  try {
    current = ownResult(result);
  } catch (error) {
    call.warn('A result cannot be copied for the guardrails, so it was withheld', error);
    return withheld(call.toolName, '');
  }
  for (const guardrail of guardrails) {
    const judged = await judge(current, guardrail, call);
    if (!judged.passed) return judged.result;
    current = judged.result;
  }
  return current;
}

/** Content and data as copies: the tool may still hold the originals and change them behind a guardrail's back. */
function ownResult(result: ToolExecutionResult): ToolExecutionResult {
  const { content, data } = result;
  return {
    ...result,
    ...(content !== undefined && { content: copyValue(content) as readonly unknown[] }),
    ...(data !== undefined && { data: copyValue(data) }),
  };
}

interface Judged {
  readonly passed: boolean;
  readonly result: ToolExecutionResult;
}

async function judge(result: ToolExecutionResult, guardrail: ToolResultGuardrail, call: GuardedCall): Promise<Judged> {
  try {
    const verdict = await guardrail.inspect(viewOf(result, call));
    if (verdict?.kind === 'pass') return { passed: true, result };
    if (verdict?.kind === 'replace') {
      const replaced = replaceResult(result, verdict.result);
      if (replaced) return { passed: true, result: replaced };
    }
    const reason = verdict?.kind === 'refuse' && typeof verdict.reason === 'string' ? verdict.reason : '';
    call.warn(`Guardrail ${nameOf(guardrail)} withheld a result`, reason || verdict);
    return { passed: false, result: withheld(call.toolName, reason) };
  } catch (error) {
    call.warn(`Guardrail ${nameOf(guardrail)} failed, so the result was withheld: ${describeThrown(error)}`, error);
    return { passed: false, result: withheld(call.toolName, '') };
  }
}

function viewOf(result: ToolExecutionResult, call: GuardedCall): ToolResultView {
  const { success, output, content, data, error } = result;
  return Object.freeze({ toolName: call.toolName, toolUseId: call.toolUseId, success, output, content, data, error });
}

/** Only what the guardrail wrote reaches the model; a field it left out is gone, extra fields of the tool as well. */
function replaceResult(result: ToolExecutionResult, by: ToolResultReplacement): ToolExecutionResult | undefined {
  if (typeof by?.output !== 'string') return undefined;
  const { success, permissionDenied, retryable, code } = result;
  return {
    success,
    output: by.output,
    ...(typeof by.error === 'string' && { error: boundText(by.error) }),
    ...(by.data !== undefined && { data: by.data }),
    ...(Array.isArray(by.content) && { content: by.content }),
    ...(permissionDenied !== undefined && { permissionDenied }),
    ...(retryable !== undefined && { retryable }),
    ...(code !== undefined && { code }),
  };
}

function withheld(toolName: string, reason: string): ToolExecutionResult {
  const why = reason === '' ? '' : `: ${boundLine(reason, 500)}`;
  return failure('withheld', `"${toolName}" ran, and its result was withheld${why}`, { retryable: false });
}

function nameOf(guardrail: ToolResultGuardrail): string {
  return JSON.stringify(guardrail?.name ?? 'without a name');
}
