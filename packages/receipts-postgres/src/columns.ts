/** Receipts as the statements give them, and back. */

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

/** What a transition looks at. All values are the server's own text; times are milliseconds from the moment of reading. */
export interface RowRecord {
  readonly status: ReceiptRow['status'];
  readonly attempts: string;
  readonly effect: ReceiptRow['effect'];
  readonly token: string;
  readonly lease_ms: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly evidence_attempt: string | null;
  readonly evidence_kind: ReceiptEvidence['kind'] | null;
  readonly evidence_text: string | null;
  readonly resolved: 't' | 'f';
}

/** The columns of {@link RowRecord} as SQL, of the row `row` read at `now`. */
export function rowSelection(row: string, now: string): string {
  return `${row}.status, ${row}.attempts, ${row}.effect, ${row}.token, ${row}.result, ${row}.error, ${row}.resolved,
    ${row}.evidence_attempt, ${row}.evidence_kind, ${row}.evidence_text,
    ${milliseconds(`${row}.lease_until - ${now}`)} AS lease_ms`;
}

/** The same columns for an arm of a UNION that has no row. */
export const NO_ROW = `NULL AS status, NULL::integer AS attempts, NULL AS effect, NULL AS token, NULL AS result,
    NULL AS error, NULL::boolean AS resolved, NULL::integer AS evidence_attempt, NULL AS evidence_kind,
    NULL AS evidence_text, NULL::float8 AS lease_ms`;

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

/** The row on a clock that reads 0 at the moment when it was looked at. */
export function rowOf(record: RowRecord): ReceiptRow {
  return {
    status: record.status,
    attempts: Number(record.attempts),
    effect: record.effect,
    token: decodeStoredText(record.token),
    leaseUntil: millisecondsOf(record.lease_ms),
    result: decodeNullable(record.result),
    error: decodeNullable(record.error),
    evidence: evidenceOf(record),
    resolved: record.resolved === 't',
  };
}

/** The server counts in microseconds and gives them as a binary fraction. */
export function millisecondsOf(text: string): number {
  return Math.round(Number(text) * 1_000) / 1_000;
}

function evidenceOf(record: RowRecord): ReceiptEvidence | null {
  const { evidence_attempt: attempt, evidence_kind: kind, evidence_text: text } = record;
  if (attempt === null || kind === null || text === null) return null;
  return { attempt: Number(attempt), kind, text: decodeStoredText(text) };
}

function decodeNullable(text: string | null): string | null {
  return text === null ? null : decodeStoredText(text);
}
