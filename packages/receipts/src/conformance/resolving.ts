/** What a person or a reconciler may say. */

import type { ReceiptVerdict } from '../receipt-store.js';
import { cases } from './case.js';
import { equal, holds, matches, refuses } from './expect.js';
import { fenced, KEY, keyOf, LONG, OPTION, ok, resumable } from './trial.js';

const VERDICTS: readonly ReceiptVerdict[] = [
  { kind: 'happened', result: 'seen in the ledger' },
  { kind: 'did-not-happen' },
  { kind: 'give-up', error: 'stop' },
];

const nothing = { kind: 'did-not-happen' } as const;

export const resolving = cases('resolving', {
  happened: [
    'replays the result of the verdict that it happened',
    async (trial) => {
      const { attempt } = await trial.failed('unknown', 'timeout');
      equal('the verdict', await trial.store.resolve(KEY, attempt, { kind: 'happened', result: 'seen' }), ok);
      equal('the next claim', await trial.claim('b'), { kind: 'replay', attempt, result: 'seen' });
    },
  ],

  'did-not-happen': [
    'executes under the next attempt after the verdict that it did not happen, opaque too',
    async (trial) => {
      const { attempt } = await trial.failed('unknown', 'timeout');
      equal('the verdict', await trial.store.resolve(KEY, attempt, nothing), ok);
      const next = await trial.grant('b');
      holds('the next attempt', next.attempt > attempt, `more than ${attempt}`, next.attempt);
      await trial.answers('wait', 'c');
    },
  ],

  'give-up': [
    'rejects after the verdict that nobody shall try again',
    async (trial) => {
      const { attempt } = await trial.failed('unknown', 'timeout');
      equal('the verdict', await trial.store.resolve(KEY, attempt, { kind: 'give-up', error: 'stop' }), ok);
      equal('the next claim', await trial.claim('b'), { kind: 'rejected', attempt, error: 'stop' });
    },
  ],

  abandoned: [
    'settles an attempt past its lease by each verdict, opaque or resumable',
    async (trial) => {
      const answers = { happened: 'replay', 'did-not-happen': 'execute', 'give-up': 'rejected' } as const;
      for (const effect of ['opaque', 'resumable'] as const) {
        for (const verdict of VERDICTS) {
          const key = keyOf(`${effect} ${verdict.kind}`);
          const { attempt } = await trial.abandoned('a', { effect }, key);
          equal(`${verdict.kind} of an ${effect} one`, await trial.store.resolve(key, attempt, verdict), ok);
          await trial.answers(answers[verdict.kind], 'b', { effect }, key);
        }
      }
    },
  ],

  live: [
    'does not settle an attempt whose lease is live',
    async (trial) => {
      const { attempt } = await trial.granted('a');
      for (const verdict of VERDICTS) {
        equal(verdict.kind, await trial.store.resolve(KEY, attempt, verdict), fenced);
      }
      await trial.answers('wait', 'b');
    },
  ],

  settled: [
    'does not settle what is completed, failed or rejected',
    async (trial) => {
      const { attempt } = await trial.completed('done');
      for (const verdict of VERDICTS)
        equal('on a completed one', await trial.store.resolve(KEY, attempt, verdict), fenced);
      matches('the claim', await trial.claim('b'), { kind: 'replay', result: 'done' });
      for (const kind of ['clean', 'terminal'] as const) {
        const key = keyOf(kind);
        const failed = await trial.failed(kind, 'no', key);
        for (const verdict of VERDICTS) {
          equal(`after a ${kind} failure`, await trial.store.resolve(key, failed.attempt, verdict), fenced);
        }
        equal('the receipt', (await trial.summary(key)).status, kind === 'clean' ? 'failed' : 'rejected');
      }
    },
  ],

  attempt: [
    'does not apply a verdict to another attempt than the one it names',
    async (trial) => {
      const first = await trial.failed('unknown', 'timeout', KEY, 'a');
      await trial.store.resolve(KEY, first.attempt, nothing);
      const second = await trial.failed('unknown', 'timeout', KEY, 'b');
      for (const attempt of [first.attempt, 0, second.attempt + 1]) {
        equal(`the verdict on attempt ${attempt}`, await trial.store.resolve(KEY, attempt, nothing), fenced);
      }
      await trial.answers('ambiguous', 'c');
    },
  ],

  first: [
    'lets the first verdict stand, also when it is sent again',
    async (trial) => {
      for (const verdict of VERDICTS) {
        const key = keyOf(verdict.kind);
        const { attempt } = await trial.failed('unknown', 'timeout', key);
        await trial.store.resolve(key, attempt, verdict);
        const { status } = await trial.summary(key);
        for (const later of VERDICTS) {
          equal(`${later.kind} after ${verdict.kind}`, await trial.other.resolve(key, attempt, later), fenced);
        }
        equal('the receipt', (await trial.summary(key)).status, status);
      }
    },
  ],

  zombie: [
    'fences a worker that wakes up after the verdict, and keeps its result as evidence',
    async (trial) => {
      for (const verdict of VERDICTS) {
        const key = keyOf(verdict.kind);
        const zombie = await trial.abandoned('a', {}, key);
        await trial.store.resolve(key, zombie.attempt, verdict);
        const { status } = await trial.summary(key);
        equal('its renewal', await trial.store.renew(key, zombie, LONG), fenced);
        equal('its completion', await trial.store.complete(key, zombie, 'zombie'), fenced);
        const now = await trial.summary(key);
        equal('the receipt', now.status, status);
        equal('the evidence', now.evidence?.text, 'zombie');
      }
    },
  ],

  stale: [
    'answers stale to the token of the attempt that was said not to have happened',
    async (trial) => {
      const { attempt, token } = await trial.abandoned('a');
      await trial.store.resolve(KEY, attempt, nothing);
      equal('its claim', await trial.claim(token), { kind: 'stale', attempt });
    },
  ],

  journal: [
    'keeps the journal over a verdict',
    async (trial) => {
      const claim = await trial.granted('a', resumable);
      await trial.store.step(KEY, claim, LONG, 'one', '1');
      await trial.store.fail(KEY, claim, { kind: 'unknown', error: 'timeout' });
      await trial.store.resolve(KEY, claim.attempt, nothing);
      equal('the journal', (await trial.grant('b', resumable)).steps, new Map([['one', '1']]));
    },
  ],

  refuses: [
    'refuses verdicts that it could not keep, and changes nothing',
    async (trial) => {
      const { attempt } = await trial.failed('unknown', 'timeout');
      for (const verdict of [{ kind: 'maybe' }, { kind: 'happened' }, { kind: 'give-up', error: 1 }]) {
        const resolve = () => trial.store.resolve(KEY, attempt, verdict as unknown as ReceiptVerdict);
        await refuses(`the verdict ${JSON.stringify(verdict)}`, resolve, OPTION);
      }
      await trial.answers('ambiguous', 'b');
    },
  ],
});
