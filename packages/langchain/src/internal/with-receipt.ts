/** Running a call under a receipt, and what each outcome means to the model. */

import { CanonicalJsonError, type ExecuteOnceOutcome } from '@holdfast/receipts';
import type { ToolMessage } from '@langchain/core/messages';
import type { CallDecisionKind } from '../decision.js';
import type { ReceiptOptions } from '../options.js';
import * as answers from './answers.js';
import { type PlacedCall, type ReadyCall, refuse, remember, report } from './call.js';
import { isCommand, type ToolOutcome } from './graph-control.js';
import { keepOutput } from './keep-output.js';
import type { CallRecord } from './metadata.js';
import { runTracked, type TrackedCall, type TrackedOutcome } from './once.js';
import { type CallIdentity, identifyCall } from './receipt-key.js';
import { requireRunId } from './run-id.js';
import { errorMessage, type RecordedResult, replayMessage } from './tool-result.js';

/** Claims the call and runs it, or answers with what its receipt says. */
export async function runWithReceipt(
  call: PlacedCall,
  ready: ReadyCall,
  options: ReceiptOptions,
  policy: TrackedCall['policy'],
): Promise<ToolOutcome> {
  const runId = requireRunId(call.request, call.options);
  let identity: CallIdentity;
  try {
    identity = await identifyCall({ ...call, runId }, ready.args, options);
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
    run: ready.run,
    onWaiting: (attempt, reason) => tell(call, identity, { decision: 'waiting', attempt, reason }),
  });
  return answerTracked(call, ready, identity, tracked);
}

function answerTracked(
  call: PlacedCall,
  ready: ReadyCall,
  identity: CallIdentity,
  { outcome, live }: TrackedOutcome,
): ToolOutcome {
  // A cancelled run ends with what its tool threw; the receipt says what that means.
  if (outcome.kind === 'failed' && call.request.signal?.aborted) throw outcome.error;
  const reason = reasonOf(outcome);
  const attempt = outcome.kind === 'exhausted' ? outcome.attempts : 'attempt' in outcome ? outcome.attempt : undefined;
  const decision = outcome.kind as CallDecisionKind;
  tell(call, identity, {
    decision,
    ...(attempt !== undefined && { attempt }),
    ...(reason !== undefined && { reason }),
  });

  const { toolName } = call;
  const settled = SETTLED.has(outcome.kind)
    ? { settled: { toolName, argsHash: identity.argsHash, occurrence: identity.occurrence } }
    : {};
  const activated = live?.activated === undefined ? {} : { activated: live.activated };
  const record: CallRecord = { decision, ...(attempt !== undefined && { attempt }), ...settled, ...activated };
  const result = live?.outcome ?? replayed(call, outcome);
  if (result === undefined || NO_RESULT.has(outcome.kind)) {
    return remember(call, errorMessage(call.call, answerOf(toolName, outcome)), record);
  }
  return isCommand(result) ? result : keepOutput(call, result, record, ready.unresolved);
}

/** After these the next identical call is another one. */
const SETTLED: ReadonlySet<string> = new Set(['executed', 'replayed', 'gone']);

/** After these a result that the tool returned does not count. */
const NO_RESULT: ReadonlySet<string> = new Set(['failed', 'lost']);

function replayed(call: PlacedCall, outcome: Outcome): ToolMessage | undefined {
  return outcome.kind === 'replayed' ? replayMessage(call.call, outcome.value) : undefined;
}

type Outcome = ExecuteOnceOutcome<RecordedResult | undefined>;

function answerOf(toolName: string, outcome: Outcome): string {
  switch (outcome.kind) {
    case 'failed':
      return failureAnswer(toolName, outcome);
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
      // Also a replayed record of a form that this version does not know.
      return answers.goneAnswer(toolName);
  }
}

function failureAnswer(toolName: string, outcome: Extract<Outcome, { kind: 'failed' }>): string {
  if (outcome.failure === 'clean') return answers.cleanFailureAnswer(toolName, outcome.error);
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
