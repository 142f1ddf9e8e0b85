/** What is sent to the store, and how it lies in a world of numbers while it is late. */

import type { FailureKind, ReceiptVerdict } from '@holdfast/receipts';
import { LATE, type World } from './world.js';

export const FAILURES: readonly FailureKind[] = ['clean', 'unknown', 'terminal'];
export const VERDICTS: readonly ReceiptVerdict['kind'][] = ['happened', 'did-not-happen', 'give-up'];
const VERBS = ['none', 'claim', 'renew', 'step', 'complete', 'fail', 'resolve'] as const;

/** A verb as a message: who sends it, for which attempt, and what it says. */
export type Message =
  | { readonly verb: 'claim'; readonly token: number }
  | { readonly verb: 'renew' | 'step' | 'complete'; readonly token: number; readonly attempt: number }
  | { readonly verb: 'fail'; readonly token: number; readonly attempt: number; readonly kind: FailureKind }
  | { readonly verb: 'resolve'; readonly attempt: number; readonly verdict: ReceiptVerdict['kind'] };

/** What an attempt records: its own name, so that a result that was swapped shows. */
export const resultOf = (attempt: number): string => `result ${attempt}`;
/** What every failing attempt reports. */
export const ERROR = 'it threw';

/** The fields of a message that waits at `at`. */
export function packed(message: Message, at: number): [field: number, value: number][] {
  const token = message.verb === 'resolve' ? 0 : message.token;
  const attempt = message.verb === 'claim' ? 0 : message.attempt;
  return [VERBS.indexOf(message.verb), token, attempt, saying(message)].map((value, index) => [at + index, value]);
}

function saying(message: Message): number {
  if (message.verb === 'fail') return FAILURES.indexOf(message.kind);
  return message.verb === 'resolve' ? VERDICTS.indexOf(message.verdict) : 0;
}

/** The message that waits at `at`, if one does. */
export function unpacked(world: World, at: number): Message | undefined {
  const verb = VERBS[world[at + LATE.verb] as number] as (typeof VERBS)[number];
  const token = world[at + LATE.token] as number;
  const attempt = world[at + LATE.attempt] as number;
  const says = world[at + LATE.says] as number;
  if (verb === 'none') return undefined;
  if (verb === 'claim') return { verb, token };
  if (verb === 'fail') return { verb, token, attempt, kind: FAILURES[says] as FailureKind };
  if (verb === 'resolve') return { verb, attempt, verdict: VERDICTS[says] as ReceiptVerdict['kind'] };
  return { verb, token, attempt };
}
