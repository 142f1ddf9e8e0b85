/** Running a call without a receipt: it has no side effect, or the host keeps none. */

import { errorText, failedAnswer } from './answers.js';
import { CallRefused, type PlacedCall, placeName, type ReadyCall, refuse, remember, report } from './call.js';
import { runInCall } from './frames.js';
import { isGraphControlFlow, type ToolOutcome } from './graph-control.js';
import { keepOutput } from './keep-output.js';
import { errorMessage } from './tool-result.js';

/** Runs the call. What the tool throws becomes its answer; control flow of the graph and a cancelled run pass through. */
export async function runUntracked(call: PlacedCall, ready: ReadyCall): Promise<ToolOutcome> {
  let outcome: ToolOutcome;
  let activated: readonly string[] | undefined;
  try {
    ({ outcome, activated } = await runInCall(placeName(call), undefined, ready.run));
  } catch (error) {
    if (error instanceof CallRefused) return refuse(call, error.answer, error.message);
    if (isGraphControlFlow(error) || call.request.signal?.aborted) throw error;
    report(call, { decision: 'failed', reason: errorText(error) });
    return remember(call, errorMessage(call.call, failedAnswer(call.toolName, error)), { decision: 'failed' });
  }
  report(call, { decision: 'untracked' });
  return keepOutput(call, outcome, { decision: 'untracked', ...(activated && { activated }) }, ready.unresolved);
}
