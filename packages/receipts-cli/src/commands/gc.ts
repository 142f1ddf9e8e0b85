/** `receipts gc` */

import type { CollectPolicy, ReceiptStatus, ReceiptStore, ReceiptSummary } from '@holdfast/receipts';
import { checkCollectPolicy } from '@holdfast/receipts/store';
import type { Arguments } from '../arguments.js';
import { inWords, parseDuration } from '../duration.js';
import { EXIT, type ExitCode, usageError } from '../exit.js';
import { confirms, isInteractive, output } from '../output.js';

/** Receipts touched in one call of the store. */
const BATCH = 1_000;

/** Retries come for longer than this, so that keys which are gone sooner let calls run twice. */
const SHORT_MS = 3_600_000;

/** What retention may touch. */
const SETTLED: readonly ReceiptStatus[] = ['completed', 'gone', 'failed', 'rejected'];

interface Counts {
  resultsDropped: number;
  keysRemoved: number;
}

export async function gc(store: ReceiptStore, args: Arguments): Promise<ExitCode> {
  const policy = policyOf(args);
  const dryRun = args.flag('dry-run');
  if (!dryRun && !args.flag('yes') && !(await isMeant(policy))) {
    output.say('Nothing was changed.\n');
    if (args.flag('json')) output.json({ dryRun, resultsDropped: 0, keysRemoved: 0 });
    return EXIT.finding;
  }
  const counts = dryRun ? await count(store, policy) : await collect(store, policy);
  if (args.flag('json')) {
    output.json({ dryRun, ...counts });
    return EXIT.ok;
  }
  const { resultsDropped, keysRemoved } = counts;
  const [drops, removes] = [ageInWords(policy.dropResultsAfterMs), ageInWords(policy.removeKeysAfterMs)];
  output.print(
    `${dryRun ? 'Would drop' : 'Dropped'} ${resultsDropped} results older than ${drops}, and ` +
      `${dryRun ? 'would remove' : 'removed'} ${keysRemoved} keys older than ${removes}.\n`,
  );
  return EXIT.ok;
}

function ageInWords(ms: number): string {
  return ms < 1_000 ? `${ms} milliseconds` : inWords(ms);
}

/** Removing a key makes its call new, which nobody should do to calls of this hour by a slip. */
async function isMeant({ removeKeysAfterMs }: CollectPolicy): Promise<boolean> {
  if (removeKeysAfterMs >= SHORT_MS) return true;
  const warning = `--keep-keys-for ${inWords(removeKeysAfterMs)}: calls that have happened run again when they are retried.`;
  if (!isInteractive()) throw usageError(`${warning} Pass --yes, if that is what you want.`);
  return confirms(`${warning} Is that so?`);
}

function policyOf(args: Arguments): CollectPolicy {
  const [drop, keep] = ['drop-results-after', 'keep-keys-for'].map((option) => {
    const text = args.text(option);
    if (text === undefined)
      throw usageError('gc needs --drop-results-after and --keep-keys-for: there is no safe default.');
    return parseDuration(option, text);
  }) as [number, number];
  if (keep < drop) throw usageError('--keep-keys-for must be at least --drop-results-after: a result has its key.');
  const policy = { dropResultsAfterMs: drop, removeKeysAfterMs: keep, limit: BATCH };
  checkCollectPolicy(policy);
  return policy;
}

/** Batch by batch, so that it can be stopped at any time and nothing is held up for long. */
async function collect(store: ReceiptStore, policy: CollectPolicy): Promise<Counts> {
  const counts = { resultsDropped: 0, keysRemoved: 0 };
  for (;;) {
    const { resultsDropped, keysRemoved, more } = await store.collect(policy);
    counts.resultsDropped += resultsDropped;
    counts.keysRemoved += keysRemoved;
    if (!more) return counts;
  }
}

/** What the same policy would do now, counted from what the store lists. */
async function count(store: ReceiptStore, policy: CollectPolicy): Promise<Counts> {
  const counts = { resultsDropped: 0, keysRemoved: 0 };
  for (const status of SETTLED) {
    let after: string | undefined;
    do {
      const page = await store.list({ status, limit: BATCH, ...(after !== undefined && { after }) });
      for (const receipt of page.receipts) add(counts, receipt, policy);
      after = page.next;
    } while (after !== undefined);
  }
  return counts;
}

function add(counts: Counts, { status, sinceChangeMs }: ReceiptSummary, policy: CollectPolicy): void {
  if (sinceChangeMs >= policy.removeKeysAfterMs) counts.keysRemoved++;
  else if (status === 'completed' && sinceChangeMs >= policy.dropResultsAfterMs) counts.resultsDropped++;
}
