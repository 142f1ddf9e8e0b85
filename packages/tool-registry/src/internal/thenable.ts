/** Values that may be promises, and promises that nobody waits for. */

export type MaybePromise<T> = T | Promise<T>;

/** Tells whether a value is a promise of any make. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Keeps a rejection that nobody waits for from ending the process. */
export function ignoreRejection(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined);
}

/** What an async function would give that only calls this one, without a promise and two turns of its own. */
export function promiseOf<T>(work: () => MaybePromise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}
