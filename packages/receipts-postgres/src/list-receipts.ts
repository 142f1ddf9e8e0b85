/** Reading receipts page by page, in the order of the primary key. */

import type { ReceiptFilter, ReceiptPage, ReceiptStatus } from '@holdfast/receipts';
import { checkReceiptFilter, encodeStoredText, ReceiptOptionError, summarizeReceipt } from '@holdfast/receipts/store';
import { exactMs, type KeyRecord, keyOf, type RowRecord, rowJson, rowOf } from './columns.js';
import type { Session } from './session.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, KEY_COLUMNS, milliseconds } from './sql-parts.js';

interface ListRecord extends KeyRecord {
  readonly receipt: string;
  readonly age_ms: string;
  readonly changed_ms: string;
}

/** What a listed status means in columns. Each open one begins as a host would condition an index of its own. */
const OPEN = `status IN ('running', 'ambiguous')`;
const LIVE = `lease_until > ${CLOCK}`;
const STATUS_CONDITIONS: Readonly<Record<ReceiptStatus, string>> = {
  running: `${OPEN} AND status = 'running' AND ${LIVE}`,
  expired: `${OPEN} AND status = 'running' AND effect = 'resumable' AND NOT ${LIVE}`,
  ambiguous: `${OPEN} AND (status = 'ambiguous' OR (effect = 'opaque' AND NOT ${LIVE}))`,
  completed: `status = 'completed' AND result IS NOT NULL`,
  gone: `status = 'completed' AND result IS NULL`,
  failed: `status = 'failed'`,
  rejected: `status = 'rejected'`,
};

export async function listReceipts(session: Session, names: SqlNames, filter: ReceiptFilter): Promise<ReceiptPage> {
  const { limit, ...wanted } = checkReceiptFilter(filter);
  const { conditions, values } = conditionsOf(wanted);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const text = `SELECT ${KEY_COLUMNS}, ${rowJson('r', CLOCK)}::text AS receipt,
      ${milliseconds(`${CLOCK} - r.created_at`)} AS age_ms, ${milliseconds(`${CLOCK} - r.changed_at`)} AS changed_ms
    FROM ${names.receipts} AS r ${where} ORDER BY ${KEY_COLUMNS} LIMIT ${limit + 1}`;
  const records = await session.read<ListRecord>(text, values);
  const receipts = records.slice(0, limit).map((record) =>
    summarizeReceipt(keyOf(record), rowOf(JSON.parse(record.receipt) as RowRecord), 0, {
      ageMs: exactMs(Number(record.age_ms)),
      sinceChangeMs: exactMs(Number(record.changed_ms)),
    }),
  );
  const last = records[limit - 1];
  return records.length > limit && last !== undefined ? { receipts, next: cursorOf(last) } : { receipts };
}

function conditionsOf(filter: ReceiptFilter) {
  const conditions: string[] = [];
  const values: string[] = [];
  const bind = (value: string) => `$${values.push(value)}`;
  if (filter.tenantId !== undefined) conditions.push(`tenant_id = ${bind(encodeStoredText(filter.tenantId))}`);
  if (filter.runId !== undefined) conditions.push(`run_id = ${bind(encodeStoredText(filter.runId))}`);
  if (filter.status !== undefined) conditions.push(STATUS_CONDITIONS[filter.status]);
  if (filter.after !== undefined) {
    conditions.push(`(${KEY_COLUMNS}) > (${readCursor(filter.after).map(bind).join(', ')})`);
  }
  return { conditions, values };
}

function cursorOf({ tenant_id, run_id, tool_name, args_hash }: KeyRecord): string {
  return JSON.stringify([tenant_id, run_id, tool_name, args_hash]);
}

function readCursor(after: string): string[] {
  let parts: unknown;
  try {
    parts = JSON.parse(after);
  } catch {
    // Falls through to the refusal.
  }
  const fits = Array.isArray(parts) && parts.length === 4 && parts.every(isStoredText);
  if (!fits) throw new ReceiptOptionError('after', after, 'the next of a page of this store');
  return parts as string[];
}

/** What no page of this store ever gave would be an error of the server. */
function isStoredText(part: unknown): boolean {
  return typeof part === 'string' && !/[\0\p{Surrogate}]/u.test(part);
}
