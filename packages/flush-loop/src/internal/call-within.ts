/** Calling foreign code under a deadline and an abort signal, without waiting for what does not come back. */

import { type AbortSignalLike, runtime } from '@holdfast/kernel';

/** How a bounded call ended. After `timeout` and `aborted` the code may still be running. */
export type CallOutcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly thrown: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' };

export interface CallBounds {
  readonly signal: AbortSignalLike | undefined;
  readonly timeoutMs: number | undefined;
}

/** Starts the call, with a signal if there is anything to signal, and waits until it settles or a bound is reached. */
export function callWithin(start: (signal?: AbortSignalLike) => unknown, bounds: CallBounds): Promise<CallOutcome> {
  if (bounds.signal === undefined && bounds.timeoutMs === undefined) return settle(start);
  return settleWithin(start, bounds);
}

async function settle(start: () => unknown): Promise<CallOutcome> {
  try {
    return { kind: 'returned', value: await start() };
  } catch (thrown) {
    return { kind: 'threw', thrown };
  }
}

function settleWithin(start: (signal: AbortSignalLike) => unknown, bounds: CallBounds): Promise<CallOutcome> {
  const { signal, timeoutMs } = bounds;
  if (signal?.aborted) return Promise.resolve({ kind: 'aborted' });
  return new Promise((resolve) => {
    const controller = new runtime.AbortController();
    let timer: unknown;
    const finish = (outcome: CallOutcome): void => {
      runtime.clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    // The outcome is fixed before the callee hears of it: its own rejection comes second and is dropped.
    const onAbort = (): void => {
      finish({ kind: 'aborted' });
      controller.abort(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    if (timeoutMs !== undefined) {
      timer = runtime.setTimeout(() => {
        finish({ kind: 'timeout' });
        controller.abort();
      }, timeoutMs);
    }
    void settle(() => start(controller.signal)).then(finish);
  });
}
