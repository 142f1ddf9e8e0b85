/** A receipt as a store keeps it, and what its state is called at a moment of reading. */

import type { EffectResumability } from './receipt-decision.js';
import type { ToolCallReceiptKey } from './receipt-key.js';
import type { ReceiptDetail, ReceiptEvidence, ReceiptStatus, ReceiptSummary } from './receipt-store.js';

/** The columns of a receipt that decide anything. A store adds the key, the journal and its own timestamps. */
export interface ReceiptRow {
  /**
   * The stored status. `ambiguous` is stored only for a reported unknown; an opaque attempt past its lease stays
   * `running`, so that a worker that wakes up can still record its result.
   */
  readonly status: 'running' | 'completed' | 'failed' | 'ambiguous' | 'rejected';
  /** The number of the latest grant. Never falls while the row exists. */
  readonly attempts: number;
  /** What the latest grant was for. */
  readonly effect: EffectResumability;
  /** The token of the latest grant. */
  readonly token: string;
  /** When the latest grant runs out, in milliseconds of the store's clock; `-Infinity` when it certainly has. */
  readonly leaseUntil: number;
  /** The result of a completed receipt; `null` once retention has dropped it. */
  readonly result: string | null;
  /** What the latest failure reported. */
  readonly error: string | null;
  /** The late outcome of a fenced attempt. */
  readonly evidence: ReceiptEvidence | null;
  /** Whether `resolve` settled the receipt, and not the attempt itself. */
  readonly resolved: boolean;
}

/** Names the state of a receipt at `now`, in milliseconds of the store's clock. */
export function receiptStatus(row: ReceiptRow, now: number): ReceiptStatus {
  if (row.status === 'completed') return row.result === null ? 'gone' : 'completed';
  if (row.status !== 'running') return row.status;
  if (now < row.leaseUntil) return 'running';
  return row.effect === 'opaque' ? 'ambiguous' : 'expired';
}

/** Renders a receipt for `list`. Ages come from the store, since they may be measured on another clock than leases. */
export function summarizeReceipt(
  key: ToolCallReceiptKey,
  row: ReceiptRow,
  now: number,
  ages: Pick<ReceiptSummary, 'ageMs' | 'sinceChangeMs'>,
): ReceiptSummary {
  return {
    key,
    status: receiptStatus(row, now),
    attempt: row.attempts,
    effect: row.effect,
    ...ages,
    ...(row.status === 'running' && { remainingMs: Math.max(0, row.leaseUntil - now) }),
    ...(row.error !== null && { error: row.error }),
    ...(row.evidence !== null && { evidence: row.evidence }),
  };
}

/** Renders a receipt for `read`, with its result and its journal. */
export function detailReceipt(
  key: ToolCallReceiptKey,
  row: ReceiptRow,
  now: number,
  ages: Pick<ReceiptSummary, 'ageMs' | 'sinceChangeMs'>,
  steps: ReadonlyMap<string, string>,
): ReceiptDetail {
  const result = row.status === 'completed' && row.result !== null && { result: row.result };
  return { ...summarizeReceipt(key, row, now, ages), ...result, steps };
}
