/** The clock on which all processes of one machine judge leases. */

import { readFileSync } from 'node:fs';

/** A clock that all processes that share the database file read alike. */
export interface LeaseClock {
  /** Names the period in which readings can be compared. A lease from another period has run out. */
  readonly epoch: string;
  /** Milliseconds, never falling within an epoch. */
  now(): number;
}

/**
 * The machine's boot clock. On Linux `process.hrtime` counts from boot for every process alike, and the boot id tells
 * one boot from the next, so a changed wall clock moves no lease and a reboot ends them all.
 *
 * Elsewhere there is no boot id to read, and the wall clock is used: setting it forward ends leases early. That lets a
 * resumable effect be taken over from a live worker, which is fenced then, and shows an opaque one as ambiguous.
 */
export function bootClock(): LeaseClock {
  const bootId = readBootId();
  if (bootId === undefined) return { epoch: 'wall', now: () => Date.now() };
  return { epoch: bootId, now: () => Number(process.hrtime.bigint()) / 1e6 };
}

function readBootId(): string | undefined {
  try {
    const text = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
