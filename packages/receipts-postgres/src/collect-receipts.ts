/** Retention: one statement that passes over what others hold. */

import type { CollectOutcome, CollectPolicy } from '@holdfast/receipts';
import { checkCollectPolicy } from '@holdfast/receipts/store';
import type { Session } from './session.js';
import type { SqlNames } from './sql-names.js';
import { CLOCK, KEY_COLUMNS, MILLISECOND } from './sql-parts.js';
import type { Statement } from './statements.js';

/** Oldest age that the server can reckon with, about 1,200 years; it stands for every older one. */
const MAX_AGE_MS = 4e13;

interface CollectRecord {
  readonly dropped: string;
  readonly removed: string;
  readonly due: string;
}

export async function collectReceipts(
  session: Session,
  statement: Statement,
  policy: CollectPolicy,
): Promise<CollectOutcome> {
  const { dropResultsAfterMs, removeKeysAfterMs, limit } = checkCollectPolicy(policy);
  const ages = [dropResultsAfterMs, removeKeysAfterMs].map((age) => String(Math.min(age, MAX_AGE_MS)));
  const [record] = await session.run<CollectRecord>(statement, [...ages, String(limit)]);
  const { dropped, removed, due } = record as CollectRecord;
  return { resultsDropped: Number(dropped), keysRemoved: Number(removed), more: Number(due) > limit };
}

/**
 * Locks up to one receipt more than it touches, so that it can say whether there is more. The two arms are the two halves
 * of the index: receipts as they were claimed, and those whose result is dropped. A receipt never changed before it was
 * claimed, so the time of its claim bounds the search. The journal of a removed key goes with it by its foreign key.
 *
 * Parameters: age of results, age of keys, limit.
 */
export function collectStatement(names: SqlNames): string {
  const before = (age: string) => `${CLOCK} - ${age}::float8 * ${MILLISECOND}`;
  // As values of their own, so that the index is read in its order, and no further than the limit.
  const [drop, removal] = ['(SELECT cutoff.drop FROM cutoff)', '(SELECT cutoff.removal FROM cutoff)'];
  const due = (age: string, condition: string) => `(
      SELECT ${KEY_COLUMNS}, changed_at <= ${removal} AS removes FROM ${names.receipts}
      WHERE created_at <= ${age} AND ${condition} ORDER BY created_at LIMIT $3::integer + 1 FOR UPDATE SKIP LOCKED
    )`;
  const live = `NOT spent AND changed_at <= CASE status WHEN 'completed' THEN ${drop}
        WHEN 'failed' THEN ${removal} WHEN 'rejected' THEN ${removal} END`;
  const same = (table: string) =>
    `(${KEY_COLUMNS.replaceAll(/\w+/g, `${table}.$&`)}) = (${KEY_COLUMNS.replaceAll(/\w+/g, 'p.$&')})`;
  return `WITH cutoff AS MATERIALIZED (SELECT ${before('$1')} AS drop, ${before('$2')} AS removal), due AS MATERIALIZED (
      SELECT * FROM ${due(drop, live)} AS live
      UNION ALL
      SELECT * FROM ${due(removal, `spent AND changed_at <= ${removal}`)} AS spent
    ), picked AS MATERIALIZED (SELECT * FROM due LIMIT $3::integer), removed AS (
      DELETE FROM ${names.receipts} AS r USING picked AS p WHERE p.removes AND ${same('r')} RETURNING 1
    ), dropped AS (
      UPDATE ${names.receipts} AS r SET spent = true, result = NULL,
        evidence_attempt = NULL, evidence_kind = NULL, evidence_text = NULL
      FROM picked AS p WHERE NOT p.removes AND ${same('r')} RETURNING ${KEY_COLUMNS.replaceAll(/\w+/g, 'r.$&')}
    ), forgotten AS (
      DELETE FROM ${names.steps} AS s USING dropped AS p WHERE ${same('s')}
    )
    SELECT (SELECT count(*) FROM dropped) AS dropped, (SELECT count(*) FROM removed) AS removed,
      (SELECT count(*) FROM due) AS due`;
}
