/** The options of `executeOnce`, checked and with their defaults. */

import { cutText, runtime } from '@holdfast/kernel';
import { sha256Digest } from '../digest.js';
import { ReceiptOptionError } from '../execute-once-errors.js';
import type { ExecuteOnceOptions } from '../execute-once-options.js';
import { checkClaimRequest, isWhole } from '../store-requests.js';
import { MAX_RESEND_DELAY_MS } from './resend.js';

type Optional = 'reconcile' | 'signal' | 'offload';

/** Every option decided; only hooks that have no default may be `undefined`. */
export type Settings<T> = Required<Omit<ExecuteOnceOptions<T>, Optional>> & {
  readonly [Name in Optional]: ExecuteOnceOptions<T>[Name] | undefined;
};

/** Longest error text that a receipt keeps, in characters. */
const MAX_ERROR_CHARS = 4_000;

export function settingsOf<T>(options: ExecuteOnceOptions<T>): Settings<T> {
  // Each name is written out: an object made of another's properties takes several times as long.
  const settings: Settings<T> = {
    effect: options.effect ?? 'opaque',
    leaseMs: options.leaseMs ?? 30_000,
    maxAttempts: options.maxAttempts ?? 5,
    providerKeyWindowMs: options.providerKeyWindowMs ?? Number.POSITIVE_INFINITY,
    onKeyExpiry: options.onKeyExpiry ?? 'refuse',
    whenBusy: options.whenBusy ?? 'return',
    waitLimitMs: options.waitLimitMs ?? 60_000,
    reconcile: options.reconcile ?? undefined,
    classifyError: options.classifyError ?? (() => undefined),
    describeError: options.describeError ?? describeThrown,
    signal: options.signal ?? undefined,
    maxResultChars: options.maxResultChars ?? 262_144,
    maxSteps: options.maxSteps ?? 1_000,
    offload: options.offload ?? undefined,
    allowVolatile: options.allowVolatile ?? false,
    serialize: options.serialize ?? JSON.stringify,
    deserialize: options.deserialize ?? JSON.parse,
    digest: options.digest ?? sha256Digest,
    newToken: options.newToken ?? platformToken(),
    now: options.now ?? (() => runtime.performance.now()),
    maxResends: options.maxResends ?? 5,
    resendDelayMs: options.resendDelayMs ?? 50,
  };
  checkNumbers(settings);
  checkKeyWindow(settings);
  checkHooks(settings);
  return settings;
}

function checkNumbers(settings: Settings<unknown>): void {
  const { effect, leaseMs, maxAttempts } = settings;
  checkClaimRequest({ effect, leaseMs, maxAttempts, token: 'checked when it is made' });
  if (settings.whenBusy !== 'wait' && settings.whenBusy !== 'return') {
    throw new ReceiptOptionError('whenBusy', settings.whenBusy, "'wait' or 'return'");
  }
  for (const field of ['waitLimitMs', 'maxResultChars', 'maxSteps', 'maxResends'] as const) {
    if (!isWhole(settings[field], 0, Number.MAX_SAFE_INTEGER)) {
      throw new ReceiptOptionError(field, settings[field], 'a whole number from 0');
    }
  }
  const { resendDelayMs } = settings;
  if (!isWhole(resendDelayMs, 0, MAX_RESEND_DELAY_MS)) {
    throw new ReceiptOptionError('resendDelayMs', resendDelayMs, `a whole number from 0 to ${MAX_RESEND_DELAY_MS}`);
  }
}

/** A window that the attempts can outlive by themselves would be found out by the last one only. */
function checkKeyWindow({ effect, leaseMs, maxAttempts, providerKeyWindowMs, onKeyExpiry }: Settings<unknown>): void {
  if (onKeyExpiry !== 'refuse' && onKeyExpiry !== 'warn') {
    throw new ReceiptOptionError('onKeyExpiry', onKeyExpiry, "'refuse' or 'warn'");
  }
  // Text out of the environment would compare like a number, and then count as no limit.
  if (!(typeof providerKeyWindowMs === 'number' && providerKeyWindowMs > 0)) {
    throw new ReceiptOptionError('providerKeyWindowMs', providerKeyWindowMs, 'a number of milliseconds above 0');
  }
  const least = leaseMs * maxAttempts;
  if (effect === 'resumable' && onKeyExpiry === 'refuse' && providerKeyWindowMs < least) {
    const expected = `at least leaseMs × maxAttempts, ${least} ms, so that the last takeover still comes in time`;
    throw new ReceiptOptionError('providerKeyWindowMs', providerKeyWindowMs, expected);
  }
}

const FUNCTIONS = [
  'reconcile',
  'classifyError',
  'describeError',
  'serialize',
  'deserialize',
  'digest',
  'newToken',
  'now',
] as const;

/** A hook that cannot be called would show only after the claim, and leave the receipt running. */
function checkHooks(settings: Settings<unknown>): void {
  for (const field of FUNCTIONS) {
    const hook = settings[field];
    if (hook !== undefined && typeof hook !== 'function') throw new ReceiptOptionError(field, hook, 'a function');
  }
  const { signal, offload, allowVolatile } = settings;
  // Text out of the environment would count as a yes.
  if (typeof allowVolatile !== 'boolean') throw new ReceiptOptionError('allowVolatile', allowVolatile, 'true or false');
  if (offload !== undefined && (typeof offload.save !== 'function' || typeof offload.load !== 'function')) {
    throw new ReceiptOptionError('offload', offload, 'an object with the functions save and load');
  }
  const isSignal = typeof signal?.addEventListener === 'function' && typeof signal.removeEventListener === 'function';
  if (signal !== undefined && !isSignal) {
    throw new ReceiptOptionError('signal', signal, 'an AbortSignal');
  }
}

/** The text that a receipt keeps of a thrown value. Never throws: the failure itself has to be recorded. */
export function errorText(error: unknown, settings: Settings<unknown>): string {
  try {
    return cutText(String(settings.describeError(error)), MAX_ERROR_CHARS);
  } catch {
    return 'The effect threw a value that cannot be rendered.';
  }
}

function describeThrown(error: unknown): string {
  return String(error);
}

interface PlatformCrypto {
  readonly crypto?: { randomUUID?(): string };
}

function platformToken(): () => string {
  const { crypto } = globalThis as PlatformCrypto;
  if (typeof crypto?.randomUUID !== 'function') {
    throw new ReceiptOptionError('newToken', undefined, 'given, because this runtime has no crypto.randomUUID');
  }
  return () => (crypto as { randomUUID(): string }).randomUUID();
}
