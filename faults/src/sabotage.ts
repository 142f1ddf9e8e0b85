/** Stores with one fault each, which the books must not fail to show. */

import { randomUUID } from 'node:crypto';
import type { ReceiptStore } from '@holdfast/receipts';
import type { OpenStore } from './stores.js';
import { withVerbs } from './with-verbs.js';

export const SABOTAGES = ['no-token', 'no-fence', 'guess', 'forget', 'no-receipts'] as const;
export type Sabotage = (typeof SABOTAGES)[number];

export function sabotaged({ store, overwrite }: OpenStore, sabotage: Sabotage): ReceiptStore {
  return withVerbs(store, faultOf(sabotage, store, overwrite));
}

function faultOf(sabotage: Sabotage, store: ReceiptStore, overwrite: OpenStore['overwrite']): Partial<ReceiptStore> {
  switch (sabotage) {
    case 'no-token':
      // Each send is a request of its own, as if there were no token: what it was granted is not found again.
      return { claim: (key, request) => store.claim(key, { ...request, token: randomUUID() }) };
    case 'no-fence':
      return {
        complete: async (key, _claim, result) => {
          await overwrite(key.argsHash, result);
          return { kind: 'ok' };
        },
      };
    case 'guess':
      // What a queue does: an attempt whose lease ran out did not happen.
      return {
        claim: async (key, request) => {
          const claimed = await store.claim(key, request);
          if (claimed.kind !== 'ambiguous') return claimed;
          await store.resolve(key, claimed.attempt, { kind: 'did-not-happen' });
          return store.claim(key, request);
        },
      };
    case 'forget':
      return { complete: async () => ({ kind: 'ok' }) };
    case 'no-receipts':
      return {
        claim: async () => ({ kind: 'execute', attempt: 1, steps: new Map(), ageMs: 0 }),
        complete: async () => ({ kind: 'ok' }),
      };
  }
}
