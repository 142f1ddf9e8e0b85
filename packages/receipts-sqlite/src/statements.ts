/** The SQL of the verbs, prepared once. Positional parameters only: the drivers disagree about the others. */

import { FIRST_COLUMNS, FOUND_COLUMNS, type FoundRecord, ROW_COLUMNS, recordOf } from './columns.js';
import type { Connection, SqliteValue, Statement } from './connection.js';

const KEY = 'tenant_id = ? AND run_id = ? AND tool_name = ? AND args_hash = ?';
const DROPPABLE = `status = 'completed' AND result IS NOT NULL AND changed_at <= ?`;
const REMOVABLE = `status IN ('completed', 'failed', 'rejected') AND changed_at <= ?`;
const KEY_COLUMNS = 'tenant_id, run_id, tool_name, args_hash';

export interface Statements {
  readonly find: (...values: SqliteValue[]) => FoundRecord | undefined;
  readonly read: Statement;
  readonly insert: Statement;
  readonly update: Statement;
  readonly settle: Statement;
  readonly steps: Statement;
  readonly addStep: Statement;
  readonly removeSteps: Statement;
  readonly collectable: Statement;
  readonly dropResult: Statement;
  readonly removeKey: Statement;
}

export function prepareStatements(database: Connection): Statements {
  const assignments = ROW_COLUMNS.split(', ')
    .map((column) => `${column} = ?`)
    .join(', ');
  return {
    find: finder(database.prepare(`SELECT ${FOUND_COLUMNS} FROM holdfast_receipts WHERE ${KEY}`)),
    // One statement, so that row and journal are of one moment.
    read: database.prepare(
      `SELECT r.*, (SELECT json_group_array(json_array(s.name, s.result)) FROM holdfast_receipt_steps AS s
        WHERE (s.tenant_id, s.run_id, s.tool_name, s.args_hash) = (r.tenant_id, r.run_id, r.tool_name, r.args_hash)
       ) AS journal FROM holdfast_receipts AS r WHERE ${KEY}`,
    ),
    // What no first claim has, such as a result, is left out: each value that is bound costs.
    insert: database.prepare(
      `INSERT INTO holdfast_receipts (${FIRST_COLUMNS}, resolved, created_at, changed_at, ${KEY_COLUMNS})
       VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    update: database.prepare(
      `UPDATE holdfast_receipts SET ${assignments}, created_at = ?, changed_at = ? WHERE ${KEY}`,
    ),
    settle: database.prepare(
      `UPDATE holdfast_receipts SET status = ?, result = ?, error = ?, changed_at = ?
       WHERE ${KEY} AND status = 'running' AND attempts = ? AND token = ?`,
    ),
    steps: database.prepare(`SELECT name, result FROM holdfast_receipt_steps WHERE ${KEY}`),
    addStep: database.prepare(
      `INSERT INTO holdfast_receipt_steps (tenant_id, run_id, tool_name, args_hash, name, result)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    removeSteps: database.prepare(`DELETE FROM holdfast_receipt_steps WHERE ${KEY}`),
    // The two halves of the index: receipts as they were claimed, and those whose result is dropped. A receipt never changed
    // before it was claimed, so the time of its claim bounds the search.
    collectable: database.prepare(
      `SELECT ${KEY_COLUMNS} FROM holdfast_receipts WHERE spent = 0 AND created_at <= ?
         AND ((status = 'completed' AND changed_at <= ?) OR (status IN ('failed', 'rejected') AND changed_at <= ?))
       UNION ALL
       SELECT ${KEY_COLUMNS} FROM holdfast_receipts WHERE spent = 1 AND created_at <= ? AND changed_at <= ? LIMIT ?`,
    ),
    dropResult: database.prepare(
      `UPDATE holdfast_receipts SET spent = 1, result = NULL, evidence = NULL WHERE ${KEY} AND ${DROPPABLE}`,
    ),
    removeKey: database.prepare(`DELETE FROM holdfast_receipts WHERE ${KEY} AND ${REMOVABLE}`),
  };
}

/** Reads a row as a list of values where the driver can. */
function finder(statement: Statement): Statements['find'] {
  if (statement.raw === undefined) return (...values) => statement.get(...values) as FoundRecord | undefined;
  statement.raw();
  return (...values) => {
    const found = statement.get(...values);
    return found === undefined ? undefined : recordOf(found);
  };
}

/** Each `?` pair is the clock's epoch and its reading. */
const LIVE = '(lease_epoch = ? AND lease_until > ?)';
/** As a host would condition an index of its own, word for word, so that SQLite sees that it may use it. */
const UNFINISHED = `status IN ('running', 'ambiguous', 'failed', 'rejected')`;

/** What a listed status means in columns. */
export const STATUS_CONDITIONS = {
  running: `${UNFINISHED} AND status = 'running' AND ${LIVE}`,
  expired: `${UNFINISHED} AND status = 'running' AND effect = 'resumable' AND NOT ${LIVE}`,
  ambiguous: `${UNFINISHED} AND status IN ('ambiguous', 'running')
    AND (status = 'ambiguous' OR (effect = 'opaque' AND NOT ${LIVE}))`,
  completed: `status = 'completed' AND result IS NOT NULL`,
  gone: `status = 'completed' AND result IS NULL`,
  failed: `${UNFINISHED} AND status = 'failed'`,
  rejected: `${UNFINISHED} AND status = 'rejected'`,
} as const;
