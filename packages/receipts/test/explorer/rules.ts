/**
 * The verbs of a store over rows that are numbers. Every row that comes up is numbered once, and every verb on it is
 * worked out once, by the transitions that the stores use, so that an explorer can ask millions of times.
 *
 * Time has two states: the clock stands at 0, a lease ends at 1 or has ended at 0, and `lapse` ends it.
 */

import type { EffectResumability } from '@holdfast/receipts';
import {
  applyClaim,
  applyComplete,
  applyFail,
  applyRenew,
  applyResolve,
  type ReceiptRow,
  type ReceiptTransition,
} from '@holdfast/receipts/store';
import { lawBroken } from './laws.js';
import { ERROR, type Message, resultOf } from './messages.js';

/** The transitions; a mutant replaces one. */
export interface Transitions {
  readonly claim: typeof applyClaim;
  readonly renew: typeof applyRenew;
  readonly step: typeof applyRenew;
  readonly complete: typeof applyComplete;
  readonly fail: typeof applyFail;
  readonly resolve: typeof applyResolve;
}

export const REAL: Transitions = {
  claim: applyClaim,
  renew: applyRenew,
  step: applyRenew,
  complete: applyComplete,
  fail: applyFail,
  resolve: applyResolve,
};

/** What a verb did. */
export interface Applied {
  readonly answer: string;
  /** The attempt that a claim was granted, or 0. */
  readonly attempt: number;
  /** The number of the row afterwards. */
  readonly row: number;
  /** What the verb must not have done, if it did. */
  readonly broken: string | undefined;
}

export interface Rules {
  /** The row with this number; 0 is no receipt. */
  row(id: number): ReceiptRow | undefined;
  apply(id: number, message: Message): Applied;
  /** Ends the lease of a running row. */
  lapse(id: number): number;
  /** What is wrong with the ways that lead out of this row, if something is. */
  deadEnd(id: number): string | undefined;
}

export interface RuleOptions {
  /** What a call asks for, by its token. */
  effectOf(token: number): EffectResumability;
  readonly maxAttempts: number;
}

export function rulesOf(transitions: Transitions, options: RuleOptions): Rules {
  const rows: (ReceiptRow | undefined)[] = [undefined];
  const ids = new Map<string, number>([['none', 0]]);
  const results = new Map<string, Applied>();
  const exits = new Map<number, string | undefined>();

  function numberOf(row: ReceiptRow): number {
    const name = JSON.stringify(Object.values(row));
    const known = ids.get(name);
    if (known !== undefined) return known;
    ids.set(name, rows.length);
    return rows.push(row) - 1;
  }

  function apply(id: number, message: Message): Applied {
    const name = `${id} ${Object.values(message).join(' ')}`;
    const known = results.get(name);
    if (known !== undefined) return known;
    const before = rows[id];
    const done = applied(transitions, before, message, options);
    const after = done.row ?? before;
    const { kind, attempt = 0 } = done.outcome;
    const result: Applied = {
      answer: kind,
      attempt: kind === 'execute' ? attempt : 0,
      row: after === undefined ? 0 : numberOf(after),
      broken: lawBroken({ before, after, answer: kind, attempt, message, effect: effectOf(message, options) }),
    };
    results.set(name, result);
    return result;
  }

  function lapse(id: number): number {
    const row = rows[id];
    return row?.status === 'running' && row.leaseUntil > 0 ? numberOf({ ...row, leaseUntil: 0 }) : id;
  }

  function deadEnd(id: number): string | undefined {
    if (!exits.has(id)) exits.set(id, exitMissing(rows[id], transitions));
    return exits.get(id);
  }

  return { row: (id) => rows[id], apply, lapse, deadEnd };
}

function effectOf(message: Message, options: RuleOptions): EffectResumability {
  return message.verb === 'resolve' ? 'opaque' : options.effectOf(message.token);
}

type Outcome = { readonly kind: string; readonly attempt?: number };

function applied(
  transitions: Transitions,
  row: ReceiptRow | undefined,
  message: Message,
  { effectOf, maxAttempts }: RuleOptions,
): ReceiptTransition<Outcome> {
  if (message.verb === 'claim') {
    const token = String(message.token);
    return transitions.claim(row, { effect: effectOf(message.token), token, leaseMs: 1, maxAttempts }, 0);
  }
  if (message.verb === 'resolve') {
    const verdict = { kind: message.verdict, result: 'as people say', error: 'given up' };
    return transitions.resolve(row, message.attempt, verdict, 0);
  }
  const claim = { attempt: message.attempt, token: String(message.token) };
  if (message.verb === 'complete') return transitions.complete(row, claim, resultOf(message.attempt));
  if (message.verb === 'fail') return transitions.fail(row, claim, { kind: message.kind, error: ERROR });
  return transitions[message.verb](row, claim, 1, 0);
}

/** From every row a caller gets to run, to a result, or to a refusal that a person may lift. */
function exitMissing(row: ReceiptRow | undefined, transitions: Transitions): string | undefined {
  const over = row && { ...row, leaseUntil: 0 };
  const request = { effect: 'opaque', token: 'a fresh caller', leaseMs: 1, maxAttempts: 99 } as const;
  const { outcome } = transitions.claim(over, request, 0);
  if (outcome.kind !== 'ambiguous') {
    return ['execute', 'replay', 'rejected'].includes(outcome.kind) ? undefined : `a fresh caller gets ${outcome.kind}`;
  }
  const resolved = transitions.resolve(over, outcome.attempt, { kind: 'did-not-happen' }, 0);
  if (resolved.outcome.kind !== 'ok') return 'an ambiguous receipt cannot be resolved';
  const next = transitions.claim(resolved.row ?? over, request, 0).outcome.kind;
  return next === 'execute' ? undefined : `a caller after the verdict gets ${next}`;
}
