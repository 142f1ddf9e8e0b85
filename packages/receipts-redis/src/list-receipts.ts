/** Reading receipts page by page: bucket by bucket, in each by the time of the first claim. */

import type { ReceiptFilter, ReceiptPage, ReceiptStatus, ReceiptSummary } from '@holdfast/receipts';
import { checkReceiptFilter, type ReceiptRow, summarizeReceipt } from '@holdfast/receipts/store';
import { BUCKETS, beginningOf, bucketOf, readEntry, type Shelf, shelfOf } from './key-names.js';
import { listOf, numberOf, rowOf, textOf } from './replies.js';
import { type ScriptRunner, scriptOf } from './script-runner.js';
import { READ, SCAN } from './scripts/shelf.js';

const SCAN_SCRIPT = scriptOf(SCAN);
const READ_SCRIPT = scriptOf(READ);

/** Buckets that are read at once, once those before them had little to give. */
const WIDEST_WINDOW = 64;

interface Found {
  readonly entry: string;
  readonly summary: ReceiptSummary;
}

interface Wanted {
  readonly beginning: string;
  readonly runId: string | undefined;
  readonly status: ReceiptStatus | undefined;
}

/**
 * Reads one page. Buckets are read in growing numbers at once: a full store gives its page from the first one or two, and
 * an almost empty one is through after some ten trips.
 */
export async function listReceipts(runner: ScriptRunner, prefix: string, filter: ReceiptFilter): Promise<ReceiptPage> {
  const { tenantId, runId, status, limit, after } = checkReceiptFilter(filter);
  const beginning = tenantId === undefined ? '' : beginningOf(tenantId, runId);
  const wanted = { beginning, runId, status };
  const buckets = bucketsOf(tenantId, runId);
  const begun = after === undefined ? undefined : bucketOfEntry(after);
  const left = buckets.filter((bucket) => begun === undefined || bucket >= begun);
  const found: Found[] = [];
  for (let width = 1; left.length > 0 && found.length <= limit; width = Math.min(width * 2, WIDEST_WINDOW)) {
    const missing = limit + 1 - found.length;
    const read = (bucket: number) =>
      readBucket(runner, shelfOf(prefix, bucket), bucket === begun ? (after as string) : '', wanted, missing);
    found.push(...(await Promise.all(left.splice(0, width).map(read))).flat());
  }
  const receipts = found.slice(0, limit).map(({ summary }) => summary);
  const end = found[limit - 1];
  return found.length > limit && end !== undefined ? { receipts, next: end.entry } : { receipts };
}

/** A run has one bucket; everything else may be in any. */
function bucketsOf(tenantId: string | undefined, runId: string | undefined): number[] {
  if (tenantId !== undefined && runId !== undefined) return [bucketOf(tenantId, runId)];
  return Array.from({ length: BUCKETS }, (_, bucket) => bucket);
}

function bucketOfEntry(entry: string): number {
  const { key } = readEntry(entry);
  return bucketOf(key.tenantId, key.runId);
}

/** Entries that are looked at together where few of them may be wanted. */
const SIEVED = 1_000;

/** Up to `missing` receipts of one bucket that are wanted. */
async function readBucket(
  runner: ScriptRunner,
  shelf: Shelf,
  start: string,
  wanted: Wanted,
  missing: number,
): Promise<Found[]> {
  const { beginning, runId, status } = wanted;
  const most = status !== undefined || (runId !== undefined && beginning === '') ? SIEVED : missing;
  const found: Found[] = [];
  let from = start;
  do {
    const { entries, last } = await scan(runner, [shelf.live, shelf.spent], from, '', beginning, most);
    found.push(...(await readRows(runner, shelf, entries, wanted)));
    from = last;
  } while (from !== '' && found.length < missing);
  return found.slice(0, missing);
}

/** Index entries in order after `from`, and where to go on; `last` is empty when there are no more. */
export async function scan(
  runner: ScriptRunner,
  indexes: readonly string[],
  from: string,
  minAgeMs: string,
  beginning: string,
  limit: number,
): Promise<{ readonly entries: readonly string[]; readonly last: string }> {
  const [last, ...entries] = listOf(
    await runner.run(SCAN_SCRIPT, indexes, [from, minAgeMs, beginning, String(limit)]),
  ).map(textOf);
  return { entries, last: last as string };
}

async function readRows(
  runner: ScriptRunner,
  shelf: Shelf,
  entries: readonly string[],
  { runId, status }: Wanted,
): Promise<Found[]> {
  const read = entries
    .map((entry) => ({ entry, ...readEntry(entry) }))
    .filter(({ key }) => runId === undefined || key.runId === runId);
  if (read.length === 0) return [];
  const keys = read.map(({ text }) => shelf.receipt(text));
  const [time, ...rows] = listOf(await runner.run(READ_SCRIPT, keys, storedStatuses(status)));
  const now = numberOf(time);
  return read.flatMap(({ entry, key }, index) => {
    const fields = rows[index];
    if (fields === null || fields === undefined) return [];
    const row = rowOf(listOf(fields));
    const [created, changed] = listOf(fields).slice(8);
    const createdAt = numberOf(created);
    // A receipt that is still in its first attempt has not changed.
    const changedAt = changed === null || changed === undefined ? createdAt : numberOf(changed);
    const summary = summarizeReceipt(key, row, now, { ageMs: now - createdAt, sinceChangeMs: now - changedAt });
    return status === undefined || summary.status === status ? [{ entry, summary }] : [];
  });
}

/** The stored statuses that a receipt of this status can have, so that other receipts need not travel. */
function storedStatuses(status: ReceiptStatus | undefined): ReceiptRow['status'][] {
  switch (status) {
    case undefined:
      return ['running', 'completed', 'failed', 'ambiguous', 'rejected'];
    case 'running':
    case 'expired':
      return ['running'];
    case 'ambiguous':
      return ['running', 'ambiguous'];
    case 'gone':
      return ['completed'];
    default:
      return [status];
  }
}
