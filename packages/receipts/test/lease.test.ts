import {
  type EffectContext,
  type ExecuteOnceOptions,
  type ExecuteOnceOutcome,
  executeOnce,
  LeaseLostError,
} from '@holdfast/receipts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { granted, keyOf, request } from './support/claiming.js';
import { type ScriptedStore, scriptedStore } from './support/scripted-store.js';

const KEY = keyOf('hash');
const LEASE = 3_000;
const resumable = { effect: 'resumable' } as const;
/** Web Crypto answers in real time, which stands still here. */
const digest = async (text: string) => `digest of ${text.length}`;

let store: ScriptedStore;

beforeEach(() => {
  vi.useFakeTimers();
  store = scriptedStore(() => performance.now());
});

afterEach(() => {
  vi.useRealTimers();
});

/** An effect that runs until it is told how to end. */
function running(options: ExecuteOnceOptions<string> = {}) {
  let end = (_: string | Error) => {};
  let context: EffectContext | undefined;
  const outcome = executeOnce<string>(
    store,
    KEY,
    (given) => {
      context = given;
      return new Promise((resolve, reject) => {
        end = (value) => (typeof value === 'string' ? resolve(value) : reject(value));
      });
    },
    { leaseMs: LEASE, digest, ...options },
  );
  return {
    outcome,
    end: (value: string | Error) => end(value),
    get context() {
      if (context === undefined) throw new Error('The effect has not begun.');
      return context;
    },
  };
}

/** Another attempt takes over in the store, which thinks the lease has run out. */
async function takeOver(): Promise<void> {
  store.advance(LEASE * 2);
  await granted(store.inner, 'other', { ...resumable, leaseMs: 60_000 });
}

const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const renewals = () => store.sent.filter((verb) => verb === 'renew').length;

describe('the lease of a running effect', () => {
  it('is renewed at a third of its length, for as long as the effect runs', async () => {
    const call = running();
    await passes(999);
    expect(renewals()).toBe(0);
    await passes(1);
    expect(renewals()).toBe(1);
    await passes(9 * LEASE);
    expect(renewals()).toBe(28);
    expect(call.context.signal.aborted).toBe(false);
    call.end('done');
    expect(await call.outcome).toMatchObject({ kind: 'executed', value: 'done', attempt: 1 });
    await passes(10 * LEASE);
    expect(renewals()).toBe(28);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is lost when the store says so: the signal aborts, and the ending does not count', async () => {
    const call = running(resumable);
    await passes(10);
    await takeOver();
    await passes(1_000);
    expect(call.context.signal.aborted).toBe(true);
    expect(call.context.signal.reason).toBeInstanceOf(LeaseLostError);
    expect(call.context.signal.reason).toMatchObject({ code: 'ERR_HOLDFAST_LEASE_LOST', reason: 'fenced', attempt: 1 });
    call.end('late');
    expect(await call.outcome).toEqual({ kind: 'lost', attempt: 1, effect: { kind: 'returned', value: 'late' } });
    expect((await store.list()).receipts).toMatchObject([
      { attempt: 2, status: 'running', evidence: { attempt: 1, kind: 'completed', text: '"late"' } },
    ]);
    expect(renewals()).toBe(1);
  });

  it('is lost for an effect that throws, too', async () => {
    const call = running(resumable);
    await passes(10);
    await takeOver();
    const error = new Error('late');
    call.end(error);
    expect(await call.outcome).toEqual({ kind: 'lost', attempt: 1, effect: { kind: 'threw', error } });
  });

  it('is given up when no renewal is confirmed until the deadline', async () => {
    const call = running();
    store.breaks('renew', 'lose the request', 'lose the request', 'lose the request');
    await passes(LEASE - 1);
    expect(call.context.signal.aborted).toBe(false);
    await passes(1);
    expect(call.context.signal.reason).toMatchObject({ reason: 'expired' });
    expect(renewals()).toBe(2);
    await passes(10 * LEASE);
    expect(renewals()).toBe(2);
    call.end('healed');
    expect(await call.outcome).toMatchObject({ kind: 'executed', value: 'healed' });
  });

  it('survives a renewal that is lost on the wire', async () => {
    const call = running();
    await passes(10);
    store.breaks('renew', 'lose the request', 'lose the answer');
    await passes(LEASE - 11);
    expect(call.context.signal.aborted).toBe(false);
    call.end('done');
    expect((await call.outcome).kind).toBe('executed');
  });

  it('counts its deadline from before the request was sent', async () => {
    const slow = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms));
    store.before('claim', slow(2_500));
    store.breaks('renew', ...Array<'lose the request'>(9).fill('lose the request'));
    const call = running();
    await passes(2_999);
    expect(call.context.signal.aborted).toBe(false);
    await passes(1);
    expect(call.context.signal.reason).toMatchObject({ reason: 'expired' });
    call.end('x');
    await call.outcome;
  });

  it('does not begin an effect whose grant came too late', async () => {
    store.before('claim', () => new Promise((resolve) => setTimeout(resolve, LEASE)));
    const call = running();
    await passes(LEASE);
    expect(await call.outcome).toMatchObject({ kind: 'failed', failure: 'clean', error: { reason: 'expired' } });
    expect(() => call.context).toThrow('has not begun');
    expect((await store.claim(KEY, request('next'))).kind).toBe('execute');
  });

  it('keeps one renewal under way at a time', async () => {
    store.before('renew', () => new Promise((resolve) => setTimeout(resolve, 2_500)));
    const call = running({ leaseMs: LEASE });
    await passes(2_999);
    expect(renewals()).toBe(1);
    call.end('done');
    await call.outcome;
  });
});

describe('the end of an effect', () => {
  it('lets no renewal abort what has succeeded', async () => {
    const call = running();
    await passes(10);
    // The answer of the completion is lost, and the renewal meets a receipt that is complete.
    store.breaks('complete', 'lose the answer');
    await passes(LEASE / 3 - 20);
    call.end('done');
    await passes(LEASE);
    expect(await call.outcome).toMatchObject({ kind: 'executed', value: 'done' });
    expect(renewals()).toBeGreaterThan(0);
    expect(call.context.signal.aborted).toBe(false);
  });

  it('lets the host abort no more', async () => {
    const controller = new AbortController();
    const call = running({ signal: controller.signal });
    await passes(10);
    store.before('complete', () => controller.abort('stop'));
    call.end('done');
    expect(await call.outcome).toMatchObject({ kind: 'executed', value: 'done' });
    expect(call.context.signal.aborted).toBe(false);
  });

  it('still aborts steps that it has left running', async () => {
    const controller = new AbortController();
    let endStep = () => {};
    const stepEnds = new Promise<void>((resolve) => {
      endStep = resolve;
    });
    let context: EffectContext | undefined;
    const outcome = executeOnce(
      store,
      KEY,
      (given) => {
        context = given;
        void given.step('one', () => stepEnds);
        return 'done';
      },
      { leaseMs: LEASE, digest, effect: 'resumable', signal: controller.signal },
    );
    await passes(10);
    controller.abort('stop');
    expect(context?.signal.aborted).toBe(true);
    endStep();
    expect((await outcome).kind).toBe('executed');
  });
});

describe('the signal of the host', () => {
  it('keeps a call from claiming', async () => {
    const reason = new Error('shutting down');
    expect(await executeOnce(store, KEY, () => 1, { signal: AbortSignal.abort(reason) })).toEqual({
      kind: 'aborted',
      reason,
    });
    expect(store.sent).toEqual([]);
  });

  it('keeps a granted effect from beginning, and leaves the key free', async () => {
    const controller = new AbortController();
    store.before('claim', () => controller.abort('stop'));
    const call = running({ signal: controller.signal });
    expect(await call.outcome).toEqual({ kind: 'aborted', reason: 'stop' });
    expect(store.sent).toEqual(['claim', 'fail']);
    expect((await store.claim(KEY, request('next'))).kind).toBe('execute');
  });

  it('aborts the signal of a running effect, which then says itself what happened', async () => {
    const controller = new AbortController();
    const call = running({ signal: controller.signal });
    await passes(10);
    controller.abort('stop');
    expect(call.context.signal.aborted).toBe(true);
    expect(call.context.signal.reason).toBe('stop');
    await passes(LEASE);
    expect(renewals()).toBe(3);
    call.end('done anyway');
    expect(await call.outcome).toMatchObject({ kind: 'executed', value: 'done anyway' });
  });

  it('is heard through one signal, also in copies of the context', async () => {
    const controller = new AbortController();
    const call = running({ signal: controller.signal });
    await passes(10);
    const { signal, ...others } = call.context;
    const copy = { ...call.context };
    controller.abort('stop');
    expect(signal).toMatchObject({ aborted: true, reason: 'stop' });
    expect(copy.signal).toBe(signal);
    expect(call.context.signal).toBe(signal);
    expect(Object.keys({ signal, ...others }).sort()).toEqual(Object.keys(call.context).sort());
    call.end('done');
    await call.outcome;
  });

  it('aborts once, and what aborts first gives the reason', async () => {
    const controller = new AbortController();
    const call = running({ ...resumable, signal: controller.signal });
    await passes(10);
    const heard = vi.fn();
    call.context.signal.addEventListener('abort', heard);
    controller.abort('stop');
    await takeOver();
    await passes(LEASE);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(call.context.signal.reason).toBe('stop');
    call.end('late');
    expect((await call.outcome).kind).toBe('lost');
  });

  it('has no say once the call has ended, also for a signal that is read only then', async () => {
    const controller = new AbortController();
    const call = running({ signal: controller.signal });
    await passes(10);
    call.end('done');
    await call.outcome;
    controller.abort('stop');
    expect(call.context.signal.aborted).toBe(false);
  });

  it('is let go of when the call is over', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const call = running({ signal });
    await passes(10);
    call.end('done');
    await call.outcome;
    expect(added).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });

  it('ends the wait for another attempt', async () => {
    await granted(store.inner, 'other', { leaseMs: 60_000 });
    const controller = new AbortController();
    const call = running({ signal: controller.signal, whenBusy: 'wait' });
    await passes(500);
    controller.abort('stop');
    expect(await call.outcome).toEqual({ kind: 'aborted', reason: 'stop' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("whenBusy: 'wait'", () => {
  const never = () => {
    throw new Error('The effect ran.');
  };
  const claims = () => store.sent.filter((verb) => verb === 'claim').length;
  async function outcomeAfter<T>(call: Promise<ExecuteOnceOutcome<T>>, ms: number): Promise<ExecuteOnceOutcome<T>> {
    await passes(ms);
    return call;
  }

  it("gives the other attempt's result", async () => {
    const claim = await granted(store.inner, 'other', { leaseMs: 60_000 });
    const call = executeOnce(store, KEY, never, { whenBusy: 'wait', digest });
    await passes(2_000);
    await store.inner.complete(KEY, claim, '"theirs"');
    expect(await outcomeAfter(call, 1_000)).toEqual({ kind: 'replayed', attempt: 1, value: 'theirs' });
  });

  it('looks less often the longer it waits, and never later than the lease runs', async () => {
    await granted(store.inner, 'other', { ...resumable, leaseMs: 10_000 });
    const call = executeOnce(store, KEY, ({ attempt }) => attempt, {
      ...resumable,
      leaseMs: 5_000,
      whenBusy: 'wait',
      digest,
    });
    await passes(1_000);
    expect(claims()).toBe(6);
    await passes(8_999);
    expect(claims()).toBeLessThan(16);
    expect(await outcomeAfter(call, 1)).toMatchObject({ kind: 'executed', value: 2 });
  });

  it('gives up at its limit', async () => {
    await granted(store.inner, 'other', { leaseMs: 60_000 });
    const options = { whenBusy: 'wait', waitLimitMs: 2_000, digest } as const;
    expect(await outcomeAfter(executeOnce(store, KEY, never, options), 2_000)).toMatchObject({
      kind: 'busy',
      remainingMs: 58_000,
    });
    expect(claims()).toBeGreaterThan(2);
  });

  it('waits for a minute by default', async () => {
    await granted(store.inner, 'other', { leaseMs: 3_600_000 });
    const settled = vi.fn();
    void executeOnce(store, KEY, never, { whenBusy: 'wait', digest }).then(settled);
    await passes(59_999);
    expect(settled).not.toHaveBeenCalled();
    await passes(1);
    expect(settled).toHaveBeenCalledWith(expect.objectContaining({ kind: 'busy' }));
  });
});
