/** What a resumable effect finds again. */

import { cases } from './case.js';
import { equal } from './expect.js';
import { KEY, LONG, ok, resumable } from './trial.js';

export const journal = cases('journal', {
  'taken-over': [
    'gives the attempt that takes over the journal of all attempts before it',
    async (trial) => {
      const { store } = trial;
      const first = await trial.granted('a', resumable);
      await store.step(KEY, first, 40, 'one', '1');
      await trial.lapse(KEY);
      const second = await trial.granted('b', resumable);
      await store.step(KEY, second, 40, 'two', '2');
      await trial.lapse(KEY);
      const { steps } = await trial.grant('c', resumable);
      equal(
        'the journal',
        steps,
        new Map([
          ['one', '1'],
          ['two', '2'],
        ]),
      );
    },
  ],

  'after-failure': [
    'gives the attempt after a clean failure the journal',
    async (trial) => {
      const first = await trial.granted('a', resumable);
      await trial.store.step(KEY, first, LONG, 'one', '1');
      await trial.store.fail(KEY, first, { kind: 'clean', error: 'no' });
      equal('the journal', (await trial.grant('b', resumable)).steps, new Map([['one', '1']]));
    },
  ],

  'claim-resent': [
    'gives the journal also to a claim that was sent again',
    async (trial) => {
      const claim = await trial.granted('a', resumable);
      await trial.store.step(KEY, claim, LONG, 'one', '1');
      equal('the journal', (await trial.grant('a', resumable)).steps, new Map([['one', '1']]));
    },
  ],

  'step-resent': [
    'answers a step that was sent again with ok, and keeps the first entry',
    async (trial) => {
      const claim = await trial.granted('a', resumable);
      const { store, other } = trial;
      equal('the step', await store.step(KEY, claim, LONG, 'one', '1'), ok);
      equal('the step sent again', await other.step(KEY, claim, LONG, 'one', 'other'), ok);
      await store.fail(KEY, claim, { kind: 'clean', error: 'no' });
      equal('the entry', (await trial.grant('b', resumable)).steps.get('one'), '1');
    },
  ],

  apart: [
    'keeps the journals of different calls apart',
    async (trial) => {
      const keys = [
        KEY,
        { ...KEY, tenantId: 'other' },
        { ...KEY, runId: 'other' },
        { ...KEY, toolName: 'other' },
        { ...KEY, argsHash: 'other' },
      ];
      for (const [index, key] of keys.entries()) {
        const claim = await trial.granted('a', resumable, key);
        await trial.store.step(key, claim, LONG, 'one', String(index));
      }
      for (const [index, key] of keys.entries()) {
        equal('the journal', (await trial.grant('a', resumable, key)).steps, new Map([['one', String(index)]]));
      }
    },
  ],

  many: [
    'keeps a thousand entries',
    async (trial) => {
      const claim = await trial.granted('a', resumable);
      const names = Array.from({ length: 1_000 }, (_, index) => `step ${index}`);
      for (const name of names) await trial.store.step(KEY, claim, LONG, name, name);
      const { steps } = await trial.grant('a', resumable);
      equal('the journal', steps, new Map(names.map((name) => [name, name])));
    },
  ],
});
