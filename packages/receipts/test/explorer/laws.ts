/** Laws that hold for each verb by itself, whatever led to it. They know the rows, and nothing of how verbs decide. */

import type { EffectResumability } from '@holdfast/receipts';
import type { ReceiptRow } from '@holdfast/receipts/store';
import { ERROR, type Message, resultOf } from './messages.js';

/** One verb on one receipt: what was there, what is there, and what the store said. */
export interface Step {
  readonly before: ReceiptRow | undefined;
  readonly after: ReceiptRow | undefined;
  readonly answer: string;
  /** The attempt that the answer names, or 0. */
  readonly attempt: number;
  readonly message: Message;
  /** What the sender's call is for. */
  readonly effect: EffectResumability;
}

/** The law that a step breaks, if it breaks one. */
export function lawBroken(step: Step): string | undefined {
  return historyBroken(step) ?? (step.before && step.message.verb === 'claim' ? grantBroken(step) : writeBroken(step));
}

/** What is settled stays, and attempts and evidence only grow. */
function historyBroken({ before, after, message }: Step): string | undefined {
  if ((after?.attempts ?? 0) < (before?.attempts ?? 0)) return 'the number of attempts has fallen';
  if (before === undefined) return undefined;
  if (before.status === 'completed' && (after?.status !== 'completed' || after.result !== before.result)) {
    return 'a completed receipt has changed';
  }
  if (before.status === 'rejected' && after?.status !== 'rejected') return 'a rejected receipt has changed';
  if (before.status === 'ambiguous' && after?.status !== 'ambiguous' && message.verb !== 'resolve') {
    return 'an ambiguous receipt has changed without a verdict';
  }
  return before.evidence !== null && after?.evidence === null ? 'evidence has vanished' : undefined;
}

function grantBroken({ before, answer, attempt, message, effect }: Step): string | undefined {
  if (answer !== 'execute' || before === undefined || message.verb !== 'claim') return undefined;
  const isRunning = before.status === 'running';
  if (isRunning && before.token === String(message.token) && attempt === before.attempts) return undefined;
  if (attempt !== before.attempts + 1) return 'a grant did not raise the attempt by one';
  if (isRunning && before.leaseUntil > 0) return 'two grants are live at once';
  if (isRunning && (before.effect === 'opaque' || effect === 'opaque')) return 'an opaque effect was begun on a guess';
  return undefined;
}

const FAILURE_STATUS = { clean: 'failed', unknown: 'ambiguous', terminal: 'rejected' } as const;

function writeBroken({ before, after, answer, message }: Step): string | undefined {
  if (message.verb === 'claim') return undefined;
  if (message.verb === 'resolve') {
    if (answer !== 'ok') return undefined;
    if (before?.attempts !== message.attempt) return 'a verdict was applied to an attempt that it was not about';
    const isOpen = before.status === 'ambiguous' || (before.status === 'running' && before.leaseUntil <= 0);
    return isOpen ? undefined : 'a verdict was applied to what is not open';
  }
  const isHolder = before?.attempts === message.attempt && before.token === String(message.token);
  if (answer === 'ok' && !(isHolder && before.status === 'running'))
    return `${message.verb} was accepted from a zombie`;
  if (answer !== 'fenced' || before === undefined) return undefined;
  if (message.verb === 'complete') {
    if (isHolder && before.result === resultOf(message.attempt)) return 'a recorded result is called lost';
    if (after?.evidence?.kind !== 'completed') return 'the result of a fenced attempt is not kept as evidence';
  }
  if (message.verb === 'fail' && isHolder && before.status === FAILURE_STATUS[message.kind] && before.error === ERROR) {
    return 'a recorded failure is called lost';
  }
  return undefined;
}
