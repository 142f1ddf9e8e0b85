/** The function that claims: read, decide, write, and the journal, in one round trip and without a lost race. */

import { type RowRecord, rowJson } from './columns.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, DURABLE, KEY, MILLISECOND, milliseconds } from './sql-parts.js';

/** Where `applyClaim` answers `execute`, for the receipt `r`. */
const GRANTABLE = `(CASE r.status
      WHEN 'running' THEN r.token = $6
        OR (r.lease_until <= ${CLOCK} AND r.effect = 'resumable' AND $5 = 'resumable' AND r.attempts < $8)
      WHEN 'failed' THEN r.token <> $6 AND r.attempts < $8
      ELSE false
    END)`;

const LEASE = `${CLOCK} + $7 * ${MILLISECOND}`;

/** The answer to a first claim. */
const FIRST = 'granted 1 {"ageMs":0,"steps":null}';

/** The answer for a completed receipt, and `NULL` for any other. */
const REPLAY = `CASE WHEN x.status = 'completed' THEN
      CASE WHEN x.result IS NULL THEN 'gone ' || x.attempts ELSE 'completed ' || x.attempts || ' ' || x.result END END`;

/** True, and bounds how long the statement waits for others. */
const BOUNDED = `set_config('lock_timeout', $9, true) IS NOT NULL`;

/** True, and sets what the statement needs before it waits or writes. */
const PREPARED = `($9 IS NULL OR ${BOUNDED}) AND ${DURABLE}`;

/** The answer for a completed receipt, in a statement of its own; `NULL` for any other, and where there is none. */
export function replayOf(names: SqlNames): string {
  return `(SELECT ${REPLAY} FROM ${names.receipts} AS x WHERE ${KEY})`;
}

/** Writes the receipt of a first claim, outside of the host's transactions, and answers nothing where there is one. */
export function firstClaim(names: SqlNames): string {
  return insertion(names, `${BOUNDED} AND ${DURABLE}`);
}

function insertion(names: SqlNames, condition: string): string {
  return `INSERT INTO ${names.receipts} (tenant_id, run_id, tool_name, args_hash, status, attempts, effect, token, lease_until,
        resolved, created_at, changed_at)
      SELECT $1, $2, $3, $4, 'running', 1, $5, $6, ${LEASE}, false, ${CLOCK}, ${CLOCK} WHERE ${condition}
      ON CONFLICT DO NOTHING RETURNING '${FIRST}'`;
}

/**
 * Each statement of the function sees what was committed before it (READ COMMITTED). Reading comes first, so a claim that
 * is not granted takes no lock and writes no log; a claim that loses a race waits for the winner and reads again, and so does
 * one whose receipt is completed between two readings, since the row says nothing of its result. The two ways that are taken
 * most, first claims and replays, have the fewest expressions: PL/pgSQL prepares each anew in every transaction.
 *
 * Parameters: key, effect, token, lease, attempt limit, and how long to wait for locks (`NULL`: as long as the host says).
 * The answer is text, since one column is quicker than many: see `parseClaimAnswer`.
 */
export function claimFunction(names: SqlNames): string {
  return `CREATE FUNCTION ${names.claim}(text, text, text, text, text, text, float8, float8, text) RETURNS text
  LANGUAGE plpgsql VOLATILE AS $claim$
DECLARE
  r ${names.receipts};
  own boolean;
  moment timestamptz;
  seen text;
  answer text;
BEGIN
  LOOP
    SELECT x.status, ${REPLAY} INTO seen, answer FROM ${names.receipts} AS x WHERE ${KEY};
    IF answer IS NOT NULL THEN
      RETURN answer;
    END IF;
    IF seen IS NULL THEN
      ${insertion(names, PREPARED)} INTO answer;
      CONTINUE WHEN answer IS NULL;
      RETURN answer;
    END IF;
    SELECT * INTO r FROM ${names.receipts} AS x WHERE ${KEY};
    CONTINUE WHEN NOT FOUND OR r.status = 'completed';
    IF NOT ${GRANTABLE} THEN
      RETURN 'row ' || ${rowJson('r', CLOCK)};
    END IF;
    SELECT * INTO r FROM ${names.receipts} AS x WHERE ${KEY} AND ${PREPARED} FOR NO KEY UPDATE;
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
      lease_until = ${LEASE}, error = NULL, resolved = false, created_at = r.created_at, changed_at = r.changed_at
    WHERE ${KEY};
    RETURN 'granted ' || r.attempts || ' ' || json_build_object(
      'ageMs', ${milliseconds('moment - r.created_at')},
      'steps', (SELECT json_agg(json_build_array(x.name, x.result)) FROM ${names.steps} AS x WHERE ${KEY}));
  END LOOP;
END
$claim$`;
}

/** What the function answers. */
export type ClaimAnswerText =
  | { readonly kind: 'granted'; readonly attempt: number; readonly ageMs: number; readonly steps: [string, string][] }
  | { readonly kind: 'completed'; readonly attempt: number; readonly result: string | null }
  | { readonly kind: 'row'; readonly row: RowRecord };

export function parseClaimAnswer(answer: string): ClaimAnswerText {
  if (answer === FIRST) return { kind: 'granted', attempt: 1, ageMs: 0, steps: [] };
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
