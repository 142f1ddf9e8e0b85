import type { ResolveResult, ToolOutputResolveOptions } from './types.js';

/** How a batch gets its turn. */
export interface BeginBatchOptions {
  /**
   * The batch's turn, when the host derives it from durable history, such as the number of earlier batches in the
   * conversation. Without it, the registry counts.
   *
   * A turn may be named again: that is the same batch once more, after a restart or for its next call, and an output
   * settled again replaces the earlier one. So the host has to give each batch of a run its own number. The registry
   * refuses a turn at or below one that it counted itself, and counts on above every turn that was named.
   */
  readonly turn?: number;
}

/** What became of an output. */
export interface SettledOutput {
  /** The key under which later turns refer to the output. */
  readonly key: string;
  /** UTF-16 code units that were stored. */
  readonly characters: number;
  /** UTF-16 code units that were left out: a model should be told when this is not 0. */
  readonly clipped: number;
}

/** How the arguments of one call of a batch are resolved. */
export interface ToolOutputBatchResolveOptions extends ToolOutputResolveOptions {
  /**
   * Position of the call, from 0. With it, a hook may also edit a string that came out of a resolution: a key that
   * inserted output spells stays in place in this call from then on, and is listed. Without it, only whole strings are
   * known, and they are shared by all calls that gave none.
   */
  readonly index?: number | undefined;
}

/** One batch of tool calls: the calls of one model reply. */
export interface ToolOutputBatch {
  /** The batch's turn within its run. */
  readonly turn: number;

  /**
   * The key of the output of the call at `index`, from 0.
   *
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for an index that is no such number.
   */
  key(index: number): string;

  /**
   * Resolves arguments against the outputs of earlier turns, as they were when the batch began.
   *
   * Resolving what this method has returned changes nothing, so a hook may hand arguments back, whole or in part: a
   * string that came out of a resolution is final, also where the inserted output looks like a placeholder.
   *
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for an `encode` that gives no string.
   */
  resolve<T>(args: T, options?: ToolOutputBatchResolveOptions): ResolveResult<T>;

  /**
   * Stores the raw output of the call at `index`. Once more with another output replaces it.
   *
   * Nothing is stored after `clear`, nor for a batch of the anonymous run once that run is over: after the next
   * anonymous turn, or when it was released or dropped.
   *
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for an index that is no such number,
   * or an output that is not a string.
   */
  settle(index: number, output: string): SettledOutput;
}
