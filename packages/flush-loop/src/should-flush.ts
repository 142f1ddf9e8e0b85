/** Whether the memory should be written down now: arithmetic over what the host has counted. */

import { FlushLoopOptionError } from './errors.js';

/** The tokens kept free for the next reply and the compaction itself, at most a quarter of the window. */
export const DEFAULT_RESERVE_TOKENS = 20_000;

/** How many tokens before the compaction a flush begins, at most a tenth of the window. */
export const DEFAULT_SOFT_THRESHOLD_TOKENS = 4_000;

/** What {@link shouldFlush} looks at. Counts are whole numbers from 0. */
export interface FlushNeed {
  /** Tokens of the conversation as the provider counted them for the last request. */
  readonly contextTokens: number;
  /** Tokens of the last reply, where `contextTokens` does not hold them yet. Default 0. */
  readonly replyTokens?: number;
  /** Tokens of the message that is about to be sent, as an estimate. Default 0. */
  readonly incomingTokens?: number;
  /** Tokens that the model can take at once. */
  readonly windowTokens: number;
  /** Tokens kept free behind the conversation: the host compacts beyond that. Default {@link DEFAULT_RESERVE_TOKENS}. */
  readonly reserveTokens?: number;
  /** How early before that point to flush. Default {@link DEFAULT_SOFT_THRESHOLD_TOKENS}. */
  readonly softThresholdTokens?: number;
  /** Size of the stored transcript in bytes, where the host limits it. */
  readonly transcriptBytes?: number;
  /** Size of the transcript at which to flush whatever the tokens. Default: no limit. */
  readonly maxTranscriptBytes?: number;
  /** The number of the current compaction cycle: how often the conversation has been compacted. */
  readonly cycle: number;
  /** The cycle in which the last flush succeeded; absent when none has. */
  readonly flushedCycle?: number;
}

/** What {@link shouldFlush} says. */
export type FlushDecision =
  /** Write the memory down before the next turn. */
  | {
      readonly kind: 'flush';
      readonly reason: 'tokens' | 'bytes';
      readonly tokens: number;
      readonly thresholdTokens: number;
    }
  /** There is room for this many tokens more. */
  | { readonly kind: 'wait'; readonly remainingTokens: number }
  /** This cycle has been flushed. */
  | { readonly kind: 'already-flushed' };

/**
 * Tells whether to flush before the next turn: when conversation, last reply and incoming message together reach the
 * window less the reserve and the soft threshold, or the transcript reaches its limit in bytes; once in a cycle.
 *
 * @throws {FlushLoopOptionError} ERR_HOLDFAST_FLUSH_LOOP_OPTION for a count that is no whole number from 0, and for a
 * window that reserve and threshold leave no room in.
 */
export function shouldFlush(need: FlushNeed): FlushDecision {
  const { contextTokens, replyTokens = 0, incomingTokens = 0, windowTokens, cycle, flushedCycle } = need;
  const { reserveTokens = Math.min(DEFAULT_RESERVE_TOKENS, Math.floor(windowTokens / 4)) } = need;
  const { softThresholdTokens = Math.min(DEFAULT_SOFT_THRESHOLD_TOKENS, Math.floor(windowTokens / 10)) } = need;
  const { transcriptBytes = 0, maxTranscriptBytes } = need;
  const counts = { contextTokens, replyTokens, incomingTokens, windowTokens, reserveTokens, softThresholdTokens };
  checkCounts({ ...counts, transcriptBytes, maxTranscriptBytes, cycle, flushedCycle });
  const thresholdTokens = windowTokens - reserveTokens - softThresholdTokens;
  if (thresholdTokens <= 0) {
    const expected = `more than reserveTokens and softThresholdTokens together (${reserveTokens + softThresholdTokens})`;
    throw new FlushLoopOptionError('windowTokens', windowTokens, expected);
  }
  if (flushedCycle !== undefined && flushedCycle >= cycle) return { kind: 'already-flushed' };
  const tokens = contextTokens + replyTokens + incomingTokens;
  if (tokens >= thresholdTokens) return { kind: 'flush', reason: 'tokens', tokens, thresholdTokens };
  if (maxTranscriptBytes !== undefined && transcriptBytes >= maxTranscriptBytes) {
    return { kind: 'flush', reason: 'bytes', tokens, thresholdTokens };
  }
  return { kind: 'wait', remainingTokens: thresholdTokens - tokens };
}

function checkCounts(counts: Record<string, number | undefined>): void {
  for (const [name, count] of Object.entries(counts)) {
    if (count === undefined || (Number.isSafeInteger(count) && count >= 0)) continue;
    throw new FlushLoopOptionError(name, count, 'a whole number from 0');
  }
}
