/**
 * The world around one receipt as a short list of numbers: callers that follow executeOnce's protocol, messages that come
 * late, people who give verdicts, and what has really happened.
 */

import type { EffectResumability } from '@holdfast/receipts';

/** How large a world to explore. */
export interface Bounds {
  readonly workers: number;
  /** Calls of each worker, one after the other: redeliveries, or restarts after a crash. */
  readonly calls: number;
  readonly crashes: number;
  /** Messages that a sender gave up on and sent again, and that arrive later all the same. */
  readonly ghosts: number;
  /** Verdicts of people or reconcilers, each delayed at will. */
  readonly verdicts: number;
  readonly maxAttempts: number;
  /** What the calls of each worker ask for. */
  readonly effects: readonly EffectResumability[];
  /** What an effect may do besides succeed. */
  readonly failures: readonly ('clean' | 'unknown' | 'terminal')[];
}

/** Where a worker is in its call. */
export const PC = {
  idle: 0,
  claiming: 1,
  ready: 2,
  running: 3,
  stepping: 4,
  landed: 5,
  completing: 6,
  failing: 7,
} as const;

/** The fields of a world before those of its workers. */
export const FIELD = {
  row: 0,
  /** Whether the journal holds the step. */
  journal: 1,
  /** Whether a worker was told that its step is in the journal. */
  stepKept: 2,
  /** How often an effect has really happened. */
  landed: 3,
  /** How often somebody said that it had not, and was heard. */
  allowances: 4,
  /** The attempt whose result was acknowledged, or 0. */
  acknowledged: 5,
  /** Whether something has happened after which nobody can know: a crash, a reported unknown, a grant to nobody. */
  excused: 6,
  crashesLeft: 7,
  ghostsLeft: 8,
  verdictsLeft: 9,
} as const;
const HEAD = 10;

/** The fields of a worker. */
export const WORKER = { pc: 0, call: 1, attempt: 2, knowsStep: 3, failure: 4 } as const;
const WORKER_SIZE = 5;

/** The fields of a late message: verb (0 for none), token, attempt, and what it says. */
export const LATE = { verb: 0, token: 1, attempt: 2, says: 3 } as const;
const LATE_SIZE = 4;

export type World = readonly number[];

export interface Layout {
  readonly bounds: Bounds;
  readonly start: World;
  worker(index: number): number;
  readonly lates: readonly number[];
  token(worker: number, call: number): number;
  effectOf(token: number): EffectResumability;
}

export function layoutOf(bounds: Bounds): Layout {
  const worker = (index: number) => HEAD + index * WORKER_SIZE;
  const firstLate = worker(bounds.workers);
  const lates = Array.from({ length: bounds.ghosts + bounds.verdicts }, (_, index) => firstLate + index * LATE_SIZE);
  const start = Array<number>(firstLate + lates.length * LATE_SIZE).fill(0);
  start[FIELD.crashesLeft] = bounds.crashes;
  start[FIELD.ghostsLeft] = bounds.ghosts;
  start[FIELD.verdictsLeft] = bounds.verdicts;
  const token = (index: number, call: number) => index * 8 + call;
  const effectOf = (of: number) => bounds.effects[of >> 3] as EffectResumability;
  return { bounds, start, worker, lates, token, effectOf };
}

/** The world with some fields changed. */
export function changed(world: World, changes: readonly (readonly [field: number, value: number])[]): number[] {
  const next = world.slice();
  for (const [field, value] of changes) next[field] = value;
  return next;
}
