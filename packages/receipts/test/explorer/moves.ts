/** Everything that may happen next in a world. */

import type { FailureKind } from '@holdfast/receipts';
import { receiptStatus } from '@holdfast/receipts/store';
import { FAILURES, type Message, packed, unpacked, VERDICTS } from './messages.js';
import type { Applied, Rules } from './rules.js';
import { changed, FIELD, LATE, type Layout, PC, WORKER, type World } from './world.js';

/** A world that comes next, what happened, and what is wrong with that. */
export interface Move {
  readonly what: string;
  readonly world: number[];
  readonly broken?: string | undefined;
}

export function movesFrom(world: World, layout: Layout, rules: Rules): Move[] {
  const moves: Move[] = [];
  const lapsed = rules.lapse(world[FIELD.row] as number);
  if (lapsed !== world[FIELD.row])
    moves.push({ what: 'the lease runs out', world: changed(world, [[FIELD.row, lapsed]]) });
  for (let index = 0; index < layout.bounds.workers; index++) workerMoves(moves, world, index, layout, rules);
  for (const at of layout.lates) lateMoves(moves, world, at, layout, rules);
  if ((world[FIELD.verdictsLeft] as number) > 0) verdictMoves(moves, world, layout, rules);
  return moves;
}

function workerMoves(moves: Move[], world: World, index: number, layout: Layout, rules: Rules): void {
  const at = layout.worker(index);
  const pc = world[at + WORKER.pc] as number;
  const call = world[at + WORKER.call] as number;
  const attempt = world[at + WORKER.attempt] as number;
  const name = `worker ${index}`;
  const goes = (what: string, to: number, ...more: [number, number][]) =>
    moves.push({ what: `${name} ${what}`, world: changed(world, [[at + WORKER.pc, to], ...more]) });
  if (pc === PC.idle) {
    if (call < layout.bounds.calls) goes('calls', PC.claiming, [at + WORKER.call, call + 1]);
    return;
  }
  const token = layout.token(index, call);
  const isResumable = layout.effectOf(token) === 'resumable';
  const landed = (world[FIELD.landed] as number) + 1;
  if (pc === PC.ready) goes('begins its effect', PC.running);
  if (pc === PC.running) {
    if (isResumable && world[at + WORKER.knowsStep] === 1) goes('skips the step', PC.landed);
    else goes('takes effect', isResumable ? PC.stepping : PC.landed, [FIELD.landed, landed]);
  }
  if (pc === PC.running || pc === PC.ready) {
    for (const [kind, failure] of FAILURES.entries()) {
      const may = pc === PC.running ? layout.bounds.failures.includes(failure) : failure === 'clean';
      if (may) goes(`throws: ${failure}`, PC.failing, [at + WORKER.failure, kind]);
    }
  }
  if (pc === PC.landed) {
    goes('returns', PC.completing);
    if (layout.bounds.failures.includes('unknown')) goes('times out', PC.failing, [at + WORKER.failure, 1]);
  }
  if (pc >= PC.ready) {
    const renewed = rules.apply(world[FIELD.row] as number, { verb: 'renew', token, attempt });
    moves.push({
      what: `${name} renews: ${renewed.answer}`,
      world: changed(world, [[FIELD.row, renewed.row]]),
      broken: renewed.broken,
    });
  }
  const message = messageOf(world, at, token);
  if (message !== undefined) sendingMoves(moves, world, name, at, message, layout, rules);
  if ((world[FIELD.crashesLeft] as number) > 0) {
    goes(
      'crashes',
      PC.idle,
      [FIELD.crashesLeft, (world[FIELD.crashesLeft] as number) - 1],
      [FIELD.excused, 1],
      ...forgets(at),
    );
  }
}

/** What a worker that waits for an answer has sent. */
function messageOf(world: World, at: number, token: number): Message | undefined {
  const attempt = world[at + WORKER.attempt] as number;
  switch (world[at + WORKER.pc]) {
    case PC.claiming:
      return { verb: 'claim', token };
    case PC.stepping:
      return { verb: 'step', token, attempt };
    case PC.completing:
      return { verb: 'complete', token, attempt };
    case PC.failing:
      return { verb: 'fail', token, attempt, kind: FAILURES[world[at + WORKER.failure] as number] as FailureKind };
    default:
      return undefined;
  }
}

/** The message arrives and is answered; or the answer is lost and it is sent again; or it is late and a copy is sent. */
function sendingMoves(
  moves: Move[],
  world: World,
  name: string,
  at: number,
  message: Message,
  layout: Layout,
  rules: Rules,
): void {
  const applied = rules.apply(world[FIELD.row] as number, message);
  const stored = store(world, message, applied);
  const said = `${name}: ${message.verb}`;
  moves.push(heard(`${said}: ${applied.answer}`, stored, at, message, applied));
  moves.push({ what: `${said}: ${applied.answer}, and the answer is lost`, world: stored, broken: applied.broken });
  const free = layout.lates.find((slot) => world[slot + LATE.verb] === 0);
  const ghostsLeft = world[FIELD.ghostsLeft] as number;
  if (ghostsLeft > 0 && free !== undefined) {
    const late = packed(message, free);
    moves.push({
      what: `${said} is delayed, and sent again`,
      world: changed(world, [...late, [FIELD.ghostsLeft, ghostsLeft - 1]]),
    });
  }
}

/** What the store has done, whoever hears of it. */
function store(world: World, message: Message, applied: Applied): number[] {
  const next = changed(world, [[FIELD.row, applied.row]]);
  if (message.verb === 'step' && applied.answer === 'ok') next[FIELD.journal] = 1;
  if (message.verb === 'fail' && message.kind === 'unknown' && applied.answer === 'ok') next[FIELD.excused] = 1;
  if (message.verb === 'resolve' && message.verdict === 'did-not-happen' && applied.answer === 'ok') {
    next[FIELD.allowances] = (next[FIELD.allowances] as number) + 1;
  }
  return next;
}

/** The worker hears the answer to its message and goes on. */
function heard(what: string, world: number[], at: number, message: Message, applied: Applied): Move {
  const next = world.slice();
  const { answer } = applied;
  let broken = applied.broken;
  if (message.verb === 'claim' && answer === 'execute') {
    const knows = next[FIELD.journal] as number;
    if (next[FIELD.stepKept] === 1 && knows === 0) broken ??= 'a grant lacks an entry of the journal';
    next[at + WORKER.pc] = PC.ready;
    next[at + WORKER.attempt] = applied.attempt;
    next[at + WORKER.knowsStep] = knows;
  } else if (message.verb === 'step') {
    if (answer === 'ok') next[FIELD.stepKept] = 1;
    next[at + WORKER.pc] = answer === 'ok' ? PC.landed : PC.failing;
    next[at + WORKER.failure] = 0;
  } else {
    if (message.verb === 'complete' && answer !== 'fenced') next[FIELD.acknowledged] = message.attempt;
    next[at + WORKER.pc] = PC.idle;
    for (const [field, value] of forgets(at)) next[field] = value;
  }
  return { what, world: next, broken };
}

function forgets(at: number): [number, number][] {
  return [WORKER.attempt, WORKER.knowsStep, WORKER.failure].map((field) => [at + field, 0]);
}

/** A delayed message or verdict arrives at last, and nobody hears the answer. */
function lateMoves(moves: Move[], world: World, at: number, layout: Layout, rules: Rules): void {
  const message = unpacked(world, at);
  if (message === undefined) return;
  const applied = rules.apply(world[FIELD.row] as number, message);
  const next = store(world, message, applied);
  for (const field of Object.values(LATE)) next[at + field] = 0;
  const isStrange = message.verb === 'claim' && rules.row(world[FIELD.row] as number)?.token !== String(message.token);
  if (isStrange && isForNobody(world, message.token, applied, layout)) next[FIELD.excused] = 1;
  const who =
    message.verb === 'resolve'
      ? `the verdict ${message.verdict} on attempt ${message.attempt}`
      : `the delayed ${message.verb}`;
  moves.push({ what: `${who} arrives: ${applied.answer}`, world: next, broken: applied.broken });
}

/**
 * Whether the attempt is granted to a call that will never hear of it: it has ended, or has been granted an earlier attempt
 * and settled that. A store cannot know once another attempt came in between; the lease of the grant runs out then.
 */
function isForNobody(world: World, token: number, { attempt }: Applied, layout: Layout): boolean {
  const at = layout.worker(token >> 3);
  const isCall = world[at + WORKER.pc] !== PC.idle && world[at + WORKER.call] === (token & 7);
  const hears = world[at + WORKER.pc] === PC.claiming || world[at + WORKER.attempt] === attempt;
  return attempt > 0 && !(isCall && hears);
}

/** Somebody looks at an open receipt, and says something about it, later. */
function verdictMoves(moves: Move[], world: World, layout: Layout, rules: Rules): void {
  const row = rules.row(world[FIELD.row] as number);
  const free = layout.lates.find((slot) => world[slot + LATE.verb] === 0);
  if (row === undefined || free === undefined) return;
  const status = receiptStatus(row, 0);
  if (status !== 'ambiguous' && status !== 'expired') return;
  for (const verdict of VERDICTS) {
    const late = packed({ verb: 'resolve', attempt: row.attempts, verdict }, free);
    const left = (world[FIELD.verdictsLeft] as number) - 1;
    moves.push({ what: `a person decides: ${verdict}`, world: changed(world, [...late, [FIELD.verdictsLeft, left]]) });
  }
}
