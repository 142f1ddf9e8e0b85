/** What retention removes: results first, keys later, and never what is still open. */

import type { CollectPolicy } from '../receipt-store.js';
import { cases } from './case.js';
import { everyStatus } from './every-state.js';
import { equal, matches, refuses } from './expect.js';
import { already, KEY, keyOf, LONG, OPTION, resumable, SHORT, type Trial } from './trial.js';

const NEVER = Number.MAX_SAFE_INTEGER;
const dropAll: CollectPolicy = { dropResultsAfterMs: 1, removeKeysAfterMs: NEVER };
const removeAll: CollectPolicy = { dropResultsAfterMs: 1, removeKeysAfterMs: 1 };
/** What a configuration may hold: infinity is `null` in JSON, and would compare like 0. */
const NO_NUMBERS = [null, '1', undefined] as unknown as readonly number[];
const nothing = { resultsDropped: 0, keysRemoved: 0, more: false };

/** Collects until so many have gone; on a moved clock that is the first time. Gives what went in all. */
async function collected(trial: Trial, policy: CollectPolicy, wanted: number) {
  let [resultsDropped, keysRemoved] = [0, 0];
  await trial.advance?.(1);
  await trial.until(async () => {
    const outcome = await trial.store.collect(policy);
    resultsDropped += outcome.resultsDropped;
    keysRemoved += outcome.keysRemoved;
    return resultsDropped + keysRemoved >= wanted;
  }, `${wanted} collected`);
  return { resultsDropped, keysRemoved };
}

export const collecting = cases('collecting', {
  results: [
    'drops the results of completed receipts, and keeps the keys, which answer gone',
    async (trial) => {
      const { attempt } = await trial.completed('done');
      equal('what went', await collected(trial, dropAll, 1), { resultsDropped: 1, keysRemoved: 0 });
      equal('the claim', await trial.claim('b'), { kind: 'gone', attempt });
      equal('the second time', await trial.store.collect(dropAll), nothing);
    },
  ],

  'gone-resent': [
    'answers a completion that was sent again with already, and stays gone',
    async (trial) => {
      const claim = await trial.completed('done');
      await collected(trial, dropAll, 1);
      equal('the completion sent again', await trial.store.complete(KEY, claim, 'done'), already);
      await trial.answers('gone', 'b');
    },
  ],

  keys: [
    'removes the keys of completed, failed and rejected receipts, which are unknown then',
    async (trial) => {
      await trial.completed('done', keyOf('completed'));
      await trial.failed('clean', 'no', keyOf('failed'));
      await trial.failed('terminal', 'no', keyOf('rejected'));
      equal('what went', await collected(trial, removeAll, 3), { resultsDropped: 0, keysRemoved: 3 });
      equal('the receipts', await trial.receipts(), []);
      matches('the claim', await trial.claim('b', {}, keyOf('completed')), { kind: 'execute', attempt: 1 });
    },
  ],

  ages: [
    'goes by the age since the last change, to the millisecond',
    async (trial) => {
      const claim = await trial.granted('a');
      await trial.advance?.(500);
      await trial.store.complete(KEY, claim, 'done');
      const policy = { dropResultsAfterMs: 100_000, removeKeysAfterMs: 300_000 };
      equal('at once', await trial.store.collect(policy), nothing);
      if (trial.advance === undefined) return;
      await trial.advance(99_999);
      equal('a millisecond before the result goes', await trial.store.collect(policy), nothing);
      await trial.advance(1);
      equal('when the result goes', await trial.store.collect(policy), { ...nothing, resultsDropped: 1 });
      await trial.advance(199_999);
      matches('a millisecond before the key goes', await trial.store.collect(policy), { keysRemoved: 0 });
      await trial.advance(1);
      matches('when the key goes', await trial.store.collect(policy), { keysRemoved: 1 });
    },
  ],

  spares: [
    'never touches running or ambiguous receipts, however old',
    async (trial) => {
      const made = await everyStatus(trial);
      await trial.advance?.(86_400_000 * 365);
      await collected(trial, removeAll, 4);
      const open = Object.keys(made).filter((name) =>
        ['running', 'expired', 'ambiguous'].includes(made[name] as string),
      );
      equal('the receipts left', (await trial.receipts()).map(({ key }) => key.argsHash).sort(), open.sort());
    },
  ],

  limit: [
    'stops at the limit, says so, and goes on when called again',
    async (trial) => {
      for (let index = 0; index < 5; index++) await trial.completed('done', keyOf(String(index)));
      await trial.advance?.(1);
      await trial.until(async () => (await trial.receipts()).every(({ sinceChangeMs }) => sinceChangeMs >= 1), 'age');
      equal('the first time', await trial.store.collect({ ...removeAll, limit: 3 }), {
        ...nothing,
        keysRemoved: 3,
        more: true,
      });
      equal('the receipts left', (await trial.receipts()).length, 2);
      equal('the second time', await trial.store.collect({ ...removeAll, limit: 3 }), { ...nothing, keysRemoved: 2 });
    },
  ],

  journal: [
    'forgets the journal with the key',
    async (trial) => {
      const claim = await trial.granted('a', resumable);
      await trial.store.step(KEY, claim, LONG, 'one', '1');
      await trial.store.complete(KEY, claim, 'done');
      await collected(trial, removeAll, 1);
      equal('the journal', (await trial.grant('b', resumable)).steps, new Map());
    },
  ],

  refuses: [
    'refuses policies that would forget keys before results, or without an age',
    async ({ store }) => {
      const wrong: CollectPolicy[] = [
        { dropResultsAfterMs: 2, removeKeysAfterMs: 1 },
        { dropResultsAfterMs: Number.NaN, removeKeysAfterMs: 1 },
        { dropResultsAfterMs: -1, removeKeysAfterMs: 1 },
        { dropResultsAfterMs: SHORT, removeKeysAfterMs: Number.NaN },
        ...NO_NUMBERS.map((age) => ({ dropResultsAfterMs: age, removeKeysAfterMs: NEVER })),
        ...NO_NUMBERS.map((age) => ({ dropResultsAfterMs: 0, removeKeysAfterMs: age })),
        { ...removeAll, limit: 0 },
        { ...removeAll, limit: 100_001 },
      ];
      for (const policy of wrong) await refuses(JSON.stringify(policy), () => store.collect(policy), OPTION);
    },
  ],
});
