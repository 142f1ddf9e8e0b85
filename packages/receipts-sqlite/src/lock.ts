/** Waiting for a lock where SQLite's own busy handler does not. */

/** How long a thread sleeps between two looks. */
const PAUSE_MS = 5;

/**
 * Runs `work` until it finds the database unlocked, for at most `timeoutMs`. Needed while opening: SQLite answers a
 * contended change of the journal mode, or of the schema, with "locked" at once.
 */
export function waitForLock<Result>(timeoutMs: number, work: () => Result): Result {
  const until = process.hrtime.bigint() + BigInt(timeoutMs) * 1_000_000n;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || process.hrtime.bigint() >= until) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function isLocked(error: unknown): boolean {
  const { message } = error as { readonly message?: unknown };
  return typeof message === 'string' && /database (table |schema )?is locked/.test(message);
}
