/**
 * What `executeOnce` adds to the verbs of its store: on the memory store, which costs least, as ratios to a claim, the
 * effect and a completion by hand. The base checks no option, renews no lease and names no call to a provider.
 *
 *     pnpm build && node bench/execute-once.bench.mjs
 *
 * The effect returns an object of 200 characters at once, so that all the rest is overhead. What a database takes is
 * measured by the packages of the stores.
 */

import { executeOnce } from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { sha256Digest } from '@holdfast/receipts/node';
import { compare } from '../../../scripts/bench.mjs';

/** Receipts after which a contender goes on with an empty store, so that all work on stores of the same sizes. */
const STORE_SIZE = 5_000;
const result = { messageId: 'm-1', body: 'x'.repeat(168) };
const effect = () => result;
const options = { digest: sha256Digest, allowVolatile: true };

function onFreshKeys(run) {
  let store = createMemoryReceiptStore();
  let calls = 0;
  return () => {
    if (++calls % STORE_SIZE === 0) store = createMemoryReceiptStore();
    const argsHash = `v1.s256.${String(calls).padStart(64, '0')}`;
    return run(store, { tenantId: 'acme', runId: `run-${calls >> 4}`, toolName: 'send_email', argsHash });
  };
}

async function byHand(store, key) {
  const token = crypto.randomUUID();
  const { attempt } = await store.claim(key, { effect: 'opaque', token, leaseMs: 30_000, maxAttempts: 5 });
  const value = await effect();
  await store.complete(key, { attempt, token }, JSON.stringify(value));
}

const reads = ({ signal }) => signal && result;

// Rounds are longer than by default: the engine takes some thousand calls to compile all of the way.
await compare(
  'one effect under a fresh key',
  {
    'claim, effect, complete': onFreshKeys(byHand),
    executeOnce: onFreshKeys((store, key) => executeOnce(store, key, effect, options)),
    'executeOnce, effect reads signal': onFreshKeys((store, key) => executeOnce(store, key, reads, options)),
  },
  { roundMs: 200, warmUps: 4 },
);
