/** Who may write: only the attempt that holds the receipt, under its number and its token. */

import type { ReceiptClaim } from '../receipt-store.js';
import { cases } from './case.js';
import { equal, matches } from './expect.js';
import { fenced, KEY, keyOf, LONG, ok, resumable, type Trial } from './trial.js';

/** The verbs of an attempt, each as one writes it. */
const WRITES = {
  complete: ({ store }: Trial, claim: ReceiptClaim, key = KEY) => store.complete(key, claim, 'zombie'),
  fail: ({ store }: Trial, claim: ReceiptClaim, key = KEY) =>
    store.fail(key, claim, { kind: 'clean', error: 'zombie' }),
  renew: ({ store }: Trial, claim: ReceiptClaim, key = KEY) => store.renew(key, claim, 2 * LONG),
  step: ({ store }: Trial, claim: ReceiptClaim, key = KEY) => store.step(key, claim, 2 * LONG, 'zombie', '1'),
};
type Write = keyof typeof WRITES;

/** The holder still holds, its lease is what it was, its journal is empty, and it can complete. */
async function isUntouched(trial: Trial, holder: ReceiptClaim): Promise<void> {
  const remainingMs = await trial.remaining();
  equal('whether the lease grew', remainingMs > LONG, false);
  const { attempt, steps } = await trial.grant(holder.token, resumable);
  equal('the attempt that holds', attempt, holder.attempt);
  equal('its journal', steps, new Map());
  equal('its completion', await trial.store.complete(KEY, holder, 'holder'), ok);
  matches('the next claim', await trial.claim('c'), { kind: 'replay', result: 'holder' });
}

const afterTakeover = (write: Write) =>
  [
    `fences ${write} of an attempt that was taken over`,
    async (trial: Trial) => {
      const { zombie, holder } = await trial.takenOver();
      equal(`${write} of the zombie`, await WRITES[write](trial, zombie), fenced);
      await isUntouched(trial, holder);
    },
  ] as const;

const withOtherToken = (write: Write) =>
  [
    `fences ${write} with the right attempt and another token`,
    async (trial: Trial) => {
      const holder = await trial.granted('a', resumable);
      equal(`${write} of a stranger`, await WRITES[write](trial, { ...holder, token: 'b' }), fenced);
      await isUntouched(trial, holder);
    },
  ] as const;

const withOtherAttempt = (write: Write) =>
  [
    `fences ${write} with the right token and another attempt`,
    async (trial: Trial) => {
      const holder = await trial.granted('a', resumable);
      for (const attempt of [holder.attempt + 1, holder.attempt - 1]) {
        equal(`${write} of attempt ${attempt}`, await WRITES[write](trial, { ...holder, attempt }), fenced);
      }
      await isUntouched(trial, holder);
    },
  ] as const;

const afterTheEnd = (write: 'renew' | 'step') =>
  [
    `fences ${write} of an attempt that has ended`,
    async (trial: Trial) => {
      const completed = keyOf('completed');
      const claim = await trial.completed('done', completed);
      equal(`${write} after completion`, await WRITES[write](trial, claim, completed), fenced);
      equal('the receipt', (await trial.summary(completed)).status, 'completed');
      for (const kind of ['clean', 'unknown', 'terminal'] as const) {
        const key = keyOf(kind);
        const ended = await trial.failed(kind, 'no', key);
        const { status } = await trial.summary(key);
        equal(`${write} after a ${kind} failure`, await WRITES[write](trial, ended, key), fenced);
        equal('the receipt', (await trial.summary(key)).status, status);
      }
    },
  ] as const;

export const fencing = cases('fencing', {
  'complete-taken-over': afterTakeover('complete'),
  'fail-taken-over': afterTakeover('fail'),
  'renew-taken-over': afterTakeover('renew'),
  'step-taken-over': afterTakeover('step'),
  'complete-token': withOtherToken('complete'),
  'fail-token': withOtherToken('fail'),
  'renew-token': withOtherToken('renew'),
  'step-token': withOtherToken('step'),
  'complete-attempt': withOtherAttempt('complete'),
  'fail-attempt': withOtherAttempt('fail'),
  'renew-attempt': withOtherAttempt('renew'),
  'step-attempt': withOtherAttempt('step'),
  'renew-ended': afterTheEnd('renew'),
  'step-ended': afterTheEnd('step'),

  absent: [
    'fences every write to a key that has no receipt, and creates none',
    async (trial) => {
      const claim = { attempt: 1, token: 'a' };
      for (const write of Object.keys(WRITES) as Write[]) {
        equal(`${write} to no receipt`, await WRITES[write](trial, claim), fenced);
      }
      equal('a verdict', await trial.store.resolve(KEY, 1, { kind: 'did-not-happen' }), fenced);
      equal('the receipts', await trial.receipts(), []);
    },
  ],
});
