/** What happens in the same moment, over two connections. */

import type { ToolCallReceiptKey } from '../receipt-key.js';
import type { ClaimOutcome, ReceiptClaim } from '../receipt-store.js';
import { cases } from './case.js';
import { equal, holds, matches } from './expect.js';
import { KEY, keyOf, LONG, request, resumable, SHORT, type Trial } from './trial.js';

/** Rounds of each race between two verbs. */
const ROUNDS = 8;

/** Keys of abandoned resumable attempts, one for each round. */
async function abandonedKeys(trial: Trial) {
  const keys = Array.from({ length: ROUNDS }, (_, index) => keyOf(`round ${index}`));
  const zombies = new Map<ToolCallReceiptKey, ReceiptClaim>();
  for (const key of keys) zombies.set(key, await trial.granted('zombie', { ...resumable, leaseMs: SHORT }, key));
  await trial.lapse(...keys);
  return [...zombies].map(([key, zombie]) => ({ key, zombie }));
}

const kinds = (outcomes: readonly ClaimOutcome[], kind: string) =>
  outcomes.filter((outcome) => outcome.kind === kind).length;

export const races = cases('races', {
  'first-claims': [
    'grants one of fifty first claims, and lets the others wait',
    async ({ store, other }) => {
      const claims = Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? store : other).claim(KEY, request(`token ${index}`)),
      );
      const outcomes = await Promise.all(claims);
      equal('grants', kinds(outcomes, 'execute'), 1);
      equal('waits', kinds(outcomes, 'wait'), 49);
    },
  ],

  takeovers: [
    'grants one of many takeovers',
    async (trial) => {
      for (const { key } of await abandonedKeys(trial)) {
        const claims = Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? trial.store : trial.other).claim(key, request(`token ${index}`, resumable)),
        );
        const outcomes = await Promise.all(claims);
        equal('grants', kinds(outcomes, 'execute'), 1);
        equal('waits', kinds(outcomes, 'wait'), 5);
      }
    },
  ],

  'renew-takeover': [
    'lets either a late renewal or a takeover win',
    async (trial) => {
      for (const { key, zombie } of await abandonedKeys(trial)) {
        const [renewed, claimed] = await Promise.all([
          trial.store.renew(key, zombie, LONG),
          trial.other.claim(key, request('b', resumable)),
        ]);
        equal('the claim', claimed.kind, renewed.kind === 'ok' ? 'wait' : 'execute');
      }
    },
  ],

  'complete-takeover': [
    'lets either a late result or a takeover win',
    async (trial) => {
      for (const { key, zombie } of await abandonedKeys(trial)) {
        const [completed, claimed] = await Promise.all([
          trial.store.complete(key, zombie, 'late'),
          trial.other.claim(key, request('b', resumable)),
        ]);
        equal('the claim', claimed.kind, completed.kind === 'ok' ? 'replay' : 'execute');
        const next = await trial.claim('c', {}, key);
        equal('the claim afterwards', next.kind, completed.kind === 'ok' ? 'replay' : 'wait');
      }
    },
  ],

  'step-takeover': [
    'shows an attempt that takes over every entry that was accepted',
    async (trial) => {
      for (const { key, zombie } of await abandonedKeys(trial)) {
        const [stepped, claimed] = await Promise.all([
          trial.store.step(key, zombie, LONG, 'one', '1'),
          trial.other.claim(key, request('b', resumable)),
        ]);
        const accepted = stepped.kind === 'ok';
        if (claimed.kind === 'execute') equal('whether the entry is found', claimed.steps.has('one'), accepted);
        else equal('the answers', [stepped.kind, claimed.kind], ['ok', 'wait']);
      }
    },
  ],

  settlements: [
    'lets one of two endings of an attempt win',
    async (trial) => {
      for (let round = 0; round < ROUNDS; round++) {
        const key = keyOf(`round ${round}`);
        const claim = await trial.granted('a', {}, key);
        const [completed, failed] = await Promise.all([
          trial.store.complete(key, claim, 'done'),
          trial.other.fail(key, claim, { kind: 'terminal', error: 'no' }),
        ]);
        equal('the endings', [completed.kind, failed.kind].sort(), ['fenced', 'ok']);
        await trial.answers(completed.kind === 'ok' ? 'replay' : 'rejected', 'b', {}, key);
      }
    },
  ],

  verdicts: [
    'lets one of two verdicts win',
    async (trial) => {
      for (let round = 0; round < ROUNDS; round++) {
        const key = keyOf(`round ${round}`);
        const { attempt } = await trial.failed('unknown', 'timeout', key);
        const [happened, not] = await Promise.all([
          trial.store.resolve(key, attempt, { kind: 'happened', result: 'seen' }),
          trial.other.resolve(key, attempt, { kind: 'did-not-happen' }),
        ]);
        equal('the verdicts', [happened.kind, not.kind].sort(), ['fenced', 'ok']);
        await trial.answers(happened.kind === 'ok' ? 'replay' : 'execute', 'b', {}, key);
      }
    },
  ],

  steps: [
    'loses no entry of steps that end at the same time',
    async (trial) => {
      const claim = await trial.granted('a', resumable);
      const names = Array.from({ length: 20 }, (_, index) => `step ${index}`);
      await Promise.all(
        names.map((name, index) => (index % 2 === 0 ? trial.store : trial.other).step(KEY, claim, LONG, name, name)),
      );
      equal('the journal', await trial.journalAfter(claim), new Map(names.map((name) => [name, name])));
    },
  ],

  'renew-complete': [
    'never brings back to life what is completed while its lease is renewed',
    async (trial) => {
      for (let round = 0; round < ROUNDS; round++) {
        const key = keyOf(`round ${round}`);
        const claim = await trial.granted('a', {}, key);
        const [renewed, completed] = await Promise.all([
          trial.other.renew(key, claim, LONG),
          trial.store.complete(key, claim, 'done'),
        ]);
        equal('the completion', completed.kind, 'ok');
        holds('the renewal', renewed.kind === 'ok' || renewed.kind === 'fenced', 'ok or fenced', renewed);
        matches('the next claim', await trial.claim('b', {}, key), { kind: 'replay', result: 'done' });
      }
    },
  ],

  'collect-claim': [
    'lets either a duplicate or retention reach a settled receipt first',
    async (trial) => {
      const keys = Array.from({ length: ROUNDS }, (_, index) => keyOf(`round ${index}`));
      for (const key of keys) await trial.failed('clean', 'no', key);
      await trial.advance?.(1);
      await trial.until(async () => (await trial.receipts()).every(({ sinceChangeMs }) => sinceChangeMs >= 1), 'age');
      const [outcome, ...claims] = await Promise.all([
        trial.other.collect({ dropResultsAfterMs: 1, removeKeysAfterMs: 1 }),
        ...keys.map((key) => trial.store.claim(key, request('b'))),
      ]);
      equal('grants', kinds(claims, 'execute'), ROUNDS);
      equal('the receipts left', (await trial.receipts()).length, ROUNDS);
      const anew = claims.filter((claim) => claim.kind === 'execute' && claim.attempt === 1).length;
      equal('keys removed', outcome.keysRemoved, anew);
      for (const [index, claim] of claims.entries()) {
        if (claim.kind !== 'execute') continue;
        const mine = { attempt: claim.attempt, token: 'b' };
        equal('the completion', await trial.store.complete(keys[index] as typeof KEY, mine, 'done'), { kind: 'ok' });
      }
    },
  ],
});
