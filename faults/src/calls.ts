/** What a worker is asked to do: calls, and the points at which they are struck. */

import type { EffectResumability, ToolCallReceiptKey } from '@holdfast/receipts';

/**
 * Where a fault strikes a call. `claim-sent` and `complete-sent`: the request is on its way and nobody hears the answer;
 * `claimed`: before the effect; `one-ran`: a part has run and is not in the journal; `between`: it is, and the next has not
 * begun; `done`: the effect has happened and the store does not know; `recorded`: it knows, and the caller does not.
 */
export type StrikePoint = 'claim-sent' | 'claimed' | 'one-ran' | 'between' | 'done' | 'complete-sent' | 'recorded';

export const STRIKE_POINTS: Readonly<Record<EffectResumability, readonly StrikePoint[]>> = {
  opaque: ['claim-sent', 'claimed', 'done', 'complete-sent', 'recorded'],
  resumable: ['claim-sent', 'claimed', 'one-ran', 'between', 'done', 'complete-sent', 'recorded'],
};

/** The parts of which an effect consists. Those of a resumable one go through the journal. */
export const PARTS: Readonly<Record<EffectResumability, readonly string[]>> = {
  opaque: ['whole'],
  resumable: ['one', 'two'],
};

/** How many parts a first attempt has run when it is struck. */
export function partsBefore(point: StrikePoint, effect: EffectResumability): number {
  if (point === 'claim-sent' || point === 'claimed') return 0;
  return point === 'one-ran' || point === 'between' ? 1 : PARTS[effect].length;
}

/** One delivery of a call. */
export interface Call {
  /** Names this delivery. */
  readonly id: string;
  /** Names what is delivered; the same key is the same call. */
  readonly key: string;
  readonly effect: EffectResumability;
  /** Where the call stays: forever when its process is to be killed, until it is told to go on otherwise. */
  readonly strike?: { readonly point: StrikePoint; readonly by: 'kill' | 'stop' };
}

/** Calls for one process; each lane makes its calls one after another, beside the others. */
export interface Order {
  readonly lanes: readonly (readonly Call[])[];
  readonly whenBusy: 'wait' | 'return';
  readonly leaseMs?: number;
  readonly maxAttempts?: number;
  /** Whether an ambiguous call is looked up in the outside world. */
  readonly reconcile?: boolean;
}

/** The tool of receipts that are written verb by verb, and of which the books know nothing. */
export const HELD = 'held';

export function keyOf(key: string, toolName = 'pay'): ToolCallReceiptKey {
  return { tenantId: 'tenant', runId: 'run', toolName, argsHash: key };
}

/** Deals calls to lanes, one by one. */
export function dealt(calls: readonly Call[], lanes: number): Call[][] {
  const dealt: Call[][] = Array.from({ length: lanes }, () => []);
  for (const [index, call] of calls.entries()) dealt[index % lanes]?.push(call);
  return dealt;
}
