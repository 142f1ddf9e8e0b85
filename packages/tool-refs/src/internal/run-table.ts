/** Which runs are held, in what order they go, and what is remembered of those that went. */

import { ToolReferenceArgumentError } from '../errors.js';
import { checkNumber } from '../reference-key.js';
import { FifoMap } from './fifo-map.js';
import type { Limits } from './limits.js';
import { RunOutputs, type TurnCount } from './run-outputs.js';

/** Runs by id. The anonymous run has `undefined` for its id, which no string equals. */
export class RunTable {
  readonly #limits: Limits;
  readonly #onDrop: (runId: string | undefined, run: RunOutputs) => void;
  readonly #active = new FifoMap<string | undefined, RunOutputs>();
  readonly #ended = new FifoMap<string, TurnCount>();
  /** Above every turn of the runs that are no longer remembered. */
  #highWater = 0;

  constructor(limits: Limits, onDrop: (runId: string | undefined, run: RunOutputs) => void) {
    this.#limits = limits;
    this.#onDrop = onDrop;
  }

  get(runId: string | undefined): RunOutputs | undefined {
    return this.#active.get(runId);
  }

  /** Number of outputs in all runs. */
  get size(): number {
    let size = 0;
    for (const [, run] of this.#active.entries()) size += run.size;
    return size;
  }

  getOrCreate(runId: string | undefined): RunOutputs {
    const known = this.#active.get(runId);
    if (known) return known;
    const run = new RunOutputs(this.#turnsOf(runId));
    if (runId !== undefined) this.#ended.delete(runId);
    this.#active.set(runId, run);
    if (this.#active.size > this.#limits.runs) this.#dropOldest();
    return run;
  }

  /**
   * Takes the turn that is next, or the one that the host names, and makes the run the newest. The anonymous run
   * starts anew.
   */
  takeTurn(runId: string | undefined, named: number | undefined): { readonly run: RunOutputs; readonly turn: number } {
    if (named !== undefined) this.#checkNamed(runId, named);
    if (runId === undefined) this.#active.delete(runId);
    const run = this.getOrCreate(runId);
    this.#active.set(runId, run);
    const turn = named ?? run.turns.next;
    run.turns.next = Math.max(run.turns.next, turn + 1);
    if (named === undefined) run.turns.lastCounted = turn;
    return { run, turn };
  }

  release(runId: string | undefined): void {
    const run = this.#active.get(runId);
    if (!run) return;
    this.#active.delete(runId);
    this.#remember(runId, run.turns);
  }

  clear(): void {
    this.#active.clear();
    this.#ended.clear();
    this.#highWater = 0;
  }

  #turnsOf(runId: string | undefined): TurnCount {
    if (runId === undefined) return { next: 0, lastCounted: -1 };
    return this.#ended.get(runId) ?? { next: this.#highWater, lastCounted: -1 };
  }

  #dropOldest(): void {
    const oldest = this.#active.shift();
    if (!oldest) return;
    this.#remember(oldest[0], oldest[1].turns);
    this.#onDrop(oldest[0], oldest[1]);
  }

  #remember(runId: string | undefined, turns: TurnCount): void {
    if (runId === undefined || turns.next === 0) return;
    this.#ended.set(runId, turns);
    if (this.#ended.size <= this.#limits.endedRuns) return;
    const forgotten = this.#ended.shift();
    if (forgotten) this.#highWater = Math.max(this.#highWater, forgotten[1].next);
  }

  #checkNamed(runId: string | undefined, named: number): void {
    checkNumber('turn', named);
    const { lastCounted } = this.#active.get(runId)?.turns ?? this.#turnsOf(runId);
    if (runId === undefined || named > lastCounted) return;
    throw new ToolReferenceArgumentError(
      `turn: expected a turn above ${lastCounted}, the last one that this registry counted for the run, got ${named}. ` +
        'Take the turns of a run either from the registry or from its history, not from both.',
      'turn',
      named,
    );
  }
}
