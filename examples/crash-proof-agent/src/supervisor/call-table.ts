/** All calls of a run with what became of them: one row for each call in each process that met it. */
import type { PlannedKill } from '../kill-plan.js';
import type { CallMessage } from '../protocol.js';

export interface CallRow {
  /** Seconds since the start of the run. */
  readonly startedAt: number;
  /** The worker's number, from 1, and its process id. */
  readonly worker: number;
  readonly pid: number;
  readonly tool: string;
  about: string;
  state: CallMessage['state'] | 'killed';
  note: string;
  /** How the row's effect stood in the outside world when the row was last touched. */
  outside: string;
  /** The kill that hit the worker in this row or right after it. */
  kill: PlannedKill | undefined;
}

const OPEN = new Set<CallRow['state']>(['streaming', 'running', 'waiting']);

/** Whether the call has neither a decision nor an end. */
export function isOpen(row: CallRow): boolean {
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
    row.state = message.state;
    row.about = message.about ?? row.about;
    row.note = message.note ?? row.note;
    return this.#lookOutside(row);
  }

  /** Marks the row that a worker was in, or had just left, when it was killed. */
  kill(worker: number, pid: number, planned: PlannedKill): CallRow {
    const mine = this.rows.filter((row) => row.worker === worker);
    const row = mine.findLast(isOpen) ?? mine.at(-1) ?? this.#add(worker, pid, 'start');
    if (isOpen(row)) row.state = 'killed';
    row.kill = planned;
    return this.#lookOutside(row);
  }

  #openRow(worker: number, tool: string): CallRow | undefined {
    return this.rows.findLast((row) => row.worker === worker && row.tool === tool && isOpen(row));
  }

  #add(worker: number, pid: number, tool: string): CallRow {
    const row: CallRow = {
      startedAt: this.#clock(),
      worker,
      pid,
      tool,
      about: '',
      state: 'running',
      note: '',
      outside: '',
      kill: undefined,
    };
    this.rows.push(row);
    return row;
  }

  #lookOutside(row: CallRow): CallRow {
    row.outside = this.#outside(row.tool, row.about);
    return row;
  }
}
