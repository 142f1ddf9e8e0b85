/** Stores that misbehave on cue, around a memory store. */

import type { ReceiptStore } from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';

export type Verb = 'claim' | 'renew' | 'step' | 'complete' | 'fail' | 'resolve';

/** What a faulty wire does to one sending of a verb. */
export type Fault = 'lose the request' | 'lose the answer';

export interface ScriptedStore extends ReceiptStore {
  /** The verbs in the order in which they were sent. */
  readonly sent: Verb[];
  /** The store behind the wire, which knows no faults. */
  readonly inner: ReceiptStore;
  advance(ms: number): void;
  /** Applies the faults to the next sendings of a verb. */
  breaks(verb: Verb, ...faults: Fault[]): void;
  /** Runs before a verb reaches the store, once. */
  before(verb: Verb, act: () => unknown): void;
}

/** Without a clock, time passes only by `advance`. */
export function scriptedStore(clock = () => 0): ScriptedStore {
  let advanced = 1_000;
  const inner = createMemoryReceiptStore({ now: () => clock() + advanced });
  const sent: Verb[] = [];
  const faults = new Map<Verb, Fault[]>();
  const acts = new Map<Verb, () => unknown>();
  const wire =
    <Arguments extends unknown[], Answer>(verb: Verb, send: (...values: Arguments) => Promise<Answer>) =>
    async (...values: Arguments): Promise<Answer> => {
      sent.push(verb);
      const act = acts.get(verb);
      acts.delete(verb);
      await act?.();
      const fault = faults.get(verb)?.shift();
      if (fault === 'lose the request') throw new Error('connection refused');
      const answer = await send(...values);
      if (fault === 'lose the answer') throw new Error('connection reset');
      return answer;
    };
  return {
    durability: 'A',
    sent,
    inner,
    advance(ms) {
      advanced += ms;
    },
    breaks: (verb, ...more) => void faults.set(verb, [...(faults.get(verb) ?? []), ...more]),
    before: (verb, act) => void acts.set(verb, act),
    claim: wire('claim', inner.claim.bind(inner)),
    renew: wire('renew', inner.renew.bind(inner)),
    step: wire('step', inner.step.bind(inner)),
    complete: wire('complete', inner.complete.bind(inner)),
    fail: wire('fail', inner.fail.bind(inner)),
    resolve: wire('resolve', inner.resolve.bind(inner)),
    read: inner.read.bind(inner),
    list: inner.list.bind(inner),
    collect: inner.collect.bind(inner),
  };
}
