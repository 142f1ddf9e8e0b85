/** One tool call from its limits to its answer. */

import { type AbortSignalLike, cutText } from '@holdfast/kernel';
import { parseToolResult } from '../parse-tool-result.js';
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
}

const MAX_LISTED_TOOLS = 20;

/** What the calls of one run have used up of its limits. */
export class CallBudget {
  readonly #seen = new Map<string, number>();
  #appendedChars = 0;
  /** Whether a call was made more often than allowed. */
  stalled = false;

  constructor(readonly settings: FlushSettings) {}

  /** Counts the call; gives the reason when it is one too many. */
  refuseRepeat(call: PlannedCall): string | undefined {
    const { maxIdenticalCalls } = this.settings;
    if (maxIdenticalCalls === Number.POSITIVE_INFINITY) return undefined;
    const key = callKey(call);
    if (key === undefined) return undefined;
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    if (count <= maxIdenticalCalls) return undefined;
    this.stalled = true;
    return `Not run: this call has been made ${maxIdenticalCalls} times with the same arguments.`;
  }

  /** Reserves room for an append; gives the reason when there is not enough. */
  reserve(size: number): string | undefined {
    const { maxAppendedChars } = this.settings;
    const left = maxAppendedChars - this.#appendedChars;
    if (size > left) return `Not run: ${left} of ${maxAppendedChars} characters are left to append. Write less.`;
    this.#appendedChars += size;
    return undefined;
  }

  release(size: number): void {
    this.#appendedChars -= size;
  }
}

/** Runs the call if it may run. Never rejects: whatever happens becomes an answer. */
export async function answerCall(call: PlannedCall, budget: CallBudget): Promise<CallAnswer> {
  const { settings } = budget;
  const refusal = budget.refuseRepeat(call) ?? call.refusal ?? refuseUnknown(call.name, settings);
  if (refusal !== undefined) return failed(refusal);
  const size = appendSize(call, settings);
  const noRoom = budget.reserve(size);
  if (noRoom !== undefined) return failed(noRoom);
  const answer = await runTool(call, settings);
  if (answer.refused) budget.release(size);
  return answer;
}

/** The answer to a call that did not run or did not end well. */
export function failed(reason: string): CallAnswer {
  const error = boundError(reason);
  return { text: failureText(error), error };
}

async function runTool(
  call: PlannedCall,
  settings: FlushSettings,
): Promise<CallAnswer & { readonly refused?: boolean }> {
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

function readResult(value: unknown, limit: number): CallAnswer & { readonly refused?: boolean } {
  const { text, failed: saysFailed, artifact } = toolResultText(value);
  const parsed = parseToolResult(text);
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
  const names = [...toolsByName.keys()].slice(0, MAX_LISTED_TOOLS).join(', ');
  return `There is no tool ${JSON.stringify(cutText(name, 64))}. The tools are: ${names || 'none'}.`;
}

function appendSize(call: PlannedCall, { appends, maxAppendedChars }: FlushSettings): number {
  if (maxAppendedChars === Number.POSITIVE_INFINITY || !appends.has(call.name)) return 0;
  try {
    return JSON.stringify(call.args).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Equal for equal names and arguments, whatever the order of keys; absent where arguments cannot be written. */
function callKey({ name, source }: PlannedCall): string | undefined {
  try {
    return JSON.stringify([name, source.args], (_key, value: unknown) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
    });
  } catch {
    return undefined;
  }
}
