/** The SQL of the verbs in one schema, and the name under which a connection keeps each. */

import { collectStatement } from './collect-receipts.js';
import { rowJson } from './columns.js';
import { readStatement } from './read-receipt.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, DURABLE, HOLDS, KEY, MILLISECOND } from './sql-parts.js';

/** One statement of the store. */
export interface Statement {
  readonly text: string;
  readonly name: string;
}

type Verb = 'claim' | 'look' | 'renew' | 'step' | 'settle' | 'resolve' | 'read' | 'collect';
export type Statements = Readonly<Record<Verb, Statement>>;

const RENEWED = `lease_until = ${CLOCK} + $7::float8 * ${MILLISECOND}`;

export function statementsOf(names: SqlNames): Statements {
  const texts: Record<Verb, string> = {
    claim: `SELECT ${names.claim}($1, $2, $3, $4, $5, $6, $7, $8, $9) AS answer`,
    look: `SELECT ${rowJson('x', CLOCK)}::text AS receipt FROM ${names.receipts} AS x WHERE ${KEY}`,
    renew: `UPDATE ${names.receipts} AS x SET ${RENEWED} WHERE ${KEY} AND ${HOLDS} AND ${DURABLE} RETURNING 1`,
    step: `WITH renewed AS (
      UPDATE ${names.receipts} AS x SET ${RENEWED} WHERE ${KEY} AND ${HOLDS} AND ${DURABLE} RETURNING 1
    ), written AS (
      INSERT INTO ${names.steps} (tenant_id, run_id, tool_name, args_hash, name, result)
      SELECT $1, $2, $3, $4, $8, $9 FROM renewed ON CONFLICT DO NOTHING
    )
    SELECT 1 FROM renewed`,
    settle: `SELECT ${names.settle}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS answer`,
    resolve: `UPDATE ${names.receipts} AS x SET status = $6,
      result = CASE WHEN $6 = 'completed' THEN $7 ELSE x.result END,
      error = CASE WHEN $6 = 'failed' THEN x.error ELSE $8 END, resolved = true, changed_at = ${CLOCK}
    WHERE ${KEY} AND x.attempts = $5::integer
      AND (x.status = 'ambiguous' OR (x.status = 'running' AND x.lease_until <= ${CLOCK})) AND ${DURABLE}
    RETURNING 1`,
    read: readStatement(names),
    collect: collectStatement(names),
  };
  const named = Object.entries(texts).map(([verb, text]) => [verb, { text, name: `holdfast_${verb}_${hash(text)}` }]);
  return Object.fromEntries(named) as Statements;
}

/** Two schemas on one connection need two names for a verb; `pg` refuses one name for two texts. FNV-1a. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value.toString(36);
}
