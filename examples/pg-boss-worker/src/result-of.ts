/** What an outcome is for pg-boss: a value is acknowledged, and an error is tried again until the job's retries end. */

import type { ExecuteOnceOutcome } from '@holdfast/receipts';
import type { Order, WorkerHost } from './settings.js';

/**
 * An `ambiguous`, `rejected` or `exhausted` effect runs in no retry: the job ends as failed, or in its dead letter queue,
 * where a person looks at it.
 */
export function resultOf(host: WorkerHost, order: Order, outcome: ExecuteOnceOutcome<string>): string | undefined {
  const attempt = 'attempt' in outcome && { attempt: outcome.attempt };
  host.stage.tell({ kind: 'decided', job: order.id, decision: outcome.kind, ...attempt });
  switch (outcome.kind) {
    case 'executed':
    case 'replayed':
    case 'unrecorded':
      return outcome.value;
    case 'gone':
      return undefined; // done long ago
    case 'failed':
      throw outcome.error;
    default:
      throw new Error(`The effect is ${outcome.kind}.`);
  }
}
