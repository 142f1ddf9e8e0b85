/** Receipts as the database gives them, and back. */

import type { ReceiptEvidence, ToolCallReceiptKey } from '@holdfast/receipts';
import { decodeStoredText, encodeStoredText, type ReceiptRow } from '@holdfast/receipts/store';
import { milliseconds } from './sql-parts.js';

/** The four key columns, in the order of the primary key. */
export type KeyColumns = readonly [string, string, string, string];

export interface KeyRecord {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly tool_name: string;
  readonly args_hash: string;
}

/** What a transition looks at, as {@link rowJson} builds it. */
export interface RowRecord {
  readonly status: ReceiptRow['status'];
  readonly attempts: number;
  readonly effect: ReceiptRow['effect'];
  readonly token: string;
  readonly leaseMs: number;
  /** Whether there is a result. Only `claim` shows results. */
  readonly hasResult: boolean;
  readonly error: string | null;
  readonly evidenceAttempt: number | null;
  readonly evidenceKind: ReceiptEvidence['kind'] | null;
  readonly evidenceText: string | null;
  readonly resolved: boolean;
}

/** The receipt `row` as JSON, with the lease counted from the moment `now`. */
export function rowJson(row: string, now: string): string {
  return `json_build_object('status', ${row}.status, 'attempts', ${row}.attempts, 'effect', ${row}.effect,
      'token', ${row}.token, 'leaseMs', ${milliseconds(`${row}.lease_until - ${now}`)},
      'hasResult', ${row}.result IS NOT NULL, 'error', ${row}.error, 'resolved', ${row}.resolved,
      'evidenceAttempt', ${row}.evidence_attempt, 'evidenceKind', ${row}.evidence_kind,
      'evidenceText', ${row}.evidence_text)`;
}

export function keyColumns(key: ToolCallReceiptKey): KeyColumns {
  return [
    encodeStoredText(key.tenantId),
    encodeStoredText(key.runId),
    encodeStoredText(key.toolName),
    encodeStoredText(key.argsHash),
  ];
}

export function keyOf(record: KeyRecord): ToolCallReceiptKey {
  return {
    tenantId: decodeStoredText(record.tenant_id),
    runId: decodeStoredText(record.run_id),
    toolName: decodeStoredText(record.tool_name),
    argsHash: decodeStoredText(record.args_hash),
  };
}

/** The row on a clock that reads 0 at the moment when it was looked at. A result that is there reads as empty. */
export function rowOf(record: RowRecord): ReceiptRow {
  return {
    status: record.status,
    attempts: record.attempts,
    effect: record.effect,
    token: decodeStoredText(record.token),
    leaseUntil: exactMs(record.leaseMs),
    result: record.hasResult ? '' : null,
    error: record.error === null ? null : decodeStoredText(record.error),
    evidence: evidenceOf(record),
    resolved: record.resolved,
  };
}

/** A completed receipt, of which nothing but the result matters. */
export function completedRow(attempts: number, result: string | null): ReceiptRow {
  return {
    status: 'completed',
    attempts,
    effect: 'opaque',
    token: '',
    leaseUntil: Number.NEGATIVE_INFINITY,
    result: result === null ? null : decodeStoredText(result),
    error: null,
    evidence: null,
    resolved: false,
  };
}

/** The server counts in microseconds and gives them as a binary fraction. */
export function exactMs(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}

function evidenceOf({ evidenceAttempt, evidenceKind, evidenceText }: RowRecord): ReceiptEvidence | null {
  if (evidenceAttempt === null || evidenceKind === null || evidenceText === null) return null;
  return { attempt: evidenceAttempt, kind: evidenceKind, text: decodeStoredText(evidenceText) };
}
