/** Asking a store again after an answer that was lost. */

import { type AbortSignalLike, runtime } from '@holdfast/kernel';
import { ReceiptStoreAnswerError, type ReceiptStoreVerb } from '../execute-once-errors.js';
import type { ReceiptStore } from '../receipt-store.js';
import type { Settings } from './settings.js';

/** Longest pause between two sends. */
export const MAX_RESEND_DELAY_MS = 2_000;

/** The store's answer, or the last error after all resends. */
export type Sent<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'silent'; readonly cause: unknown; readonly sends: number };

type Kind<Verb extends ReceiptStoreVerb> = Awaited<ReturnType<ReceiptStore[Verb]>>['kind'];

const FENCED = { ok: true, fenced: true } as const;
const SETTLED = { ...FENCED, already: true } as const;
/** What a store may answer; the compiler keeps it whole. */
const KINDS: { readonly [Verb in ReceiptStoreVerb]: Readonly<Record<Kind<Verb>, true>> } = {
  claim: {
    execute: true,
    replay: true,
    gone: true,
    wait: true,
    ambiguous: true,
    rejected: true,
    exhausted: true,
    stale: true,
  },
  step: FENCED,
  complete: SETTLED,
  fail: SETTLED,
  resolve: FENCED,
};

/**
 * Sends the same request until the store answers or the resends are used up. Safe because every verb answers a
 * duplicate of itself with what the first one did. An answer that is none counts as an error; an error that `isFinal` is
 * not followed by a resend.
 */
export async function resend<Answer extends { readonly kind: string }>(
  verb: ReceiptStoreVerb,
  send: () => Promise<Answer>,
  settings: Settings<unknown>,
  isFinal: (cause: unknown) => boolean = () => false,
): Promise<Sent<Answer>> {
  let delay = settings.resendDelayMs;
  for (let sends = 1; ; sends++) {
    try {
      const answer = await send();
      const { kind } = (answer ?? {}) as { readonly kind?: unknown };
      if (typeof kind !== 'string' || !Object.hasOwn(KINDS[verb], kind)) {
        throw new ReceiptStoreAnswerError(verb, kind, Object.keys(KINDS[verb]).join(', '));
      }
      return { kind: 'answered', answer };
    } catch (cause) {
      if (sends > settings.maxResends || isFinal(cause)) return { kind: 'silent', cause, sends };
    }
    await pause(delay);
    delay = Math.min(delay * 2, MAX_RESEND_DELAY_MS);
  }
}

/** Waits, at most until the signal aborts. */
export function pause(ms: number, signal?: AbortSignalLike): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      runtime.clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = runtime.setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
