/** All calls of a run with what became of them: one row for each call in each process that met it. */
import type { PlannedKill } from '../kill-plan.js';
import type { CallMessage } from '../protocol.js';

export interface CallRow {
  /** Seconds since the start of the run. */
  readonly startedAt: number;
  changedAt: number;
  /** The worker's number, from 1, and its process id. */
  readonly worker: number;
  readonly pid: number;
  readonly tool: string;
  about: string;
  callId: string;
  state: CallMessage['state'] | 'killed';
  note: string;
  /** How the row's effect stood in the outside world when the row was last touched. */
  outside: string;
  /** The kill that hit the worker in this row or right after it. */
  kill: PlannedKill | undefined;
}

const OPEN = new Set<CallRow['state']>(['streaming', 'running', 'waiting']);

/** Whether the call has neither a decision nor an end. */
function isOpen(row: CallRow): boolean {
  return OPEN.has(row.state);
}

export class CallTable {
  readonly rows: CallRow[] = [];
  readonly #clock: () => number;
  readonly #outside: (tool: string, about: string) => string;

  /**
   * @param clock Seconds since the start of the run.
   * @param outside Tells how an effect stands in the outside world.
   */
  constructor(clock: () => number, outside: (tool: string, about: string) => string) {
    this.#clock = clock;
    this.#outside = outside;
  }

  /** Takes in what a worker says about a call. Returns the call's row. */
  update(worker: number, pid: number, message: CallMessage): CallRow {
    const row = this.#openRow(worker, message.tool) ?? this.#add(worker, pid, message.tool);
    this.#endWait(row);
    row.state = message.state;
    row.about = message.about ?? row.about;
    row.callId = message.callId ?? row.callId;
    row.note = message.note ?? row.note;
    if (row.state === 'replayed' && this.#hadOtherId(row)) row.note += ', new call id';
    return this.#lookOutside(row);
  }

  /** Marks the row that a worker was in, or had just left, when it was killed. */
  kill(worker: number, pid: number, planned: PlannedKill): CallRow {
    const mine = this.rows.filter((row) => row.worker === worker);
    const row = mine.findLast(isOpen) ?? mine.at(-1) ?? this.#add(worker, pid, 'start');
    this.#endWait(row);
    if (isOpen(row)) row.state = 'killed';
    row.kill = planned;
    return this.#lookOutside(row);
  }

  #openRow(worker: number, tool: string): CallRow | undefined {
    return this.rows.findLast((row) => row.worker === worker && row.tool === tool && isOpen(row));
  }

  #hadOtherId({ tool, about, callId }: CallRow): boolean {
    const others = this.rows.filter((row) => row.tool === tool && row.about === about && row.callId !== '');
    return callId !== '' && others.some((row) => row.callId !== callId);
  }

  #add(worker: number, pid: number, tool: string): CallRow {
    const now = this.#clock();
    const row: CallRow = {
      startedAt: now,
      changedAt: now,
      worker,
      pid,
      tool,
      about: '',
      callId: '',
      state: 'running',
      note: '',
      outside: '',
      kill: undefined,
    };
    this.rows.push(row);
    return row;
  }

  /** A wait that is over is told by how long it took. */
  #endWait(row: CallRow): void {
    const now = this.#clock();
    if (row.state === 'waiting') row.note = `waited ${(now - row.changedAt).toFixed(1)} s`;
    row.changedAt = now;
  }

  #lookOutside(row: CallRow): CallRow {
    row.outside = this.#outside(row.tool, row.about);
    return row;
  }
}
