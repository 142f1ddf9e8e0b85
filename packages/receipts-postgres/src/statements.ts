/** The SQL of the verbs of one schema, and the name under which a connection keeps each. */

import { claimStatement } from './claim-statement.js';
import { collectStatement } from './collect-receipts.js';
import { NO_ROW, rowSelection } from './columns.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, DEFERRED, DURABLE, KEY, MILLISECOND } from './sql-parts.js';

/** One statement of the store. */
export interface Statement {
  readonly text: string;
  readonly name: string;
}

export type Statements = Readonly<
  Record<'claim' | 'claimWithin' | 'look' | 'renew' | 'step' | 'settle' | 'resolve' | 'collect', Statement>
>;

/** The attempt of `$5` and `$6` holds the receipt. */
const HOLDS = `status = 'running' AND attempts = $5::integer AND token = $6`;

const RENEWED = `lease_until = ${CLOCK} + $7::float8 * ${MILLISECOND}`;

export function statementsOf(names: SqlNames, settlesDeferred: boolean): Statements {
  const texts: Record<keyof Statements, string> = {
    claim: claimStatement(names, true),
    claimWithin: claimStatement(names, false),
    look: `SELECT ${rowSelection('r', CLOCK)} FROM ${names.receipts} AS r WHERE ${KEY}`,
    renew: `UPDATE ${names.receipts} SET ${RENEWED} WHERE ${KEY} AND ${HOLDS} AND ${DURABLE} RETURNING 1 AS ok`,
    step: `WITH renewed AS (
      UPDATE ${names.receipts} SET ${RENEWED} WHERE ${KEY} AND ${HOLDS} AND ${DURABLE} RETURNING 1
    ), written AS (
      INSERT INTO ${names.steps} (tenant_id, run_id, tool_name, args_hash, name, result)
      SELECT $1, $2, $3, $4, $8, $9 FROM renewed ON CONFLICT DO NOTHING
    )
    SELECT 1 AS ok FROM renewed`,
    settle: settleStatement(names, settlesDeferred),
    resolve: `UPDATE ${names.receipts} SET status = $6, result = CASE WHEN $6 = 'completed' THEN $7 ELSE result END,
      error = CASE WHEN $6 = 'failed' THEN error ELSE $8 END, resolved = true, changed_at = ${CLOCK}
    WHERE ${KEY} AND attempts = $5::integer
      AND (status = 'ambiguous' OR (status = 'running' AND lease_until <= ${CLOCK})) AND ${DURABLE}
    RETURNING 1 AS ok`,
    collect: collectStatement(names),
  };
  const named = Object.entries(texts).map(([verb, text]) => [verb, { text, name: `holdfast_${verb}_${hash(text)}` }]);
  return Object.fromEntries(named) as Statements;
}

/**
 * Ends the attempt of `$5` and `$6` with status, result and error, or keeps its late ending (`$10`, `$11`) as evidence
 * where it tells more than what is kept. Writes nothing otherwise, and then gives the row that says why.
 */
function settleStatement(names: SqlNames, deferred: boolean): string {
  const granted = `(attempts > $5::integer OR (attempts = $5::integer AND token = $6))`;
  const settledBefore = `(attempts = $5::integer AND token = $6 AND status = $7 AND NOT resolved)`;
  const better = `(evidence_kind IS NULL OR CASE WHEN evidence_kind = $10 THEN evidence_attempt < $5::integer
      ELSE $10 = 'completed' END)`;
  const settle = (column: string, value: string) => `${column} = CASE WHEN ${HOLDS} THEN ${value} ELSE ${column} END`;
  const keep = (column: string, value: string) => `${column} = CASE WHEN ${HOLDS} THEN ${column} ELSE ${value} END`;
  return `WITH written AS (
      UPDATE ${names.receipts} SET ${settle('status', '$7')}, ${settle('result', '$8')}, ${settle('error', '$9')},
        ${settle('changed_at', CLOCK)}, ${keep('evidence_attempt', '$5::integer')},
        ${keep('evidence_kind', '$10')}, ${keep('evidence_text', '$11')}
      WHERE ${KEY} AND (${HOLDS} OR (${granted} AND NOT ${settledBefore} AND ${better})) AND ${deferred ? DEFERRED : DURABLE}
      RETURNING ${settledBefore} AS settled
    )
    SELECT settled, ${NO_ROW} FROM written
    UNION ALL
    SELECT NULL, ${rowSelection('r', CLOCK)} FROM ${names.receipts} AS r WHERE ${KEY} AND NOT EXISTS (SELECT FROM written)`;
}

/** Two schemas on one connection need two names for a verb; `pg` refuses one name for two texts. FNV-1a. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value.toString(36);
}
