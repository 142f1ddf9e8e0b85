/** Telling apart identical calls that are both meant, without looking at their position. */

import { ReceiptOptionError } from './execute-once-errors.js';
import { isWhole } from './store-requests.js';

/** A call by its content. */
export interface CountedCall {
  readonly toolName: string;
  readonly argsHash: string;
}

/** A call of an earlier turn. */
export interface PastCall extends CountedCall {
  /**
   * Whether the call ended with a recorded value (`executed` or `replayed`). Asking again after a call that did not, such
   * as an ambiguous, busy, failed or rejected one, means that same call.
   */
  readonly settled: boolean;
}

/**
 * Gives each call of a turn its occurrence: 0 for the first call of this content in the run, n for the n-th repetition.
 * Each takes the lowest number that no settled twin of an earlier turn and no twin before it in the same turn has, so
 * the numbers do not change when a turn's calls come in another order, and an unsettled call is met again by its retry.
 *
 * @param turns The calls of the run's earlier turns, oldest first. Every turn of the run must be there.
 * @param calls The calls of the current turn.
 */
export function toolCallOccurrences(turns: readonly (readonly PastCall[])[], calls: readonly CountedCall[]): number[] {
  const settled = new Map<string, Set<number>>();
  for (const turn of turns) {
    const numbers = numberTurn(turn, settled);
    turn.forEach((call, index) => {
      if (!call.settled) return;
      const content = contentOf(call);
      const taken = settled.get(content) ?? new Set();
      settled.set(content, taken.add(numbers[index] as number));
    });
  }
  return numberTurn(calls, settled);
}

/**
 * Puts an occurrence into the arguments' hash, so that the key keeps its four parts: occurrence 0 leaves the hash as it
 * is, occurrence n appends `#n`. A stored format.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an occurrence that is not a whole number from 0, or a
 * hash that holds a `#`.
 */
export function withOccurrence(argsHash: string, occurrence: number): string {
  if (!isWhole(occurrence, 0, Number.MAX_SAFE_INTEGER)) {
    throw new ReceiptOptionError('occurrence', occurrence, 'a whole number from 0');
  }
  if (argsHash.includes('#')) throw new ReceiptOptionError('argsHash', argsHash, "a hash without '#'");
  return occurrence === 0 ? argsHash : `${argsHash}#${occurrence}`;
}

function numberTurn(calls: readonly CountedCall[], settled: ReadonlyMap<string, ReadonlySet<number>>): number[] {
  const next = new Map<string, number>();
  return calls.map((call) => {
    const content = contentOf(call);
    const taken = settled.get(content);
    let number = next.get(content) ?? 0;
    while (taken?.has(number)) number++;
    next.set(content, number + 1);
    return number;
  });
}

function contentOf(call: CountedCall): string {
  return `${call.toolName.length}:${call.toolName}${call.argsHash}`;
}
