/** What a running tool may know about its receipt. */

import type { EffectContext } from '@holdfast/receipts';
import { currentFrame } from './internal/frames.js';

/**
 * The receipt's view of the call that is running: `idempotencyKey` for a provider that deduplicates, `step` for the
 * parts of a resumable effect, `signal` for a lost lease, and `attempt`. Call it inside a tool, at any depth.
 *
 * @returns `undefined` outside a tool, and in a tool that runs without a receipt.
 */
export function currentEffect(): EffectContext | undefined {
  return currentFrame()?.effect;
}
