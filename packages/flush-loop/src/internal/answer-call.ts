/** One tool call from its limits to its answer. */

import { type AbortSignalLike, cutText, toWellFormed } from '@holdfast/kernel';
import { parseToolResult } from '../parse-tool-result.js';
import type { CallBudget } from './call-budget.js';
import { callWithin } from './call-within.js';
import { cloneArguments } from './clone-arguments.js';
import { boundError, describeThrown, failureText } from './failure-text.js';
import type { FlushSettings } from './flush-settings.js';
import type { PlannedCall } from './planned-call.js';
import { toolResultText } from './tool-result-text.js';

/** What the model reads about a call; with `error` when the call failed or did not run. */
export interface CallAnswer {
  readonly text: string;
  readonly error?: string;
  readonly artifact?: unknown;
  readonly clipped?: boolean;
  /** Whether the tool itself says that nothing was done. */
  readonly refused?: boolean;
}

const MAX_LISTED_TOOLS = 20;

/** Runs the call if it may run. Never rejects: whatever happens becomes an answer. */
export async function answerCall(call: PlannedCall, budget: CallBudget): Promise<CallAnswer> {
  const { settings } = budget;
  const refusal = budget.refuseRepeat(call) ?? call.refusal ?? refuseUnknown(call.name, settings);
  if (refusal !== undefined) return failed(refusal);
  const noRoom = budget.reserve(call);
  if (noRoom !== undefined) return failed(noRoom);
  const answer = await runTool(call, settings);
  if (answer.refused) budget.release(call);
  return answer;
}

/** The answer to a call that did not run or did not end well. */
export function failed(reason: string): CallAnswer {
  const error = boundError(reason);
  return { text: failureText(error), error };
}

async function runTool(call: PlannedCall, settings: FlushSettings): Promise<CallAnswer> {
  const tool = settings.toolsByName.get(call.name);
  const start = (signal?: AbortSignalLike) => tool?.invoke(cloneArguments(call.args), signal && ({ signal } as object));
  const outcome = await callWithin(start, { signal: settings.signal, timeoutMs: settings.toolTimeoutMs });
  switch (outcome.kind) {
    case 'returned':
      return readResult(outcome.value, settings.maxToolResultChars);
    case 'threw':
      return failed(describeThrown(outcome.thrown));
    case 'timeout':
      return failed(
        `The tool did not finish within ${settings.toolTimeoutMs} ms. It may still have had its effect: check before you call it again.`,
      );
    case 'aborted':
      return failed('The run was stopped while the tool ran. It may still have had its effect.');
  }
}

function readResult(value: unknown, limit: number): CallAnswer {
  const { text: raw, failed: saysFailed, artifact } = toolResultText(value);
  const parsed = parseToolResult(raw);
  const text = toWellFormed(raw);
  const shown = text.length <= limit ? { text } : { text: clip(text, limit), clipped: true };
  const answer = artifact === undefined ? shown : { ...shown, artifact };
  if (parsed.ok && !saysFailed) return answer;
  return {
    ...answer,
    error: boundError(parsed.error || text || 'The tool failed and gave no reason.'),
    refused: !parsed.ok,
  };
}

function clip(text: string, limit: number): string {
  const kept = cutText(text, limit);
  return `${kept}\n[${text.length - kept.length} more characters left out]`;
}

function refuseUnknown(name: string, { toolsByName }: FlushSettings): string | undefined {
  if (toolsByName.has(name)) return undefined;
  const names = [...toolsByName.keys()].slice(0, MAX_LISTED_TOOLS).join(', ') || 'none';
  const more = toolsByName.size - MAX_LISTED_TOOLS;
  return `There is no tool ${JSON.stringify(cutText(name, 64))}. The tools are: ${names}${more > 0 ? ` and ${more} more` : ''}.`;
}
