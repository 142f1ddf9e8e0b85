/** Who may run the effect. */

import { decideToolCallReceipt } from '../receipt-decision.js';
import type { ToolCallReceiptKey } from '../receipt-key.js';
import { cases } from './case.js';
import { collidingKeys } from './colliding-keys.js';
import { everyState } from './every-state.js';
import { equal, holds, matches, refuses } from './expect.js';
import { fenced, KEY, keyOf, OPTION, PAST, request, resumable, SHORT, type Trial } from './trial.js';

export const claims = cases('claims', {
  first: [
    'grants attempt 1 of an unknown key, with an empty journal and no age',
    async (trial) => {
      const { attempt, steps, ageMs } = await trial.grant('a');
      equal('the first attempt', attempt, 1);
      equal('its journal', steps, new Map());
      isNew(trial, ageMs);
    },
  ],

  decision: [
    'decides as decideToolCallReceipt does, in every state that it knows',
    async (trial) => {
      const seen = await everyState(trial);
      for (const { key, state, effect } of seen) {
        const { kind, ...rest } = decideToolCallReceipt({ state, effect });
        const outcome = await trial.claim('caller', { effect }, key);
        const expected = kind === 'execute' ? { kind, ...rest } : { kind };
        matches(`${JSON.stringify(state)} and an ${effect} effect`, outcome, expected);
      }
    },
  ],

  'reason-given': [
    'says why a caller has to wait, or nobody can tell',
    async (trial) => {
      await trial.granted('a');
      const waiting = await trial.claim('b');
      holds('the reason to wait', waiting.kind === 'wait' && waiting.reason !== '', 'a text', waiting);
      const key = keyOf('dead');
      const { attempt } = await trial.abandoned('a', {}, key);
      const ambiguous = await trial.claim('b', {}, key);
      matches('the claim', ambiguous, { kind: 'ambiguous', attempt });
      holds('the ambiguity', ambiguous.kind === 'ambiguous' && ambiguous.reason !== '', 'a reason', ambiguous);
    },
  ],

  'ambiguous-always': [
    'calls an abandoned opaque attempt ambiguous each time it is asked',
    async (trial) => {
      await trial.abandoned('a');
      for (const token of ['b', 'c', 'd', 'e']) await trial.answers('ambiguous', token);
    },
  ],

  'opaque-before': [
    'does not take over an attempt that ran as opaque, whatever the caller is',
    async (trial) => {
      await trial.abandoned('a');
      await trial.answers('ambiguous', 'b', resumable);
    },
  ],

  'opaque-after': [
    'does not take over a resumable attempt for an opaque caller',
    async (trial) => {
      await trial.abandoned('a', resumable);
      await trial.answers('ambiguous', 'b');
      await trial.answers('execute', 'c', resumable);
    },
  ],

  'limit-live': [
    'waits for a live attempt, whatever the attempt limit says',
    async (trial) => {
      await trial.granted('a', { maxAttempts: 1 });
      await trial.answers('wait', 'b', { maxAttempts: 1 });
    },
  ],

  'limit-crashes': [
    'counts abandoned attempts towards the attempt limit',
    async (trial) => {
      let attempts = 0;
      for (const token of ['a', 'b']) attempts = (await trial.abandoned(token, resumable)).attempt;
      const outcome = await trial.claim('c', { ...resumable, maxAttempts: attempts });
      equal('the claim', outcome, { kind: 'exhausted', attempts });
      await trial.answers('execute', 'd', { ...resumable, maxAttempts: attempts + 1 });
    },
  ],

  'limit-failures': [
    'counts failures towards the attempt limit, and shows the last error',
    async (trial) => {
      let attempts = 0;
      for (const token of ['a', 'b']) attempts = (await trial.failed('clean', `no ${token}`, KEY, token)).attempt;
      const outcome = await trial.claim('c', { maxAttempts: attempts });
      equal('the claim', outcome, { kind: 'exhausted', attempts, error: 'no b' });
      await trial.answers('execute', 'd', { maxAttempts: attempts + 1 });
    },
  ],

  resent: [
    'finds its own live attempt when the answer was lost',
    async (trial) => {
      const { attempt } = await trial.granted('a');
      const again = await trial.other.claim(KEY, request('a'));
      matches('the claim sent again', again, { kind: 'execute', attempt });
    },
  ],

  'resent-late': [
    'finds its own attempt also after the lease has run out, opaque or not',
    async (trial) => {
      for (const effect of ['opaque', 'resumable'] as const) {
        const key = keyOf(effect);
        const { attempt } = await trial.abandoned('a', { effect }, key);
        const again = await trial.claim('a', { effect }, key);
        matches('the claim sent again', again, { kind: 'execute', attempt });
        await trial.answers('wait', 'b', { effect }, key);
      }
    },
  ],

  stale: [
    'grants nothing to the token of a failed attempt: a delayed duplicate, for which nobody waits',
    async (trial) => {
      const { attempt } = await trial.failed('clean', 'no', KEY, 'a');
      equal('the delayed claim', await trial.claim('a'), { kind: 'stale', attempt });
      equal('the receipt', (await trial.summary()).status, 'failed');
      const { attempt: next } = await trial.granted('b');
      holds('the next attempt', next > attempt, `more than ${attempt}`, next);
    },
  ],

  age: [
    'counts the age of a receipt from its first claim, over all attempts',
    async (trial) => {
      await trial.abandoned('a', resumable);
      const { ageMs } = await trial.grant('b', resumable);
      holds('the age at the takeover', ageMs >= SHORT, `at least ${SHORT}`, ageMs);
      if (trial.advance !== undefined) equal('the age at the takeover', ageMs, PAST);
      const again = await trial.grant('b', resumable);
      holds('the age when sent again', again.ageMs >= ageMs, `at least ${ageMs}`, again.ageMs);
    },
  ],

  'age-anew': [
    'counts the age anew from the grant after the verdict that nothing had happened',
    async (trial) => {
      const { attempt } = await trial.abandoned('a');
      equal('the verdict', await trial.store.resolve(KEY, attempt, { kind: 'did-not-happen' }), { kind: 'ok' });
      const { ageMs } = await trial.grant('b');
      isNew(trial, ageMs);
      const listed = await trial.summary();
      const lag = Math.abs(listed.ageMs - listed.sinceChangeMs);
      holds('the age listed', lag < 1, `${listed.sinceChangeMs}, the time since that grant`, listed.ageMs);
    },
  ],

  tenants: [
    'keeps tenants apart',
    async (trial) => {
      const [one, two] = [keyOf('hash', { tenantId: 'one' }), keyOf('hash', { tenantId: 'two' })];
      await trial.completed('of one', one);
      const claim = await trial.granted('a', {}, two);
      equal('a write to the wrong tenant', await trial.store.complete(one, claim, 'of two'), fenced);
      equal('the other tenant', await trial.store.complete(two, claim, 'of two'), { kind: 'ok' });
      matches('the first tenant', await trial.claim('b', {}, one), { kind: 'replay', result: 'of one' });
      const { receipts } = await trial.store.list({ tenantId: 'one' });
      equal(
        'the list of one',
        receipts.map(({ key }) => key),
        [one],
      );
    },
  ],

  keys: [
    'keeps keys apart that would be equal when their parts are joined',
    async (trial) => {
      const keys = collidingKeys();
      for (const key of keys) await trial.granted('a', {}, key);
      const listed = (await trial.receipts()).map(({ key }) => JSON.stringify(Object.values(key)));
      equal('the keys listed', listed.sort(), keys.map((key) => JSON.stringify(Object.values(key))).sort());
    },
  ],

  refuses: [
    'refuses requests that it could not keep, and stores nothing',
    async ({ store }) => {
      const wrong = {
        leaseMs: [Number.NaN, 0, 0.5, 86_400_001],
        maxAttempts: [0, Number.NaN],
        token: ['', undefined],
        effect: ['other'],
      };
      for (const [field, values] of Object.entries(wrong)) {
        for (const value of values) {
          const asked = { ...request('a'), [field]: value };
          await refuses(`a claim with ${field} ${String(value)}`, () => store.claim(KEY, asked), OPTION);
        }
      }
      const { argsHash: _, ...partial } = KEY;
      const claim = () => store.claim(partial as ToolCallReceiptKey, request('a'));
      await refuses('a claim without a whole key', claim, 'ERR_HOLDFAST_RECEIPT_KEY');
      equal('the receipts', (await store.list()).receipts, []);
    },
  ],
});

/** On a clock that nobody can move, a moment may pass between two readings. */
function isNew({ advance }: Trial, ageMs: number): void {
  const most = advance === undefined ? SHORT - 1 : 0;
  holds('the age', ageMs >= 0 && ageMs <= most, `0 to ${most}`, ageMs);
}
