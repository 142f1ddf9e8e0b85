/** Which runs are held, in what order they go, and what is remembered of those that went. */

import { ToolReferenceArgumentError } from '../errors.js';
import { checkNumber } from '../reference-key.js';
import type { ToolOutputRegistryState, ToolOutputRunState, ToolOutputRunTurns } from '../registry-state.js';
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
    const held = runId === undefined ? undefined : this.#active.get(runId);
    const { next, lastCounted } = held?.turns ?? this.#turnsOf(runId);
    // Before anything runs: an output could not be stored under a turn out of range.
    const turn = checkNumber('turn', named ?? next);
    if (named !== undefined && named <= lastCounted) throw refuseCounted(named, lastCounted);
    if (runId === undefined) this.#active.delete(runId);
    const run = this.getOrCreate(runId);
    this.#active.set(runId, run);
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

  /** All of it as plain data, or of some runs only. The anonymous run is over with its process. */
  save(runIds: readonly string[] | undefined): ToolOutputRegistryState {
    const wanted = runIds && new Set(runIds);
    const runs: ToolOutputRunState[] = [];
    for (const [runId, run] of this.#active.entries()) {
      if (runId === undefined || wanted?.has(runId) === false) continue;
      runs.push({ ...savedTurns(runId, run.turns), outputs: run.outputs() });
    }
    const ended = Array.from(this.#ended.entries(), ([runId, turns]) => savedTurns(runId, turns));
    return {
      version: 1,
      runs,
      ended: ended.filter(({ runId }) => wanted?.has(runId) !== false),
      highWater: this.#highWater,
    };
  }

  /** Takes over what was remembered of runs that are not held. Turns only ever rise. */
  remember({ ended, highWater }: ToolOutputRegistryState): void {
    for (const saved of ended) {
      const turns = this.#raisedTurns(saved);
      if (!this.#active.get(saved.runId)) this.#remember(saved.runId, turns);
    }
    // Last, since it says nothing about the runs that the state itself remembers.
    this.#highWater = Math.max(this.#highWater, highWater);
  }

  /** Begins a run anew, as the newest one and without outputs. Its turns go on above all that is known of them. */
  begin(saved: ToolOutputRunTurns): void {
    const run = new RunOutputs(this.#raisedTurns(saved));
    this.#ended.delete(saved.runId);
    this.#active.set(saved.runId, run);
    if (this.#active.size > this.#limits.runs) this.#dropOldest();
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

  #raisedTurns({ runId, nextTurn, lastCountedTurn }: ToolOutputRunTurns): TurnCount {
    const turns = this.#active.get(runId)?.turns ?? this.#turnsOf(runId);
    turns.next = Math.max(turns.next, nextTurn);
    turns.lastCounted = Math.max(turns.lastCounted, lastCountedTurn);
    return turns;
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
}

function refuseCounted(named: number, lastCounted: number): ToolReferenceArgumentError {
  return new ToolReferenceArgumentError(
    `turn: expected a turn above ${lastCounted}, the last one that this registry counted for the run, got ${named}. ` +
      'Take the turns of a run either from the registry or from its history, not from both.',
    'turn',
    named,
  );
}

function savedTurns(runId: string, { next, lastCounted }: TurnCount): ToolOutputRunTurns {
  return { runId, nextTurn: next, lastCountedTurn: lastCounted };
}
