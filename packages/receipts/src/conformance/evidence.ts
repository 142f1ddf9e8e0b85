/** What becomes of news that come too late to count. */

import { cases } from './case.js';
import { equal, matches } from './expect.js';
import { KEY, resumable } from './trial.js';

export const evidence = cases('evidence', {
  kept: [
    'keeps the late outcome of an attempt that was taken over, for whoever looks',
    async (trial) => {
      const { zombie } = await trial.takenOver();
      const { attempt } = zombie;
      await trial.store.fail(KEY, zombie, { kind: 'clean', error: 'first news' });
      equal('the evidence', (await trial.summary()).evidence, { attempt, kind: 'failed', text: 'first news' });
      await trial.store.complete(KEY, zombie, 'receipt 17');
      equal('the evidence', (await trial.summary()).evidence, { attempt, kind: 'completed', text: 'receipt 17' });
    },
  ],

  'own-word': [
    'keeps as evidence what an attempt says after it had said something else',
    async (trial) => {
      const claim = await trial.failed('unknown', 'timeout');
      await trial.store.complete(KEY, claim, 'it went through');
      const { attempt } = claim;
      equal('the evidence', (await trial.summary()).evidence, { attempt, kind: 'completed', text: 'it went through' });
    },
  ],

  rank: [
    'keeps a result before an error, and the news of a later attempt before those of an earlier one',
    async (trial) => {
      const [first, second] = [await trial.abandoned('a', resumable), await trial.abandoned('b', resumable)];
      await trial.granted('c', resumable);
      const { store } = trial;
      await store.complete(KEY, first, 'first');
      await store.fail(KEY, second, { kind: 'clean', error: 'less' });
      equal('the text', (await trial.summary()).evidence?.text, 'first');
      await store.complete(KEY, second, 'second');
      equal('the text', (await trial.summary()).evidence?.text, 'second');
      await store.complete(KEY, first, 'first again');
      equal('the text', (await trial.summary()).evidence?.text, 'second');
    },
  ],

  told: [
    'tells the evidence to a caller that finds the call ambiguous',
    async (trial) => {
      const claim = await trial.failed('clean', 'no', KEY, 'a');
      await trial.abandoned('b');
      await trial.store.complete(KEY, claim, 'receipt 17');
      const told = { attempt: claim.attempt, kind: 'completed', text: 'receipt 17' };
      matches('the claim', await trial.claim('c'), { kind: 'ambiguous', evidence: told });
    },
  ],

  'kept-on': [
    'keeps the evidence over the grant of the next attempt',
    async (trial) => {
      const claim = await trial.failed('clean', 'no', KEY, 'a');
      await trial.store.complete(KEY, claim, 'receipt 17');
      await trial.granted('b');
      equal('the text', (await trial.summary()).evidence?.text, 'receipt 17');
    },
  ],

  forged: [
    'keeps nothing from a writer whose attempt was never granted',
    async (trial) => {
      const claim = await trial.granted('a');
      for (const forged of [
        { ...claim, token: 'b' },
        { ...claim, attempt: claim.attempt + 1 },
      ]) {
        await trial.store.complete(KEY, forged, 'forged');
        await trial.store.fail(KEY, forged, { kind: 'clean', error: 'forged' });
      }
      equal('the evidence', (await trial.summary()).evidence, undefined);
    },
  ],
});
