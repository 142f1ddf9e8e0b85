/** What a registry reports besides its results. Handlers run after the change is complete; what they throw reaches the caller. */

/** An output was longer than the limit, and only its beginning is stored. Lengths are UTF-16 code units. */
export interface ToolOutputClip {
  readonly runId: string | undefined;
  readonly key: string;
  /** Length of the output as it came. */
  readonly length: number;
  /** Length of what is stored. */
  readonly kept: number;
}

/**
 * Stored outputs were dropped to make room: one output for a run's total of characters or its number of outputs,
 * or all outputs of the oldest run.
 */
export interface ToolOutputEviction {
  readonly runId: string | undefined;
  readonly reason: 'characters' | 'entries' | 'runs';
  /** The dropped keys, oldest first. */
  readonly keys: readonly string[];
  /** Length of all dropped outputs together, in UTF-16 code units. */
  readonly characters: number;
}

/**
 * Why a reference stays in place: nothing is stored under its key (`missing`); its output is not JSON, or has nothing
 * at its pointer (`pointer`); what it stands for would make the arguments longer than the limit (`limit`); or it may be
 * part of an output that was inserted before, in a text that a hook has edited since (`inserted`).
 */
export type UnresolvedReason = 'missing' | 'pointer' | 'limit' | 'inserted';

/** A reference that was left in place; reported once per reference and resolution. */
export interface UnresolvedReference {
  readonly runId: string | undefined;
  /** The reference as it is written: its key, and behind a `#` its pointer if it has one. */
  readonly key: string;
  readonly reason: UnresolvedReason;
}
