/** The mark that a conversation's memory has been written down in this compaction cycle: contract and rules. */

/** How often a cycle's flush may be begun: crashed and failed attempts together. */
export const MAX_FLUSH_ATTEMPTS = 3;

/** How long an attempt holds the mark unless `leaseMs` says otherwise, in milliseconds. */
export const DEFAULT_FLUSH_LEASE_MS = 300_000;

/** The longest lease of an attempt, in milliseconds: a day. */
export const MAX_FLUSH_LEASE_MS = 86_400_000;

/** The flush of one conversation in one compaction cycle. */
export interface FlushCycle {
  readonly conversationId: string;
  /** How often the conversation has been compacted, from 0. It only rises. */
  readonly cycle: number;
}

/** The answer to a claim. */
export type FlushClaim =
  /** The flush is the caller's to run, under this attempt number, from 1. */
  | { readonly kind: 'granted'; readonly attempt: number }
  /** This cycle has been flushed, or a later one has begun. */
  | { readonly kind: 'done' }
  /** Another attempt runs, and holds the mark for at most this much longer. */
  | { readonly kind: 'busy'; readonly remainingMs: number }
  /** {@link MAX_FLUSH_ATTEMPTS} attempts have failed; nobody tries again in this cycle. */
  | { readonly kind: 'given-up'; readonly attempts: number; readonly reason: string };

/**
 * A place to keep the marks, which should survive a restart of the host. `openFlushMarkerFiles` of the subpath
 * `./memory-files` keeps them in files, {@link createMemoryFlushMarkers} in memory.
 *
 * An attempt whose holder crashed counts like a failed one once its lease has run out. Verbs may be sent again.
 */
export interface FlushMarkerStore {
  /** Asks for the right to flush. At most one attempt of a conversation holds it at a time. */
  claim(cycle: FlushCycle, leaseMs: number): Promise<FlushClaim>;
  /** Records that the memory is written. It counts whichever attempt reports it. */
  done(cycle: FlushCycle, attempt: number): Promise<void>;
  /** Records that an attempt failed, and why. It changes nothing for a cycle that is done. */
  failed(cycle: FlushCycle, attempt: number, reason: string): Promise<void>;
}

/** One begun attempt of a cycle, as a store keeps it. */
export interface FlushAttempt {
  /** When its lease ends, on the store's clock, in milliseconds. */
  readonly leaseEnd: number;
  /** Why it failed; absent while it runs, and when it broke off. */
  readonly failure?: string;
}

/**
 * The rule of a claim, for stores: `attempts` are those of this cycle so far, in order. A lease that would end later than
 * in two days was taken before the clock was set back; it counts as over, since it would keep all out.
 */
export function decideFlushClaim(attempts: readonly FlushAttempt[], now: number): FlushClaim {
  const last = attempts.at(-1);
  const remainingMs = last === undefined || last.failure !== undefined ? 0 : last.leaseEnd - now;
  if (remainingMs > 0 && remainingMs <= 2 * MAX_FLUSH_LEASE_MS) return { kind: 'busy', remainingMs };
  if (attempts.length < MAX_FLUSH_ATTEMPTS) return { kind: 'granted', attempt: attempts.length + 1 };
  const reason = last?.failure ?? 'The last attempt broke off without a report.';
  return { kind: 'given-up', attempts: attempts.length, reason };
}

/**
 * Makes a store that forgets with the process: for tests, and for hosts whose conversations live no longer.
 * It keeps one mark a conversation, for at most `maxConversations` of them (10,000), and forgets the oldest beyond.
 * `now` gives milliseconds that never run backwards.
 */
export function createMemoryFlushMarkers(now: () => number, maxConversations = 10_000): FlushMarkerStore {
  const marks = new Map<string, { cycle: number; attempts: FlushAttempt[]; done: boolean }>();
  const markOf = ({ conversationId, cycle }: FlushCycle) => {
    const known = marks.get(conversationId);
    if (known !== undefined && known.cycle >= cycle) return known;
    const mark = { cycle, attempts: [], done: false };
    marks.delete(conversationId);
    marks.set(conversationId, mark);
    for (const oldest of marks.keys()) {
      if (marks.size <= maxConversations) break;
      marks.delete(oldest);
    }
    return mark;
  };
  return {
    async claim(cycle, leaseMs) {
      const mark = markOf(cycle);
      if (mark.done || mark.cycle > cycle.cycle) return { kind: 'done' };
      const claim = decideFlushClaim(mark.attempts, now());
      if (claim.kind === 'granted') mark.attempts.push({ leaseEnd: now() + leaseMs });
      return claim;
    },
    async done(cycle) {
      const mark = markOf(cycle);
      if (mark.cycle === cycle.cycle) mark.done = true;
    },
    async failed(cycle, attempt, failure) {
      const { attempts, cycle: current } = markOf(cycle);
      const begun = attempts[attempt - 1];
      if (current === cycle.cycle && begun !== undefined) attempts[attempt - 1] = { ...begun, failure };
    },
  };
}
