/** What surrounds the code that runs now: the tool call that it is part of, and that call's receipt. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { EffectContext } from '@holdfast/receipts';

/** A running tool call. An agent that a tool calls finds its caller's here. */
export interface Frame {
  /** The call's own receipt. */
  readonly effect?: EffectContext;
  /** Names the innermost call with a receipt: the same over all attempts, another one for another call. */
  readonly receiptScope?: string;
  /** The call's place in its run, and the places around it. */
  readonly place: string;
}

const frames = new AsyncLocalStorage<Frame>();

/** The innermost tool call that this code is part of. */
export function currentFrame(): Frame | undefined {
  return frames.getStore();
}

/** Runs a tool inside its call's frame. */
export function runInCall<T>(place: string, effect: EffectContext | undefined, run: () => T): T {
  const outer = frames.getStore();
  const receiptScope = effect?.idempotencyKey ?? outer?.receiptScope;
  return frames.run(
    {
      ...(effect !== undefined && { effect }),
      ...(receiptScope !== undefined && { receiptScope }),
      place: outer === undefined ? place : `${outer.place}/${place}`,
    },
    run,
  );
}
