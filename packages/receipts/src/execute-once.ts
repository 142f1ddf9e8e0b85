/** Running a side effect at most once, however often it is asked for. */

import type { Effect, ExecuteOnceOptions } from './execute-once-options.js';
import type { ExecuteOnceOutcome } from './execute-once-outcome.js';
import type { ToolCallReceiptKey } from './receipt-key.js';
import type { ReceiptStore } from './receipt-store.js';

/** Runs `effect` once per key. */
export async function executeOnce<T>(
  _store: ReceiptStore,
  _key: ToolCallReceiptKey,
  _effect: Effect<T>,
  _options: ExecuteOnceOptions<T> = {},
): Promise<ExecuteOnceOutcome<T>> {
  throw new Error('in progress');
}
