/** Reading one receipt whole, in one statement and so as of one moment. */

import type { ReceiptDetail, ToolCallReceiptKey } from '@holdfast/receipts';
import { decodeStoredText, detailReceipt } from '@holdfast/receipts/store';
import { exactMs, type KeyColumns, type RowRecord, rowJson, rowOf } from './columns.js';
import type { Session } from './session.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, KEY, milliseconds } from './sql-parts.js';
import type { Statement } from './statements.js';

interface ReadRecord {
  readonly receipt: string;
  readonly result: string | null;
  readonly age_ms: string;
  readonly changed_ms: string;
  /** Pairs of name and result as JSON; `null` where there are none. */
  readonly steps: string | null;
}

export function readStatement(names: SqlNames): string {
  return `SELECT ${rowJson('x', 'clock.moment')}::text AS receipt, x.result,
      ${milliseconds('clock.moment - x.created_at')} AS age_ms,
      ${milliseconds('clock.moment - x.changed_at')} AS changed_ms,
      (SELECT json_agg(json_build_array(s.name, s.result))::text FROM ${names.steps} AS s
        WHERE s.tenant_id = $1 AND s.run_id = $2 AND s.tool_name = $3 AND s.args_hash = $4) AS steps
    FROM ${names.receipts} AS x, (SELECT ${CLOCK} AS moment OFFSET 0) AS clock WHERE ${KEY}`;
}

export async function readReceipt(
  session: Session,
  statement: Statement,
  { tenantId, runId, toolName, argsHash }: ToolCallReceiptKey,
  columns: KeyColumns,
): Promise<ReceiptDetail | undefined> {
  const [record] = await session.run<ReadRecord>(statement, columns);
  if (record === undefined) return undefined;
  const result = record.result === null ? null : decodeStoredText(record.result);
  const row = { ...rowOf(JSON.parse(record.receipt) as RowRecord), result };
  const ages = { ageMs: exactMs(Number(record.age_ms)), sinceChangeMs: exactMs(Number(record.changed_ms)) };
  const steps = JSON.parse(record.steps ?? '[]') as [string, string][];
  const journal = new Map(steps.map(([name, text]) => [decodeStoredText(name), decodeStoredText(text)]));
  return detailReceipt({ tenantId, runId, toolName, argsHash }, row, 0, ages, journal);
}
