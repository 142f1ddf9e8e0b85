/** Keeps the raw outputs of tools, by run and key, and puts them where a model refers to them. */

import { describeValue } from '@holdfast/kernel';
import type { BeginBatchOptions, SettledOutput, ToolOutputBatch } from './batch.js';
import { ToolReferenceArgumentError } from './errors.js';
import { clipCopy } from './internal/clip.js';
import { EventQueue } from './internal/event-queue.js';
import { FinishedTexts } from './internal/finished-texts.js';
import { type Limits, readLimits } from './internal/limits.js';
import type { ReplacementSource } from './internal/replacer.js';
import { resolveArguments } from './internal/resolve-arguments.js';
import { RunTable } from './internal/run-table.js';
import { buildReferenceKey } from './reference-key.js';
import { readRegistryState, type ToolOutputRegistryState } from './registry-state.js';
import type {
  ResolveResult,
  ToolOutputReferenceRegistryOptions,
  ToolOutputResolveOptions,
  ToolOutputResolveView,
} from './types.js';

/**
 * Stored tool outputs, by run and reference key.
 *
 * Outputs are kept as the tools returned them, without any annotation, and cut only above `maxOutputSize`. Runs do
 * not see each other's outputs. The run without an id is apart from every run with one.
 *
 * A turn is never handed out twice within a run, so a key keeps its meaning: also when the run was released or
 * dropped in between, and when an output was set under a turn that was never taken. Counts of ended runs are
 * remembered up to `maxEndedRuns`; a run that is not remembered begins above the turns of all that were forgotten.
 * Only `clear` begins anew.
 */
export class ToolOutputReferenceRegistry {
  readonly #limits: Limits;
  readonly #events: EventQueue;
  readonly #runs: RunTable;
  /** Changes when everything is dropped, so that a batch from before stores nothing under a key of after. */
  #epoch = 0;

  /**
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for a limit that is not a whole number
   * above 0.
   */
  constructor(options: ToolOutputReferenceRegistryOptions = {}) {
    this.#limits = readLimits(options);
    this.#events = new EventQueue(options);
    this.#runs = new RunTable(this.#limits, (runId, run) => {
      const { characters } = run;
      this.#events.evict({ runId, reason: 'runs', keys: run.keys(), characters });
    });
  }

  /**
   * Stores an output under a key, or replaces it. A longer output than `perOutputLimit` is cut; when the run holds
   * too much, its oldest outputs go.
   *
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for an output that is not a string.
   */
  set(runId: string | undefined, key: string, value: string): void {
    this.#store(runId, key, value);
    this.#events.flush();
  }

  /** The output stored under a key of a run. */
  get(runId: string | undefined, key: string): string | undefined {
    return this.#runs.get(runId)?.get(key);
  }

  /** Tells whether an output is stored under a key of a run. */
  has(runId: string | undefined, key: string): boolean {
    return this.get(runId, key) !== undefined;
  }

  /** Number of stored outputs in all runs. */
  get size(): number {
    return this.#runs.size;
  }

  /** Most UTF-16 code units that are stored of one output. */
  get perOutputLimit(): number {
    return this.#limits.output;
  }

  /** Most UTF-16 code units that are stored per run. */
  get totalLimit(): number {
    return this.#limits.total;
  }

  /**
   * Drops every run and all that is remembered of ended ones. Turns begin at 0 again, so a run that goes on after it
   * gives the keys of its history a second meaning. To end a run, use {@link ToolOutputReferenceRegistry.releaseRun}.
   */
  clear(): void {
    this.#epoch++;
    this.#runs.clear();
  }

  /**
   * Drops the outputs of a run that has finished. Its turn count is remembered, so if the run goes on after all, or
   * an output arrives late, no key gets a second meaning.
   */
  releaseRun(runId: string | undefined): void {
    this.#runs.release(runId);
  }

  /**
   * Takes the run's next turn, at once, and makes the run the last to be dropped. Call it once per batch before any
   * `await`. Without a run id, what the anonymous run held is dropped and its turn is 0.
   *
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` once an output was stored under the last
   * possible turn, 10^15 - 1.
   * @see {@link ToolOutputReferenceRegistry.beginBatch} which takes the turn and keeps the batch's view of earlier ones.
   */
  nextTurn(runId: string | undefined): number {
    const { turn } = this.#runs.takeTurn(runId, undefined);
    this.#events.flush();
    return turn;
  }

  /**
   * `true` the first time it is asked about a tool in a run, then `false`: for warnings that should appear once. After
   * 1,000 names in one run it is `false` for all others.
   */
  claimWarnOnce(runId: string | undefined, toolName: string): boolean {
    const isFirst = this.#runs.getOrCreate(runId).claimWarning(toolName);
    this.#events.flush();
    return isFirst;
  }

  /**
   * Replaces every placeholder in the string values of `args` with the output that is stored now, or with one value of
   * it: `{{tool0turn0#/items/0/id}}` follows an RFC 6901 pointer in an output that is JSON. Alone in a string such a
   * value keeps its JSON type; inside a longer string, strings go in raw and other values as they are written. A number
   * that a JavaScript number would round comes as a string of its digits; in arguments that are JSON text it stays.
   *
   * Arrays and plain objects are entered at any depth, other objects and object keys are left alone, and the input is
   * never changed. Arguments that are a JSON text of an object or array are resolved inside its strings and stay JSON;
   * any other text is resolved as text. References without an output, or too large for `maxResolvedSize`, stay in
   * place and are listed. Inserted text is not looked at: what comes back must not be resolved again, for which
   * {@link ToolOutputReferenceRegistry.beginBatch} takes care.
   *
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for an `encode` that gives no string.
   */
  resolve<T>(runId: string | undefined, args: T, options?: ToolOutputResolveOptions): ResolveResult<T> {
    const run = this.#runs.get(runId);
    return this.#resolve(runId, args, { encode: options?.encode, lookup: (key) => run?.get(key) });
  }

  /** Keeps the run's outputs as they are now, to resolve against later. Later `set` calls do not show in it. */
  snapshot(runId: string | undefined): ToolOutputResolveView {
    const outputs = this.#runs.get(runId)?.copyBefore(Number.POSITIVE_INFINITY);
    return {
      resolve: (args, options) =>
        this.#resolve(runId, args, { encode: options?.encode, lookup: (key) => outputs?.get(key) }),
    };
  }

  /**
   * Begins a batch of tool calls: takes its turn at once and keeps the outputs of earlier turns as they are now. Call
   * it before any `await`. A batch of the anonymous run sees no outputs, since each is a run of its own.
   *
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for a named turn that is not a whole
   * number from 0 to 10^15 - 1, or not above the last turn that this registry counted for the run; without one, once
   * the last possible turn was used.
   */
  beginBatch(runId: string | undefined, options: BeginBatchOptions = {}): ToolOutputBatch {
    const { run, turn } = this.#runs.takeTurn(runId, options.turn);
    const epoch = this.#epoch;
    const outputs = run.copyBefore(turn);
    const finished = new Map<number | undefined, FinishedTexts>();
    const isOver = () => epoch !== this.#epoch || (runId === undefined && this.#runs.get(runId) !== run);
    this.#events.flush();
    return {
      turn,
      key: (index) => buildReferenceKey(index, turn),
      resolve: (args, options) => {
        const index = options?.index;
        const texts = finished.get(index) ?? new FinishedTexts(index);
        finished.set(index, texts);
        return this.#resolve(runId, args, {
          encode: options?.encode,
          lookup: (key) => outputs.get(key),
          finished: texts,
        });
      },
      settle: (index, output) => {
        const key = buildReferenceKey(index, turn);
        if (isOver()) return { key, characters: 0, clipped: checkOutput(output).length };
        const settled = this.#store(runId, key, output);
        this.#events.flush();
        return settled;
      },
    };
  }

  /**
   * What the registry holds, as plain data for a checkpoint: outputs, and how far turns have come. Store it at the same
   * moment as the conversation, or turns that the conversation already shows are counted again. Anonymous runs, open
   * batches and `claimWarnOnce` are not part of it.
   *
   * @param runIds Only these runs; all runs when left out.
   */
  snapshotState(runIds?: readonly string[]): ToolOutputRegistryState {
    return this.#runs.save(runIds);
  }

  /**
   * Puts the runs of a state back, each with exactly the outputs that it had, within the limits of this registry. Other
   * runs stay. Turns go on above those of the state and above those that this registry has handed out, so that no key
   * is used again.
   *
   * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` naming the part of the state that is
   * not as `snapshotState` made it. Nothing has changed then.
   */
  restoreState(state: ToolOutputRegistryState): void {
    const checked = readRegistryState(state);
    for (const run of checked.runs) {
      this.#runs.begin(run);
      for (const [key, output] of run.outputs) this.#store(run.runId, key, output);
    }
    this.#runs.remember(checked);
    this.#events.flush();
  }

  #store(runId: string | undefined, key: string, value: string): SettledOutput {
    const text = clipCopy(checkOutput(value), this.#limits.output);
    const dropped = this.#runs.getOrCreate(runId).put(key, text, this.#limits);
    const clipped = value.length - text.length;
    if (clipped > 0) this.#events.clip({ runId, key, length: value.length, kept: text.length });
    for (const output of dropped) {
      this.#events.evict({ runId, reason: output.reason, keys: [output.key], characters: output.characters });
    }
    return { key, characters: text.length, clipped };
  }

  #resolve<T>(runId: string | undefined, args: T, source: ReplacementSource): ResolveResult<T> {
    const { resolved, unresolved } = resolveArguments(args, source, this.#limits.resolved);
    if (unresolved.size === 0) return { resolved, unresolved: [] };
    for (const [key, reason] of unresolved) this.#events.unresolved({ runId, key, reason });
    this.#events.flush();
    return { resolved, unresolved: [...unresolved.keys()] };
  }
}

function checkOutput(value: string): string {
  // JavaScript callers have no compiler to tell them.
  if (typeof value === 'string') return value;
  throw new ToolReferenceArgumentError(
    `value: expected a tool output as a string, got ${describeValue(value)}. Serialise it first.`,
    'value',
    value,
  );
}
