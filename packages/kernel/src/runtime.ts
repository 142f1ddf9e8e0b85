/** The few globals that every runtime has and ES2022's own library does not name, typed by shape. */

/** The part of an `AbortSignal` that Holdfast uses. The platform's own class fits. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface Globals {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  readonly performance: { now(): number };
  readonly AbortController: new () => { readonly signal: AbortSignalLike; abort(reason?: unknown): void };
}

/** Timers, the monotonic clock and `AbortController` of the runtime that this code runs in. */
// No library of types names these: the code is compiled without those of Node and the DOM, so that it runs everywhere.
export const runtime = globalThis as unknown as Globals;
