/** The one statement of a claim. */

import { NO_ROW, type RowRecord, rowSelection } from './columns.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, DURABLE, KEY, keyOfRow, MILLISECOND, milliseconds } from './sql-parts.js';

/** What a claim comes back with: a grant, or the row that stands against one. */
export type ClaimRecord = GrantRecord | (RowRecord & { readonly granted: null });

export interface GrantRecord {
  /** The number of the attempt. */
  readonly granted: string;
  readonly age_ms: string;
  /** The journal as a JSON array of `[name, result]`; `null` when it is empty. */
  readonly journal: string | null;
}

const LEASE = `${CLOCK} + $7::float8 * ${MILLISECOND}`;

/** Where `applyClaim` answers `execute`, for the row `r`. */
const GRANTABLE = `CASE r.status
      WHEN 'running' THEN r.token = $6 OR (r.lease_until <= ${CLOCK} AND r.effect = 'resumable' AND $5 = 'resumable'
        AND r.attempts < $8::float8)
      WHEN 'failed' THEN r.token <> $6 AND r.attempts < $8::float8
      ELSE false END`;

/** Where a claim finds its own attempt: only the lease changes then. */
const OWN = `s.status = 'running' AND s.token = $6`;

/**
 * Reads the receipt, and only then writes: a claim that has nothing to write takes no lock and writes no log. A grant
 * counts for exactly the version of the row that was read (`ctid`), so its journal, read in the same snapshot, is whole.
 *
 * A claim that loses against another in the same moment has read nothing, or a row that is no more. It waits for the
 * other to commit, and `look`, a function with a snapshot of its own, then reads what that left, in the same round trip.
 *
 * Parameters: key, effect, token, lease, attempt limit, and with `limitsWait` how long to wait for locks.
 */
export function claimStatement(names: SqlNames, limitsWait: boolean): string {
  const guard = limitsWait ? `${DURABLE} AND set_config('lock_timeout', $9, true) IS NOT NULL` : DURABLE;
  return `WITH seen AS MATERIALIZED (
    SELECT r.*, r.ctid AS version, ${CLOCK} AS seen_at, ${GRANTABLE} AS grantable
    FROM ${names.receipts} AS r WHERE ${KEY}
  ), first AS (
    INSERT INTO ${names.receipts} (tenant_id, run_id, tool_name, args_hash, status, attempts, effect, token, lease_until)
    SELECT $1, $2, $3, $4, 'running', 1, $5, $6, ${LEASE} WHERE NOT EXISTS (SELECT FROM seen) AND ${guard}
    ON CONFLICT DO NOTHING RETURNING attempts
  ), again AS (
    UPDATE ${names.receipts} AS r SET
      status = 'running',
      attempts = CASE WHEN ${OWN} THEN r.attempts ELSE r.attempts + 1 END,
      effect = CASE WHEN ${OWN} THEN r.effect ELSE $5 END,
      token = $6,
      lease_until = ${LEASE},
      error = NULL,
      resolved = false,
      created_at = CASE WHEN s.status = 'failed' AND s.resolved THEN s.seen_at ELSE r.created_at END,
      changed_at = CASE WHEN ${OWN} THEN r.changed_at ELSE s.seen_at END
    FROM seen AS s WHERE ${keyOfRow('r')} AND r.ctid = s.version AND s.grantable AND ${guard}
    RETURNING r.attempts, ${milliseconds('s.seen_at - r.created_at')} AS age_ms
  )
  SELECT attempts AS granted, 0::float8 AS age_ms, NULL AS journal, ${NO_ROW} FROM first
  UNION ALL
  SELECT attempts, age_ms, (SELECT json_agg(json_build_array(name, result))::text FROM ${names.steps} WHERE ${KEY}),
    ${NO_ROW} FROM again
  UNION ALL
  SELECT NULL, NULL, NULL, ${rowSelection('s', 's.seen_at')} FROM seen AS s WHERE NOT grantable
  UNION ALL
  SELECT NULL, NULL, NULL, ${rowSelection('l', CLOCK)} FROM ${names.look}($1, $2, $3, $4) AS l
    WHERE NOT EXISTS (SELECT FROM seen WHERE NOT grantable) AND NOT EXISTS (SELECT FROM first)
      AND NOT EXISTS (SELECT FROM again)`;
}
