/** Waiting for work that may never end: until it settles, the time is up, or the caller gives up. */

import { type AbortSignalLike, runtime } from '@holdfast/kernel';

/** How the waiting ended. */
export type Outcome = { readonly kind: 'timeout' } | { readonly kind: 'aborted' } | Settled;

/** How the work ended. */
export type Settled =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

export interface Waiting {
  readonly abortSignal: AbortSignalLike | undefined;
  readonly timeoutMs: number | undefined;
  /** Told when the waiting ends before the work does. */
  onStop?(outcome: Outcome, reason: unknown): void;
  /** Told what came of work that nobody waited for any more. */
  onLate?(outcome: Settled): void;
}

/** Starts the work and waits for it. Never rejects. */
export function settle(work: () => unknown, waiting: Waiting): Promise<Outcome> {
  const { abortSignal, timeoutMs } = waiting;
  return new Promise((resolve) => {
    let timer: unknown;
    let ended = false;
    const end = (outcome: Outcome) => {
      ended = true;
      resolve(outcome);
      if (timer !== undefined) runtime.clearTimeout(timer);
      abortSignal?.removeEventListener('abort', onAbort);
    };
    const stop = (outcome: Outcome, reason: unknown) => {
      end(outcome);
      waiting.onStop?.(outcome, reason);
    };
    const onAbort = () => stop({ kind: 'aborted' }, abortSignal?.reason);
    // A signal that is aborted already never says so again.
    if (abortSignal?.aborted) return onAbort();
    abortSignal?.addEventListener('abort', onAbort, { once: true });
    if (timeoutMs !== undefined) {
      const late = () => stop({ kind: 'timeout' }, new Error(`It has run for longer than ${timeoutMs} ms.`));
      timer = runtime.setTimeout(late, timeoutMs);
    }
    void outcomeOf(work).then((outcome) => (ended ? waiting.onLate?.(outcome) : end(outcome)));
  });
}

async function outcomeOf(work: () => unknown): Promise<Settled> {
  try {
    return { kind: 'returned', value: await work() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
