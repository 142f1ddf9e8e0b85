/** Running a call under a receipt, and what each outcome means to the model. */

import { CanonicalJsonError, type ExecuteOnceOutcome } from '@holdfast/receipts';
import type { ToolMessage } from '@langchain/core/messages';
import type { CallDecisionKind } from '../decision.js';
import type { ReceiptOptions } from '../options.js';
import * as answers from './answers.js';
import { CallRefused, type PlacedCall, placeName, type ReadyCall, refuse, remember, report } from './call.js';
import { runInCall } from './frames.js';
import { resumesOf, type ToolOutcome } from './graph-control.js';
import { keepOutput } from './keep-output.js';
import type { CallRecord } from './metadata.js';
import { runTracked, type TrackedCall, type TrackedOutcome } from './once.js';
import { type CallIdentity, identifyCall } from './receipt-key.js';
import { requireRun } from './run-id.js';
import { errorMessage, type RecordedResult, replayMessage } from './tool-result.js';

/** Claims the call and runs it, or answers with what its receipt says. */
export async function runWithReceipt(
  call: PlacedCall,
  ready: ReadyCall,
  options: ReceiptOptions,
  policy: TrackedCall['policy'],
): Promise<ToolOutcome> {
  const { runId } = call.run ?? requireRun(call.request, call.options);
  let identity: CallIdentity;
  try {
    identity = await identifyCall(call, runId, ready.args, options);
  } catch (error) {
    if (!CanonicalJsonError.isInstance(error)) throw error;
    return refuse(call, answers.unhashableAnswer(call.toolName, answers.errorText(error)), answers.errorText(error));
  }
  const tracked = await runTracked({
    store: options.store,
    key: identity.key,
    policy,
    digest: options.digest,
    args: ready.args,
    signal: call.request.signal,
    resumes: resumesOf(call.request.configurable),
    run: (effect) => runInCall(placeName(call), effect, ready.run),
    onWaiting: (attempt, reason) => tell(call, identity, { decision: 'waiting', attempt, reason }),
  });
  return answerTracked(call, ready, identity, tracked, policy.effect);
}

function answerTracked(
  call: PlacedCall,
  ready: ReadyCall,
  identity: CallIdentity,
  tracked: TrackedOutcome,
  effect: TrackedCall['policy']['effect'],
): ToolOutcome {
  const { live } = tracked;
  const replayed = tracked.outcome.kind === 'replayed' ? replayMessage(call.call, tracked.outcome.value) : undefined;
  const outcome = withoutRecord(tracked.outcome, replayed);
  // A cancelled run ends with what its tool threw; the receipt says what that means.
  if (outcome.kind === 'failed' && call.request.signal?.aborted) throw outcome.error;
  if (outcome.kind === 'failed' && outcome.error instanceof CallRefused) {
    return refuse(call, outcome.error.answer, outcome.error.message);
  }
  const reason = reasonOf(outcome);
  const attempt = outcome.kind === 'exhausted' ? outcome.attempts : 'attempt' in outcome ? outcome.attempt : undefined;
  const decision = outcome.kind as CallDecisionKind;
  tell(call, identity, {
    decision,
    ...(attempt !== undefined && { attempt }),
    ...(reason !== undefined && { reason }),
  });

  const { argsHash, occurrence } = identity;
  const record: CallRecord = {
    decision,
    ...(attempt !== undefined && { attempt }),
    ...(SETTLED.has(outcome.kind) && { settled: { toolName: call.toolName, argsHash, occurrence } }),
    ...(live?.activated !== undefined && { activated: live.activated }),
  };
  const result = NO_RESULT.has(outcome.kind) ? undefined : (live?.outcome ?? replayed);
  return result === undefined
    ? remember(call, errorMessage(call.call, answerOf(call.toolName, outcome, effect)), record)
    : keepOutput(call, result, record, ready.unresolved);
}

/** A replay without a message is a result that was not kept: a command, or a record of a form not known here. */
function withoutRecord(outcome: Outcome, replayed: ToolMessage | undefined): Outcome {
  if (outcome.kind !== 'replayed' || replayed !== undefined) return outcome;
  return { kind: 'gone', attempt: outcome.attempt, reason: 'omitted' };
}

/** After these the next identical call is another one. */
const SETTLED: ReadonlySet<string> = new Set(['executed', 'replayed', 'gone']);

/** After these a result that the tool returned does not count. */
const NO_RESULT: ReadonlySet<string> = new Set(['failed', 'lost']);

type Outcome = ExecuteOnceOutcome<RecordedResult | undefined>;

function answerOf(toolName: string, outcome: Outcome, effect: TrackedCall['policy']['effect']): string {
  switch (outcome.kind) {
    case 'failed':
      return failureAnswer(toolName, outcome, effect);
    case 'busy':
      return answers.busyAnswer(toolName);
    case 'ambiguous':
      return answers.ambiguousAnswer(toolName);
    case 'rejected':
      return answers.rejectedAnswer(toolName, outcome.error);
    case 'exhausted':
      return answers.exhaustedAnswer(toolName, outcome.attempts, outcome.error);
    case 'lost':
      return answers.lostAnswer(toolName);
    default:
      return answers.goneAnswer(toolName);
  }
}

function failureAnswer(
  toolName: string,
  outcome: Extract<Outcome, { kind: 'failed' }>,
  effect: TrackedCall['policy']['effect'],
): string {
  if (outcome.failure === 'clean') {
    return effect === 'resumable'
      ? answers.resumableFailureAnswer(toolName, outcome.error)
      : answers.cleanFailureAnswer(toolName, outcome.error);
  }
  if (outcome.failure === 'terminal') return answers.rejectedAnswer(toolName, answers.errorText(outcome.error));
  return answers.unknownFailureAnswer(toolName, outcome.error);
}

function reasonOf(outcome: Outcome): string | undefined {
  if ('reason' in outcome && typeof outcome.reason === 'string') return outcome.reason;
  if (outcome.kind === 'unrecorded') return answers.errorText(outcome.cause);
  return 'error' in outcome && outcome.error !== undefined ? answers.errorText(outcome.error) : undefined;
}

function tell(
  call: PlacedCall,
  { key, occurrence }: CallIdentity,
  decision: { readonly decision: CallDecisionKind; readonly attempt?: number; readonly reason?: string },
): void {
  report(call, { ...decision, key, occurrence });
}
