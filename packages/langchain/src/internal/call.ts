/** One call on its way: what it is, where it stands in its run, and how its end is told. */

import { EffectDidNotHappenError } from '@holdfast/receipts';
import { buildReferenceKey } from '@holdfast/tool-refs';
import type { BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { CallDecision } from '../decision.js';
import type { HoldfastOptions, RunRequest } from '../options.js';
import type { ToolOutcome } from './graph-control.js';
import { type CallPosition, locateCall, turnOf } from './history.js';
import type { RunLedger } from './ledger.js';
import type { CallRecord } from './metadata.js';
import { findRun, type RunNames, requireRun } from './run-id.js';
import { describeMessage, errorMessage } from './tool-result.js';

/** A call as the agent or the graph hands it over. */
export interface IncomingCall {
  readonly call: ToolCall;
  /** The agent's own tool of that name, when it has one. */
  readonly tool: unknown;
  readonly request: RunRequest;
  readonly ledger: RunLedger | undefined;
  /** Runs the agent's tool, or whatever an inner middleware makes of the call, with these arguments. */
  readonly execute: (args: Record<string, unknown>) => Promise<ToolOutcome>;
}

/** A call with its place in the run. */
export interface PlacedCall extends IncomingCall {
  readonly options: HoldfastOptions;
  readonly toolName: string;
  readonly run: RunNames | undefined;
  readonly position: CallPosition | undefined;
  /** The turn of its reply; `undefined` without a place. */
  readonly turn: number | undefined;
  /** The key under which the output will be found; `undefined` without references, or without a place. */
  readonly referenceKey: string | undefined;
}

/** A call that may run. */
export interface ReadyCall {
  /** The arguments, references resolved. */
  readonly args: Record<string, unknown>;
  readonly unresolved: readonly string[];
  readonly run: () => Promise<RunResult>;
}

/** What running a call gives. */
export interface RunResult {
  readonly outcome: ToolOutcome;
  /** Tools that the call made available. */
  readonly activated?: readonly string[];
}

/** Thrown where a call turns out only while it runs to be one that cannot run. Nothing has happened. */
export class CallRefused extends EffectDidNotHappenError {
  /** What the model is told. */
  readonly answer: string;

  constructor(answer: string, reason: string) {
    super(reason);
    this.answer = answer;
  }
}

/**
 * Finds the call's place.
 *
 * @throws {RunIdMissingError} `ERR_HOLDFAST_RUN_ID_MISSING` when references or receipts are on and the run has no name.
 */
export function placeCall(incoming: IncomingCall, options: HoldfastOptions): PlacedCall {
  const { call, request, ledger } = incoming;
  const needsRun = options.references !== undefined || options.receipts !== undefined;
  const run = needsRun ? requireRun(request, options) : findRun(request, options);
  const position = locateCall(request.messages, call);
  const turn = position && turnOf(position.before, ledger);
  const referenceKey =
    options.references !== undefined && position !== undefined && turn !== undefined
      ? buildReferenceKey(position.index, turn)
      : undefined;
  return { ...incoming, options, toolName: call.name, run, position, turn, referenceKey };
}

/** Names the call's place in its run. */
export function placeName(call: PlacedCall): string {
  return call.referenceKey ?? (call.call.id || call.toolName);
}

/** The messages that the call may build on: those before its reply, or all when it has no place. */
export function earlierMessages(call: PlacedCall): readonly BaseMessage[] {
  return call.position?.before ?? call.request.messages;
}

/** Tells the host what became of the call. */
export function report(call: PlacedCall, decision: Omit<CallDecision, 'toolName' | 'callId' | 'runId'>): void {
  call.options.onDecision?.({
    toolName: call.toolName,
    callId: call.call.id ?? '',
    ...(call.run !== undefined && { runId: call.run.runId }),
    ...decision,
  });
}

/** Answers a call that does not run. */
export function refuse(call: PlacedCall, content: string, reason: string): ToolMessage {
  report(call, { decision: 'refused', reason });
  return remember(call, errorMessage(call.call, content), { decision: 'refused' });
}

/** The message with what must be remembered of the call. */
export function remember(
  call: PlacedCall,
  message: ToolMessage,
  record: CallRecord,
  changes?: { readonly content?: string | undefined; readonly annotation?: Record<string, unknown> },
): ToolMessage {
  return describeMessage(message, {
    record: { ...(call.run !== undefined && { run: call.run.runId }), ...record },
    ...(changes?.content !== undefined && { content: changes.content }),
    ...(changes?.annotation !== undefined && { annotation: changes.annotation }),
  });
}
