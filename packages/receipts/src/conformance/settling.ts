/** How an attempt ends. */

import type { FailureKind } from '../receipt-store.js';
import { cases } from './case.js';
import { equal, matches, refuses } from './expect.js';
import { already, fenced, KEY, keyOf, OPTION, ok } from './trial.js';

const KINDS: readonly FailureKind[] = ['clean', 'unknown', 'terminal'];

export const settling = cases('settling', {
  replay: [
    'replays the result, to its own caller too',
    async (trial) => {
      const { attempt } = await trial.completed('done', KEY, 'a');
      for (const token of ['a', 'b']) {
        equal(`the claim of ${token}`, await trial.claim(token), { kind: 'replay', attempt, result: 'done' });
      }
    },
  ],

  'complete-resent': [
    'answers a completion that was sent again with already, and keeps the first result',
    async (trial) => {
      const claim = await trial.completed('first');
      equal('the completion sent again', await trial.other.complete(KEY, claim, 'second'), already);
      matches('the next claim', await trial.claim('b'), { kind: 'replay', result: 'first' });
    },
  ],

  'fail-resent': [
    'answers a failure that was sent again with already, and keeps the first error',
    async (trial) => {
      for (const kind of KINDS) {
        const key = keyOf(kind);
        const claim = await trial.failed(kind, 'first', key);
        const again = await trial.other.fail(key, claim, { kind, error: 'second' });
        equal(`the ${kind} failure sent again`, again, already);
        equal('the error', (await trial.summary(key)).error, 'first');
      }
    },
  ],

  'completed-stays': [
    'does not let a completed attempt fail',
    async (trial) => {
      for (const kind of KINDS) {
        const key = keyOf(kind);
        const claim = await trial.completed('done', key);
        equal(`the ${kind} failure`, await trial.store.fail(key, claim, { kind, error: 'no' }), fenced);
        await trial.answers('replay', 'b', {}, key);
      }
    },
  ],

  'failed-stays': [
    'does not let a failed attempt complete, or fail in another way',
    async (trial) => {
      for (const kind of KINDS) {
        const key = keyOf(kind);
        const claim = await trial.failed(kind, 'no', key);
        const { status } = await trial.summary(key);
        equal('the completion', await trial.store.complete(key, claim, 'done'), fenced);
        const other = kind === 'clean' ? 'terminal' : 'clean';
        equal(`the ${other} failure`, await trial.store.fail(key, claim, { kind: other, error: 'no' }), fenced);
        equal('the receipt', (await trial.summary(key)).status, status);
      }
    },
  ],

  unknown: [
    'stays ambiguous after an unknown failure, resumable or not, and shows the error',
    async (trial) => {
      for (const effect of ['opaque', 'resumable'] as const) {
        const key = keyOf(effect);
        const claim = await trial.granted('a', { effect }, key);
        await trial.store.fail(key, claim, { kind: 'unknown', error: 'timeout' });
        const { attempt } = claim;
        matches('the next claim', await trial.claim('b', { effect }, key), {
          kind: 'ambiguous',
          attempt,
          error: 'timeout',
        });
        matches('its own claim', await trial.claim('a', { effect }, key), { kind: 'ambiguous' });
      }
    },
  ],

  terminal: [
    'rejects for ever after a terminal failure, and says why',
    async (trial) => {
      const { attempt } = await trial.failed('terminal', 'card declined', KEY, 'a');
      await trial.advance?.(86_400_000 * 365);
      for (const token of ['a', 'b']) {
        equal('the claim', await trial.claim(token), { kind: 'rejected', attempt, error: 'card declined' });
      }
    },
  ],

  refuses: [
    'refuses results and failures that it could not keep, and changes nothing',
    async (trial) => {
      const { store } = trial;
      const claim = await trial.granted('a');
      for (const error of [undefined, 1]) {
        const failure = { kind: 'clean', error: error as unknown as string } as const;
        await refuses('an error that is no text', () => store.fail(KEY, claim, failure), OPTION);
      }
      const failure = { kind: 'toString' as FailureKind, error: '' };
      await refuses('a failure of no kind', () => store.fail(KEY, claim, failure), OPTION);
      await refuses('a result that is no text', () => store.complete(KEY, claim, 1 as unknown as string), OPTION);
      equal('the receipt', (await trial.summary()).status, 'running');
      equal('the completion', await store.complete(KEY, claim, 'done'), ok);
    },
  ],
});
