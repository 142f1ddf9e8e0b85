/** The SQL of the verbs in one schema, and the name under which a connection keeps each. */

import { firstClaim, replayOf } from './claim-function.js';
import { collectStatement } from './collect-receipts.js';
import { rowJson } from './columns.js';
import { readStatement } from './read-receipt.js';
import { ending } from './settle-function.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, DURABLE, HOLDS, KEY, MILLISECOND } from './sql-parts.js';

/** One statement of the store. */
export interface Statement {
  readonly text: string;
  readonly name: string;
}

type Verb = 'claim' | 'claim_first' | 'look' | 'renew' | 'step' | 'end' | 'settle' | 'resolve' | 'read' | 'collect';
export type Statements = Readonly<Record<Verb, Statement>>;

const RENEWED = `lease_until = ${CLOCK} + $7::float8 * ${MILLISECOND}`;

/**
 * A function costs the server more than a statement, so what is most likely is tried in the statement, and only what is
 * left goes to the function: it looks afresh, with a snapshot of its own. Of the two claims, `claim` is the quicker one for
 * replays, and `claim_first` for first claims. An attempt that held its receipt has ended with `end`; why another did not,
 * and what is kept of it, `settle` says, in a round trip of its own.
 */
export function statementsOf(names: SqlNames): Statements {
  const claim = `${names.claim}($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
  const texts: Record<Verb, string> = {
    claim: `SELECT coalesce(${replayOf(names)}, ${claim}) AS answer`,
    claim_first: `WITH first AS (${firstClaim(names)} AS answer)
    SELECT coalesce((SELECT answer FROM first), ${claim}) AS answer`,
    look: `SELECT ${rowJson('x', CLOCK)}::text AS receipt FROM ${names.receipts} AS x WHERE ${KEY}`,
    renew: `UPDATE ${names.receipts} AS x SET ${RENEWED} WHERE ${KEY} AND ${HOLDS} AND ${DURABLE} RETURNING 1`,
    step: `WITH renewed AS (
      UPDATE ${names.receipts} AS x SET ${RENEWED} WHERE ${KEY} AND ${HOLDS} AND ${DURABLE} RETURNING 1
    ), written AS (
      INSERT INTO ${names.steps} (tenant_id, run_id, tool_name, args_hash, name, result)
      SELECT $1, $2, $3, $4, $8, $9 FROM renewed ON CONFLICT DO NOTHING
    )
    SELECT 1 FROM renewed`,
    end: ending(names),
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
