/** The function that ends an attempt, or keeps what a fenced attempt says too late. */

import { rowJson } from './columns.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, DEFERRED, DURABLE, HOLDS, KEY } from './sql-parts.js';

/** Ends the attempt that holds the receipt. Writes no row where it holds none. */
export function ending(names: SqlNames): string {
  return `UPDATE ${names.receipts} AS x SET status = $7, result = $8, error = $9, changed_at = ${CLOCK}
  WHERE ${KEY} AND ${HOLDS} AND CASE WHEN $10 THEN ${DEFERRED} ELSE ${DURABLE} END`;
}

/**
 * Ends the attempt of `$5` and `$6` with status, result and error (`ok`), or keeps its result or error as evidence where
 * that tells more than what is kept (`kept`). Writes nothing otherwise, and gives the row that says why; `NULL` when there
 * is none. With `$10` the answer comes before the write is on the disk.
 */
export function settleFunction(names: SqlNames): string {
  return `CREATE FUNCTION ${names.settle}(text, text, text, text, integer, text, text, text, text, boolean) RETURNS text
  LANGUAGE plpgsql VOLATILE AS $settle$
DECLARE
  r ${names.receipts};
  ending text;
  answer text;
BEGIN
  ${ending(names)} RETURNING 'ok' INTO answer;
  IF answer IS NOT NULL THEN
    RETURN answer;
  END IF;
  ending := CASE WHEN $7 = 'completed' THEN 'completed' ELSE 'failed' END;
  UPDATE ${names.receipts} AS x SET evidence_attempt = $5, evidence_kind = ending, evidence_text = coalesce($8, $9)
  WHERE ${KEY} AND (x.attempts > $5 OR (x.attempts = $5 AND x.token = $6 AND (x.status <> $7 OR x.resolved)))
    AND (x.evidence_kind IS NULL OR (ending = 'completed' AND x.evidence_kind = 'failed')
      OR (ending = x.evidence_kind AND x.evidence_attempt < $5)) AND ${DURABLE};
  IF FOUND THEN
    RETURN 'kept';
  END IF;
  SELECT * INTO r FROM ${names.receipts} AS x WHERE ${KEY};
  RETURN CASE WHEN FOUND THEN ${rowJson('r', CLOCK)}::text END;
END
$settle$`;
}
