/** Reading receipts page by page, in the order of the primary key. */

import type { ReceiptFilter, ReceiptPage, ReceiptSummary } from '@holdfast/receipts';
import { checkReceiptFilter, encodeStoredText, ReceiptOptionError, summarizeReceipt } from '@holdfast/receipts/store';
import type { LeaseClock } from './boot-clock.js';
import { keyOf, type ReceiptRecord, rowOf } from './columns.js';
import type { Connection, SqliteValue } from './connection.js';
import { STATUS_CONDITIONS } from './statements.js';

/** A result may be large and is not shown: only whether there is one is read. */
const LISTED =
  'tenant_id, run_id, tool_name, args_hash, status, attempts, effect, token, lease_epoch, lease_until, ' +
  "CASE WHEN result IS NULL THEN NULL ELSE '' END AS result, error, evidence, resolved, created_at, changed_at";

export function listReceipts(
  database: Connection,
  filter: ReceiptFilter,
  clock: LeaseClock,
  calendar: () => number,
): ReceiptPage {
  const { limit, ...wanted } = checkReceiptFilter(filter);
  const now = clock.now();
  const { conditions, values } = conditionsOf(wanted, clock.epoch, now);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT ${LISTED} FROM holdfast_receipts ${where} ORDER BY tenant_id, run_id, tool_name, args_hash LIMIT ?`;
  const records = database.prepare(sql).all(...values, limit + 1) as ReceiptRecord[];
  const receipts = records.slice(0, limit).map((record) => summaryOf(record, clock, now, calendar()));
  const last = records[limit - 1];
  return records.length > limit && last !== undefined ? { receipts, next: cursorOf(last) } : { receipts };
}

function conditionsOf(filter: ReceiptFilter, epoch: string, now: number) {
  const conditions: string[] = [];
  const values: SqliteValue[] = [];
  const add = (condition: string, ...more: SqliteValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  if (filter.tenantId !== undefined) add('tenant_id = ?', encodeStoredText(filter.tenantId));
  if (filter.runId !== undefined) add('run_id = ?', encodeStoredText(filter.runId));
  if (filter.status !== undefined) {
    const condition = STATUS_CONDITIONS[filter.status];
    add(condition, ...(condition.includes('?') ? [epoch, now] : []));
  }
  if (filter.after !== undefined)
    add('(tenant_id, run_id, tool_name, args_hash) > (?, ?, ?, ?)', ...readCursor(filter.after));
  return { conditions, values };
}

function summaryOf(record: ReceiptRecord, clock: LeaseClock, now: number, today: number): ReceiptSummary {
  return summarizeReceipt(keyOf(record), rowOf(record, clock), now, {
    ageMs: today - Number(record.created_at),
    sinceChangeMs: today - Number(record.changed_at),
  });
}

function cursorOf(record: ReceiptRecord): string {
  return JSON.stringify([record.tenant_id, record.run_id, record.tool_name, record.args_hash]);
}

function readCursor(after: string): string[] {
  let parts: unknown;
  try {
    parts = JSON.parse(after);
  } catch {
    // Falls through to the refusal.
  }
  const fits = Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === 'string');
  if (!fits) throw new ReceiptOptionError('after', after, 'the next of a page of this store');
  return parts as string[];
}
