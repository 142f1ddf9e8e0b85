/** What a running tool may know about its receipt. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { EffectContext } from '@holdfast/receipts';

const effects = new AsyncLocalStorage<EffectContext>();

/**
 * The receipt's view of the call that is running: `idempotencyKey` for a provider that deduplicates, `step` for the
 * parts of a resumable effect, `signal` for a lost lease, and `attempt`. Call it inside a tool, at any depth.
 *
 * @returns `undefined` outside a tool, and in a tool that runs without a receipt.
 */
export function currentEffect(): EffectContext | undefined {
  return effects.getStore();
}

/** Runs a tool so that {@link currentEffect} answers inside it. */
export function runWithEffect<T>(context: EffectContext, run: () => T): T {
  return effects.run(context, run);
}
