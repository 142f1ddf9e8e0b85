import type { ClaimOutcome, ReceiptStore } from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDIS_URL, serverAnswers } from '../../../test/support/services.js';
import { CLIENTS, type OpenClient } from './support/clients.js';
import { withStillClock } from './support/intercepted.js';
import { type Event, event, type Grant, LEASE, type Step } from './support/model-events.js';
import { usePrefixes } from './support/prefixes.js';

const newPrefix = usePrefixes();

async function contents(store: ReceiptStore): Promise<string[]> {
  const { receipts } = await store.list();
  return receipts
    .map((receipt) =>
      JSON.stringify(receipt, Object.keys(receipt).concat(Object.keys(receipt.key), 'kind', 'text').sort()),
    )
    .sort();
}

describe.skipIf(!(await serverAnswers(REDIS_URL)))('the Redis store', () => {
  const answers = new Map<string, number>();

  it.each([
    ['ioredis 6', 120],
    ['node-redis 6', 30],
  ])('answers like the memory store, whatever is asked of it: %s', async (name, numRuns) => {
    const { client, close } = await (CLIENTS[name] as OpenClient)(REDIS_URL);
    const clock = withStillClock(client, `${newPrefix()}:clock`);
    await clock.advance(0);
    const play = async (events: readonly Event[]) => {
      const redis = await openRedisReceiptStore(clock.client, { prefix: newPrefix() });
      const memory = createMemoryReceiptStore({ now: clock.now });
      const grants: Grant[] = [];
      for (const each of events) {
        if ('tick' in each) {
          await clock.advance(each.tick);
          continue;
        }
        const ask: Step =
          'step' in each ? each.step : (store) => store.claim(each.claim.key, { ...each.claim, leaseMs: LEASE });
        const expected = await ask(memory, grants);
        expect(await ask(redis, grants)).toEqual(expected);
        const { kind } = expected as { readonly kind?: string };
        if (kind !== undefined) answers.set(kind, (answers.get(kind) ?? 0) + 1);
        if ('claim' in each && kind === 'execute') {
          const { attempt } = expected as ClaimOutcome & { kind: 'execute' };
          grants.push({ key: each.claim.key, claim: { attempt, token: each.claim.token } });
        }
      }
      expect(await contents(redis)).toEqual(await contents(memory));
    };
    await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), play), {
      numRuns,
    });
    await close();
  });

  it('was asked for every kind of answer', () => {
    const kinds = [
      'execute',
      'replay',
      'gone',
      'wait',
      'ambiguous',
      'rejected',
      'exhausted',
      'stale',
      'ok',
      'already',
      'fenced',
    ];
    for (const kind of kinds) expect(answers.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(5);
  });
});
