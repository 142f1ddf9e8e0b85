import { FlushLoopOptionError, type FlushNeed, shouldFlush } from '@holdfast/flush-loop';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const need = (given: Partial<FlushNeed> = {}): FlushNeed => ({
  contextTokens: 0,
  windowTokens: 200_000,
  cycle: 0,
  ...given,
});

describe('shouldFlush', () => {
  it('flushes from the window less reserve and soft threshold on', () => {
    expect(shouldFlush(need({ contextTokens: 175_999 }))).toEqual({ kind: 'wait', remainingTokens: 1 });
    expect(shouldFlush(need({ contextTokens: 176_000 }))).toEqual({
      kind: 'flush',
      reason: 'tokens',
      tokens: 176_000,
      thresholdTokens: 176_000,
    });
  });

  it('counts the last reply and the incoming message', () => {
    const given = need({ contextTokens: 170_000, replyTokens: 4_000, incomingTokens: 2_000 });
    expect(shouldFlush(given)).toMatchObject({ kind: 'flush', tokens: 176_000 });
    expect(shouldFlush({ ...given, incomingTokens: 1_999 }).kind).toBe('wait');
  });

  it('keeps a share of a small window', () => {
    expect(shouldFlush(need({ windowTokens: 8_000, contextTokens: 5_199 })).kind).toBe('wait');
    expect(shouldFlush(need({ windowTokens: 8_000, contextTokens: 5_200 })).kind).toBe('flush');
  });

  it('flushes for the bytes of the transcript', () => {
    const given = need({ transcriptBytes: 2_000_000, maxTranscriptBytes: 2_000_000 });
    expect(shouldFlush(given)).toMatchObject({ kind: 'flush', reason: 'bytes' });
    expect(shouldFlush({ ...given, transcriptBytes: 1_999_999 }).kind).toBe('wait');
    expect(shouldFlush(need({ transcriptBytes: 9_000_000_000 })).kind).toBe('wait');
  });

  it('flushes once in a cycle', () => {
    const full = need({ contextTokens: 199_000, cycle: 3 });
    expect(shouldFlush({ ...full, flushedCycle: 3 })).toEqual({ kind: 'already-flushed' });
    expect(shouldFlush({ ...full, flushedCycle: 2 }).kind).toBe('flush');
    expect(shouldFlush({ ...full, flushedCycle: 4 }).kind).toBe('already-flushed');
  });

  it.each([
    ['contextTokens', -1],
    ['replyTokens', 0.5],
    ['incomingTokens', Number.NaN],
    ['windowTokens', Number.POSITIVE_INFINITY],
    ['reserveTokens', -5],
    ['softThresholdTokens', '4000'],
    ['maxTranscriptBytes', -1],
    ['cycle', 1.5],
    ['flushedCycle', -1],
    ['windowTokens', 0],
  ])('refuses %s = %s by name', (option, value) => {
    const thrown = thrownBy(() => shouldFlush({ ...need(), [option]: value } as FlushNeed));
    expect(thrown).toMatchObject({ code: 'ERR_HOLDFAST_FLUSH_LOOP_OPTION', option, value });
  });

  it('refuses a window that reserve and threshold use up', () => {
    const given = need({ windowTokens: 8_192, reserveTokens: 8_000, softThresholdTokens: 192 });
    expect(() => shouldFlush(given)).toThrow(FlushLoopOptionError);
    expect(shouldFlush({ ...given, softThresholdTokens: 191 }).kind).toBe('wait');
  });

  it('agrees with adding the numbers up', () => {
    const tokens = fc.nat({ max: 1_000 });
    fc.assert(
      fc.property(
        tokens,
        tokens,
        tokens,
        tokens,
        tokens,
        (contextTokens, replyTokens, incomingTokens, reserve, soft) => {
          const windowTokens = reserve + soft + 700;
          const given = { contextTokens, replyTokens, incomingTokens, windowTokens, cycle: 1, flushedCycle: 0 };
          const decision = shouldFlush({ ...given, reserveTokens: reserve, softThresholdTokens: soft });
          const remaining = 700 - contextTokens - replyTokens - incomingTokens;
          if (remaining > 0) expect(decision).toEqual({ kind: 'wait', remainingTokens: remaining });
          else expect(decision.kind).toBe('flush');
        },
      ),
    );
  });
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
