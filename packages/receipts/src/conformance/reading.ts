/** What a person sees of one receipt. */

import type { ToolCallReceiptKey } from '../receipt-key.js';
import type { ReceiptDetail } from '../receipt-store.js';
import { cases } from './case.js';
import { everyStatus } from './every-state.js';
import { ConformanceError, equal, matches, refuses } from './expect.js';
import { KEY, keyOf, LONG, PAST, resumable, type Trial } from './trial.js';

export const reading = cases('reading', {
  status: [
    'says of a receipt in every state what a person needs to judge it',
    async (trial) => {
      const errors: Readonly<Record<string, string>> = { ambiguous: 'timeout', failed: 'no', rejected: 'never' };
      for (const [name, status] of Object.entries(await everyStatus(trial))) {
        const detail = await detailOf(trial, keyOf(name));
        const effect = status === 'expired' ? 'resumable' : 'opaque';
        matches(`the ${name} receipt`, detail, { status, attempt: 1, effect, error: errors[name] });
        const runs = ['running', 'expired', 'abandoned'].includes(name);
        equal(`whether the ${name} receipt has a lease`, detail.remainingMs !== undefined, runs);
      }
      const { zombie } = await trial.takenOver();
      await trial.store.complete(KEY, zombie, 'late');
      const evidence = { attempt: zombie.attempt, kind: 'completed', text: 'late' };
      matches('the receipt of a late attempt', await detailOf(trial), { status: 'running', evidence });
    },
  ],

  ages: [
    'says how old a receipt is, when its state changed, and what is left of its lease',
    async (trial) => {
      await trial.abandoned('a', resumable);
      await trial.granted('b', resumable);
      await trial.advance?.(7);
      const before = await trial.summary();
      const { ageMs, sinceChangeMs, remainingMs = 0 } = await detailOf(trial);
      const after = await trial.summary();
      const between = (low: number, value: number, high: number) => low <= value && value <= high;
      const ages = { ageMs, sinceChangeMs, remainingMs };
      equal(
        `the ages ${JSON.stringify(ages)} between those that were listed before and after`,
        between(before.ageMs, ageMs, after.ageMs) &&
          between(before.sinceChangeMs, sinceChangeMs, after.sinceChangeMs) &&
          between(after.remainingMs ?? 0, remainingMs, before.remainingMs ?? 0),
        true,
      );
      const exact = { ageMs: PAST + 7, sinceChangeMs: 7, remainingMs: before.remainingMs };
      if (trial.advance !== undefined) equal('the ages', ages, exact);
    },
  ],

  result: [
    'gives the result, and none where there is none',
    async (trial) => {
      const statuses = await everyStatus(trial);
      for (const [name, status] of Object.entries(statuses)) {
        if (status === 'completed') continue;
        equal(`the result of the ${name} receipt`, (await detailOf(trial, keyOf(name))).result, undefined);
      }
      await trial.completed('done');
      equal('the result', (await detailOf(trial)).result, 'done');
    },
  ],

  journal: [
    'gives the journal, also of a call that is over',
    async (trial) => {
      const claim = await trial.granted('a', resumable);
      await trial.store.step(KEY, claim, LONG, 'one', '1');
      await trial.store.step(KEY, claim, LONG, 'two', '2');
      const both = new Map([
        ['one', '1'],
        ['two', '2'],
      ]);
      equal('the journal of a running call', (await detailOf(trial)).steps, both);
      await trial.store.complete(KEY, claim, 'done');
      equal('the journal of a completed call', (await detailOf(trial)).steps, both);
      await trial.granted('c', resumable, keyOf('other'));
      equal('the journal of another call', (await detailOf(trial, keyOf('other'))).steps, new Map());
    },
  ],

  absent: [
    'reads nothing where nothing is, and puts nothing there',
    async (trial) => {
      equal('a receipt of nobody', await trial.store.read(KEY), undefined);
      equal('the receipts', await trial.receipts(), []);
      await trial.granted('a');
      for (const part of ['tenantId', 'runId', 'toolName', 'argsHash']) {
        equal(`the receipt of another ${part}`, await trial.store.read({ ...KEY, [part]: 'other' }), undefined);
      }
    },
  ],

  untouched: [
    'changes nothing by reading',
    async (trial) => {
      const claim = await trial.abandoned('a', resumable);
      for (let look = 0; look < 3; look++) await detailOf(trial);
      equal('the lease', (await trial.summary()).status, 'expired');
      equal('the attempt', (await trial.granted('b', resumable)).attempt, claim.attempt + 1);
    },
  ],

  refuses: [
    'refuses a key that lacks a part',
    async ({ store }) => {
      for (const part of Object.keys(KEY)) {
        const key = { ...KEY, [part]: undefined } as unknown as ToolCallReceiptKey;
        await refuses(`a key without ${part}`, () => store.read(key), 'ERR_HOLDFAST_RECEIPT_KEY');
      }
    },
  ],
});

async function detailOf({ other }: Trial, key = KEY): Promise<ReceiptDetail> {
  const detail = await other.read(key);
  if (detail === undefined) throw new ConformanceError('the receipt', 'to be found by its key', detail);
  equal('its key', detail.key, key);
  return detail;
}
