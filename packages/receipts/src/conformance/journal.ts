/** What a resumable effect finds again. */

import { cases } from './case.js';
import { equal } from './expect.js';
import { KEY, LONG, ok, resumable, SHORT } from './trial.js';

export const journal = cases('journal', {
  'taken-over': [
    'gives the attempt that takes over the journal of all attempts before it',
    async (trial) => {
      const first = await trial.granted('a', { ...resumable, leaseMs: SHORT });
      await trial.store.step(KEY, first, SHORT, 'one', '1');
      await trial.lapse(KEY);
      const second = await trial.granted('b', resumable);
      await trial.store.step(KEY, second, LONG, 'two', '2');
      const both = new Map([
        ['one', '1'],
        ['two', '2'],
      ]);
      equal('the journal', await trial.journalAfter(second), both);
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
      equal('the step', await trial.store.step(KEY, claim, LONG, 'one', '1'), ok);
      equal('the step sent again', await trial.other.step(KEY, claim, LONG, 'one', 'other'), ok);
      equal('the journal', await trial.journalAfter(claim), new Map([['one', '1']]));
    },
  ],

  apart: [
    'keeps the journals of different calls apart',
    async (trial) => {
      const other = 'other';
      const parts = [{}, { tenantId: other }, { runId: other }, { toolName: other }, { argsHash: other }];
      const keys = parts.map((part) => ({ ...KEY, ...part }));
      const claims = [];
      for (const [index, key] of keys.entries()) {
        const claim = await trial.granted('a', resumable, key);
        await trial.store.step(key, claim, LONG, 'one', String(index));
        claims.push({ key, claim, expected: new Map([['one', String(index)]]) });
      }
      for (const { key, claim, expected } of claims) {
        equal('the journal', await trial.journalAfter(claim, key), expected);
      }
    },
  ],

  many: [
    'keeps every entry of a long journal',
    async (trial) => {
      const claim = await trial.granted('a', resumable);
      const names = Array.from({ length: 64 }, (_, index) => `step ${index}`);
      for (const name of names) await trial.store.step(KEY, claim, LONG, name, name);
      equal('the journal', await trial.journalAfter(claim), new Map(names.map((name) => [name, name])));
    },
  ],
});
