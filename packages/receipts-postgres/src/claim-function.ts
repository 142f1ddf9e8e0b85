/** The function that claims: read, decide, write, and the journal, in one round trip and without a lost race. */

import { type RowRecord, rowJson } from './columns.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, DURABLE_FROM_HERE, KEY, MILLISECOND, milliseconds } from './sql-parts.js';

/** Where `applyClaim` answers `execute`, for the receipt `r`. */
const GRANTABLE = `(CASE r.status
      WHEN 'running' THEN r.token = $6
        OR (r.lease_until <= ${CLOCK} AND r.effect = 'resumable' AND $5 = 'resumable' AND r.attempts < $8)
      WHEN 'failed' THEN r.token <> $6 AND r.attempts < $8
      ELSE false
    END)`;

/**
 * Each statement of the function sees what was committed before it (READ COMMITTED). Reading comes first, so a claim that
 * is not granted takes no lock and writes no log; a claim that loses a race waits for the winner and reads again.
 *
 * Parameters: key, effect, token, lease, attempt limit, and how long to wait for locks (`NULL`: as long as the host says).
 * The answer is text, since one column is quicker than many: see `parseClaimAnswer`. `NULL` when others won each time.
 */
export function claimFunction(names: SqlNames): string {
  return `CREATE FUNCTION ${names.claim}(text, text, text, text, text, text, float8, float8, text) RETURNS text
  LANGUAGE plpgsql VOLATILE AS $claim$
DECLARE
  r ${names.receipts};
  own boolean;
  moment timestamptz;
  setting text;
BEGIN
  FOR look IN 1..50 LOOP
    SELECT x.status, x.attempts, x.result INTO r.status, r.attempts, r.result FROM ${names.receipts} AS x WHERE ${KEY};
    IF r.status = 'completed' THEN
      RETURN CASE WHEN r.result IS NULL THEN 'gone ' || r.attempts ELSE 'completed ' || r.attempts || ' ' || r.result END;
    END IF;
    IF FOUND THEN
      SELECT * INTO r FROM ${names.receipts} AS x WHERE ${KEY};
      CONTINUE WHEN NOT FOUND;
      IF NOT ${GRANTABLE} THEN
        RETURN 'row ' || ${rowJson('r', CLOCK)};
      END IF;
    END IF;
    IF $9 IS NOT NULL THEN
      setting := set_config('lock_timeout', $9, true);
    END IF;
    ${DURABLE_FROM_HERE}
    IF r.status IS NULL THEN
      moment := ${CLOCK};
      INSERT INTO ${names.receipts} (tenant_id, run_id, tool_name, args_hash, status, attempts, effect, token, lease_until,
        resolved, created_at, changed_at)
      VALUES ($1, $2, $3, $4, 'running', 1, $5, $6, moment + $7 * ${MILLISECOND}, false, moment, moment)
      ON CONFLICT DO NOTHING;
      IF FOUND THEN
        RETURN 'granted 1 {"ageMs":0,"steps":null}';
      END IF;
      CONTINUE;
    END IF;
    SELECT * INTO r FROM ${names.receipts} AS x WHERE ${KEY} FOR NO KEY UPDATE;
    CONTINUE WHEN NOT FOUND OR NOT ${GRANTABLE};
    own := r.status = 'running' AND r.token = $6;
    moment := ${CLOCK};
    IF NOT own THEN
      r.created_at := CASE WHEN r.status = 'failed' AND r.resolved THEN moment ELSE r.created_at END;
      r.attempts := r.attempts + 1;
      r.effect := $5;
      r.changed_at := moment;
    END IF;
    UPDATE ${names.receipts} AS x SET status = 'running', attempts = r.attempts, effect = r.effect, token = $6,
      lease_until = moment + $7 * ${MILLISECOND}, error = NULL, resolved = false, created_at = r.created_at,
      changed_at = r.changed_at
    WHERE ${KEY};
    RETURN 'granted ' || r.attempts || ' ' || json_build_object(
      'ageMs', ${milliseconds('moment - r.created_at')},
      'steps', (SELECT json_agg(json_build_array(x.name, x.result)) FROM ${names.steps} AS x WHERE ${KEY}));
  END LOOP;
  RETURN NULL;
END
$claim$`;
}

/** What the function answers. */
export type ClaimAnswerText =
  | { readonly kind: 'granted'; readonly attempt: number; readonly ageMs: number; readonly steps: [string, string][] }
  | { readonly kind: 'completed'; readonly attempt: number; readonly result: string | null }
  | { readonly kind: 'row'; readonly row: RowRecord };

export function parseClaimAnswer(answer: string): ClaimAnswerText {
  const [kind, body] = cut(answer);
  if (kind === 'row') return { kind, row: JSON.parse(body) as RowRecord };
  if (kind === 'gone') return { kind: 'completed', attempt: Number(body), result: null };
  const [attempt, rest] = cut(body);
  if (kind === 'completed') return { kind, attempt: Number(attempt), result: rest };
  const { ageMs, steps } = JSON.parse(rest) as { readonly ageMs: number; readonly steps: [string, string][] | null };
  return { kind: 'granted', attempt: Number(attempt), ageMs, steps: steps ?? [] };
}

function cut(text: string): [string, string] {
  const blank = text.indexOf(' ');
  return [text.slice(0, blank), text.slice(blank + 1)];
}
