/** One receipt in each state: those that the decision knows, and those that a person sees. */

import type { EffectResumability, ReceiptState } from '../receipt-decision.js';
import type { ToolCallReceiptKey } from '../receipt-key.js';
import type { ReceiptStatus } from '../receipt-store.js';
import { keyOf, LONG, resumable, SHORT, type Trial } from './trial.js';

export interface Reached {
  readonly key: ToolCallReceiptKey;
  readonly state: ReceiptState;
  readonly effect: EffectResumability;
}

/** A receipt in each state that the decision knows, on attempt 1 and on attempt 2, for both effects. */
export async function everyState(trial: Trial): Promise<readonly Reached[]> {
  const reached: Reached[] = [];
  const leases = { expired: SHORT, live: LONG, failed: LONG, completed: LONG };
  for (const effect of ['opaque', 'resumable'] as const) {
    reached.push({ key: keyOf(`absent ${effect}`), state: { kind: 'absent' }, effect });
    for (const [name, leaseMs] of Object.entries(leases)) {
      for (const failures of [0, 1]) {
        const key = keyOf(`${name} ${effect} ${failures}`);
        if (failures === 1) await trial.failed('clean', 'no', key, 'before');
        const claim = await trial.granted('holder', { effect, leaseMs }, key);
        if (name === 'failed') await trial.store.fail(key, claim, { kind: 'clean', error: 'no' });
        if (name === 'completed') await trial.store.complete(key, claim, 'done');
        reached.push({ key, state: stateOf(name, claim.attempt), effect });
      }
    }
  }
  await trial.lapse(
    ...reached.filter(({ state }) => state.kind === 'running' && state.leaseExpired).map(({ key }) => key),
  );
  return reached;
}

function stateOf(name: string, attempts: number): ReceiptState {
  if (name === 'completed') return { kind: 'completed' };
  if (name === 'failed') return { kind: 'failed', attempts };
  return { kind: 'running', attempts, leaseExpired: name === 'expired' };
}

/** A receipt in each state that a person can see: its status by the hash of its key. */
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
