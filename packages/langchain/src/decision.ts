/** What became of a call, for tables, logs and metrics. */

import type { ToolCallReceiptKey } from '@holdfast/receipts';

/**
 * What became of a call.
 *
 * - `executed`: it ran, and its result is recorded. `untracked`: it ran without a receipt.
 * - `replayed`: it had run before, and this is the recorded result. `gone`: it had run, and the result is not kept.
 * - `waiting`: another attempt is live; a second decision follows. `busy`: it was still live at the end of the wait.
 * - `ambiguous`: nobody knows whether an earlier attempt took effect. It did not run.
 * - `rejected`: an earlier attempt failed for good. `exhausted`: its attempts are used up. It did not run.
 * - `failed`: the tool threw.
 * - `refused`: its arguments, its tool or a missing reference stood against it. It did not run.
 * - `lost`: it ran, but another attempt had taken the call over. `unrecorded`: it ran, and the store could not be told.
 */
export type CallDecisionKind =
  | 'executed'
  | 'untracked'
  | 'replayed'
  | 'gone'
  | 'waiting'
  | 'busy'
  | 'ambiguous'
  | 'rejected'
  | 'exhausted'
  | 'failed'
  | 'refused'
  | 'lost'
  | 'unrecorded';

/** One decision about one call. */
export interface CallDecision {
  readonly toolName: string;
  /** The call's id in its reply; empty when it has none. */
  readonly callId: string;
  readonly decision: CallDecisionKind;
  /** The run, where one is known. */
  readonly runId?: string;
  /** The receipt's attempt, where there is a receipt. */
  readonly attempt?: number;
  /** The receipt's key, where there is a receipt. */
  readonly key?: ToolCallReceiptKey;
  /** Which of the run's identical calls this is, from 0, where there is a receipt. */
  readonly occurrence?: number;
  /** Why, in words, where there is more to say. */
  readonly reason?: string;
}
