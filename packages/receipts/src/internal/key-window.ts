/** Whether an attempt may outlive the time for which a provider remembers its idempotency key. */

import type { Grant } from './acquire.js';
import type { Settings } from './settings.js';

type Aged = Pick<Grant, 'ageMs'> & { readonly claim: { readonly attempt: number } };

/**
 * Milliseconds for which the key is certainly remembered, counted from when the claim was sent. A first attempt uses the
 * key first, and an opaque effect is granted again only when it certainly did not happen.
 */
export function keyLeftMs({ claim, ageMs }: Aged, { effect, providerKeyWindowMs }: Settings<unknown>): number {
  const isLimited = Number.isFinite(providerKeyWindowMs) && effect === 'resumable' && claim.attempt > 1;
  return isLimited ? providerKeyWindowMs - ageMs : Number.POSITIVE_INFINITY;
}

/** Whether less than a lease is left, so that the attempt may not end in time. */
export function mayOutliveKey(grant: Aged, settings: Settings<unknown>): boolean {
  // Also when a store does not say how old the receipt is.
  return !(keyLeftMs(grant, settings) >= settings.leaseMs);
}

/** What a receipt says of an attempt that was refused for it. */
export function outlivedText({ ageMs }: Aged, { providerKeyWindowMs }: Settings<unknown>): string {
  return (
    `This call began ${Math.round(ageMs)} ms ago, and the provider remembers its idempotency key for ` +
    `${providerKeyWindowMs} ms, so that a repeated part could take effect twice. Find out what has happened, and resolve it.`
  );
}
