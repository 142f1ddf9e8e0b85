/** Receipts as columns, and back. */

import type { ReceiptEvidence, ToolCallReceiptKey } from '@holdfast/receipts';
import { decodeStoredText, encodeStoredText, type ReceiptRow } from '@holdfast/receipts/store';
import type { LeaseClock } from './boot-clock.js';
import type { SqliteValue } from './connection.js';

/** The four key columns, in the order of the primary key. */
export type KeyColumns = [string, string, string, string];

export interface KeyRecord {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly tool_name: string;
  readonly args_hash: string;
}

/** A record of `holdfast_receipts` as the driver returns it; numbers are bigints if the host asked its driver for them. */
export interface ReceiptRecord extends KeyRecord {
  readonly status: ReceiptRow['status'];
  readonly attempts: number | bigint;
  readonly effect: ReceiptRow['effect'];
  readonly token: string;
  readonly lease_epoch: string;
  readonly lease_until: number;
  readonly result: string | null;
  readonly error: string | null;
  readonly evidence: string | null;
  readonly resolved: number | bigint;
  readonly created_at: number | bigint;
  readonly changed_at: number | bigint;
}

/** Those of a receipt that has only been claimed, in the order of {@link firstColumns}. */
export const FIRST_COLUMNS = 'status, attempts, effect, token, lease_epoch, lease_until';

/** The columns that a transition decides, in the order of {@link rowColumns}. */
export const ROW_COLUMNS = `${FIRST_COLUMNS}, result, error, evidence, resolved`;

/** Those by which a verb decides, in the order of {@link FoundValues}. */
export const FOUND_COLUMNS = `${ROW_COLUMNS}, created_at, changed_at`;

export type FoundRecord = Omit<ReceiptRecord, keyof KeyRecord>;

type FoundValues = readonly [
  status: ReceiptRecord['status'],
  attempts: ReceiptRecord['attempts'],
  effect: ReceiptRecord['effect'],
  token: string,
  leaseEpoch: string,
  leaseUntil: number,
  result: string | null,
  error: string | null,
  evidence: string | null,
  resolved: ReceiptRecord['resolved'],
  createdAt: ReceiptRecord['created_at'],
  changedAt: ReceiptRecord['changed_at'],
];

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

/**
 * A driver that gives a row as a list of values is spared naming them, which costs it as much as reading the row.
 * Destructuring the list would cost what that saves.
 */
export function recordOf(values: unknown): FoundRecord {
  const found = values as FoundValues;
  return {
    status: found[0],
    attempts: found[1],
    effect: found[2],
    token: found[3],
    lease_epoch: found[4],
    lease_until: found[5],
    result: found[6],
    error: found[7],
    evidence: found[8],
    resolved: found[9],
    created_at: found[10],
    changed_at: found[11],
  };
}

export function firstColumns(row: ReceiptRow, clock: LeaseClock): SqliteValue[] {
  return [row.status, row.attempts, row.effect, encodeStoredText(row.token), clock.epoch, row.leaseUntil];
}

export function rowColumns(row: ReceiptRow, clock: LeaseClock): SqliteValue[] {
  return [
    ...firstColumns(row, clock),
    encodeNullable(row.result),
    encodeNullable(row.error),
    row.evidence === null ? null : JSON.stringify(row.evidence),
    row.resolved ? 1 : 0,
  ];
}

export function rowOf(record: FoundRecord, clock: LeaseClock): ReceiptRow {
  return {
    status: record.status,
    attempts: Number(record.attempts),
    effect: record.effect,
    token: decodeStoredText(record.token),
    // Another epoch is another boot of the machine: whoever held the lease is gone.
    leaseUntil: record.lease_epoch === clock.epoch ? record.lease_until : Number.NEGATIVE_INFINITY,
    result: decodeNullable(record.result),
    error: decodeNullable(record.error),
    evidence: record.evidence === null ? null : (JSON.parse(record.evidence) as ReceiptEvidence),
    resolved: Number(record.resolved) === 1,
  };
}

export function encodeNullable(text: string | null): string | null {
  return text === null ? null : encodeStoredText(text);
}

function decodeNullable(text: string | null): string | null {
  return text === null ? null : decodeStoredText(text);
}
