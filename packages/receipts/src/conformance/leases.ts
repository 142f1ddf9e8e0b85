/** How long a grant holds. Every time here is the store's. */

import { cases } from './case.js';
import { equal, holds, matches, refuses } from './expect.js';
import { KEY, LONG, OPTION, ok, resumable, SHORT } from './trial.js';

export const leases = cases('leases', {
  live: [
    'lets others wait while a lease is live, and says for how long',
    async (trial) => {
      const { attempt } = await trial.granted('a');
      const outcome = await trial.claim('b');
      matches('the claim beside it', outcome, { kind: 'wait', attempt });
      const { remainingMs } = outcome as typeof outcome & { kind: 'wait' };
      holds('the rest of the lease', remainingMs > 0 && remainingMs <= LONG, `above 0, up to ${LONG}`, remainingMs);
    },
  ],

  edge: [
    'ends a lease on its last millisecond, and not before',
    async (trial) => {
      const { attempt } = await trial.granted('a', { ...resumable, leaseMs: SHORT });
      if (trial.advance === undefined) {
        await trial.lapse(KEY);
      } else {
        await trial.advance(SHORT - 1);
        equal('the rest of the lease', await trial.remaining(), 1);
        await trial.advance(1);
      }
      const next = await trial.grant('b', resumable);
      holds('the attempt that takes over', next.attempt > attempt, `more than ${attempt}`, next.attempt);
    },
  ],

  'takeover-lease': [
    'gives an attempt that takes over a lease of its own',
    async (trial) => {
      await trial.abandoned('a', resumable);
      await trial.granted('b', resumable);
      const remainingMs = await trial.remaining();
      holds('the rest of the lease', remainingMs > SHORT, `more than ${SHORT}`, remainingMs);
    },
  ],

  'resent-lease': [
    'gives a claim that was sent again its whole lease',
    async (trial) => {
      await trial.granted('a');
      await trial.granted('a', { leaseMs: 2 * LONG });
      const remainingMs = await trial.remaining();
      holds('the rest of the lease', remainingMs > LONG, `more than ${LONG}`, remainingMs);
    },
  ],

  renew: [
    'renews a lease from now on',
    async (trial) => {
      const claim = await trial.granted('a', { leaseMs: LONG / 2 });
      for (let times = 0; times < 2; times++) {
        equal('the renewal', await trial.store.renew(KEY, claim, LONG), ok);
        const remainingMs = await trial.remaining();
        const fits = remainingMs > LONG / 2 && remainingMs <= LONG;
        holds('the rest of the lease', fits, `above ${LONG / 2}, up to ${LONG}`, remainingMs);
      }
    },
  ],

  'renew-late': [
    'brings a lease back to life that had run out, if nobody took over',
    async (trial) => {
      const claim = await trial.abandoned('a');
      equal('the late renewal', await trial.store.renew(KEY, claim, LONG), ok);
      await trial.answers('wait', 'b');
    },
  ],

  'step-renews': [
    'renews the lease with every journal entry, also late',
    async (trial) => {
      const claim = await trial.abandoned('a', resumable);
      for (const name of ['one', 'two']) {
        equal('the step', await trial.store.step(KEY, claim, LONG, name, '1'), ok);
        const remainingMs = await trial.remaining();
        holds('the rest of the lease', remainingMs > SHORT, `more than ${SHORT}`, remainingMs);
      }
    },
  ],

  'complete-late': [
    'accepts the late result of an attempt that nobody took over, which ends the ambiguity',
    async (trial) => {
      const claim = await trial.abandoned('a');
      await trial.answers('ambiguous', 'b');
      equal('the late completion', await trial.store.complete(KEY, claim, 'late'), ok);
      matches('the next claim', await trial.claim('c'), { kind: 'replay', result: 'late' });
    },
  ],

  'fail-late': [
    'accepts the late failure of an attempt that nobody took over',
    async (trial) => {
      const claim = await trial.abandoned('a');
      equal('the late failure', await trial.store.fail(KEY, claim, { kind: 'clean', error: 'no' }), ok);
      await trial.answers('execute', 'b');
    },
  ],

  refuses: [
    'refuses leases that have no length',
    async (trial) => {
      const { store } = trial;
      const claim = await trial.granted('a');
      for (const leaseMs of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 86_400_001]) {
        await refuses(`a renewal for ${leaseMs}`, () => store.renew(KEY, claim, leaseMs), OPTION);
        await refuses(`a step for ${leaseMs}`, () => store.step(KEY, claim, leaseMs, 'one', '1'), OPTION);
      }
      equal('the journal', (await trial.grant('a')).steps, new Map());
    },
  ],
});
