/** One receipt in each state that a person can see. */

import type { ReceiptStatus } from '../receipt-store.js';
import { keyOf, resumable, SHORT, type Trial } from './trial.js';

/** Makes them; gives the status of each by the hash of its key. */
export async function everyStatus(trial: Trial): Promise<Readonly<Record<string, ReceiptStatus>>> {
  await trial.completed('old', keyOf('gone'));
  await trial.until(async () => {
    await trial.advance?.(SHORT);
    const policy = { dropResultsAfterMs: 1, removeKeysAfterMs: Number.MAX_SAFE_INTEGER };
    return (await trial.store.collect(policy)).resultsDropped === 1;
  }, 'the result that goes');
  await trial.granted('a', { ...resumable, leaseMs: SHORT }, keyOf('expired'));
  await trial.granted('a', { leaseMs: SHORT }, keyOf('abandoned'));
  await trial.lapse(keyOf('expired'), keyOf('abandoned'));
  await trial.failed('unknown', 'timeout', keyOf('ambiguous'));
  await trial.failed('clean', 'no', keyOf('failed'));
  await trial.failed('terminal', 'never', keyOf('rejected'));
  await trial.completed('done', keyOf('completed'));
  await trial.granted('a', {}, keyOf('running'));
  return {
    gone: 'gone',
    expired: 'expired',
    abandoned: 'ambiguous',
    ambiguous: 'ambiguous',
    failed: 'failed',
    rejected: 'rejected',
    completed: 'completed',
    running: 'running',
  };
}
