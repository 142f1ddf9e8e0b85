/** Making one call, in whichever process. */

import { type EffectContext, executeOnce, type ReceiptStore, type Reconciliation } from '@holdfast/receipts';
import { sha256Digest } from '@holdfast/receipts/node';
import { type Call, keyOf, type Order, PARTS, type StrikePoint } from './calls.js';
import { withVerbs } from './with-verbs.js';
import type { World } from './world.js';

/** Leases that no test outlives: where one shall run out, the harness says so. */
const LEASE_MS = 600_000;

/** Where calls stay that are struck. */
export interface Parking {
  /** Settles when the call may go on, and never when its process is to be killed. */
  park(call: Call): Promise<void>;
}

const NOWHERE: Parking = { park: () => new Promise(() => {}) };

/** Calls, and writes into the world that it called, what it did and how it ended. */
export async function perform(
  store: ReceiptStore,
  world: World,
  call: Call,
  order: Omit<Order, 'lanes'>,
  parking: Parking = NOWHERE,
): Promise<string> {
  const { id, key, effect } = call;
  const at = async (point: StrikePoint) => {
    if (call.strike?.point !== point) return;
    if (call.strike.by === 'kill') world.add({ what: 'strike', call: id, key, point });
    await parking.park(call);
  };
  world.add({ what: 'call', call: id, key });
  const outcome = await executeOnce(struckStore(store, call, at), keyOf(key), (context) => run(context), {
    effect,
    leaseMs: order.leaseMs ?? LEASE_MS,
    maxAttempts: order.maxAttempts ?? 5,
    whenBusy: order.whenBusy,
    // Servers that are down are asked until they are back; a request that fails for good fails the run.
    maxResends: 500,
    resendDelayMs: 2,
    digest: sha256Digest,
    ...(order.reconcile && { reconcile: async () => verdictOf(call, world) }),
  });
  const { value } = outcome as { readonly value?: readonly string[] };
  const { remainingMs } = outcome as { readonly remainingMs?: number };
  world.add({
    what: 'end',
    call: id,
    key,
    kind: outcome.kind,
    ...(value && { value }),
    ...(remainingMs && { remainingMs }),
  });
  return outcome.kind;

  async function run({ step }: EffectContext): Promise<readonly string[]> {
    await at('claimed');
    const happen = (part: string) => world.add({ what: 'effect', call: id, key, part });
    const ran: string[] = [];
    for (const part of PARTS[effect]) {
      const now = async () => {
        happen(part);
        if (part === 'one') await at('one-ran');
        return id;
      };
      ran.push(effect === 'opaque' ? await now() : await step(part, now));
      if (part === 'one') await at('between');
    }
    await at('done');
    return ran;
  }
}

/** The store as the struck call meets it: the requests go out, and their answers come too late. */
function struckStore(store: ReceiptStore, call: Call, at: (point: StrikePoint) => Promise<void>): ReceiptStore {
  const point = call.strike?.point;
  const sent = async <Answer>(point: StrikePoint, answer: Promise<Answer>): Promise<Answer> => {
    answer.catch(() => {});
    await at(point);
    return answer;
  };
  return withVerbs(store, {
    claim: (key, request) => {
      const answer = store.claim(key, request);
      return point === 'claim-sent' ? sent(point, answer) : answer;
    },
    complete: async (key, claim, result) => {
      const answer = store.complete(key, claim, result);
      if (point === 'complete-sent') return sent(point, answer);
      await answer;
      if (point === 'recorded') await at(point);
      return answer;
    },
  });
}

/** Asks the world, as a host asks its provider. */
function verdictOf(call: Call, world: World): Reconciliation<readonly string[]> {
  const result = world.resultOf(call.key, PARTS[call.effect]);
  const kind = result === undefined ? 'did-not-happen' : 'happened';
  world.add({ what: 'verdict', call: call.id, key: call.key, verdict: kind });
  return result === undefined ? { kind: 'did-not-happen' } : { kind: 'happened', result };
}
