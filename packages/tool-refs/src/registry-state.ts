/** What a registry holds, as plain data that a host can store with its checkpoint, and how such data is checked. */

import { describeValue, getOwn, isPlainObject } from '@holdfast/kernel';
import { ToolReferenceArgumentError } from './errors.js';
import { NUMBER_LIMIT } from './reference-key.js';

/** How far the turns of a run have come. */
export interface ToolOutputRunTurns {
  readonly runId: string;
  /** The next turn that the registry would hand out. */
  readonly nextTurn: number;
  /** The last turn that the registry counted itself; -1 when there is none. */
  readonly lastCountedTurn: number;
}

/** A run that was held. */
export interface ToolOutputRunState extends ToolOutputRunTurns {
  /** Stored outputs, the oldest first. */
  readonly outputs: ReadonlyArray<readonly [key: string, output: string]>;
}

/**
 * State of a registry, as `snapshotState` gives it and `restoreState` takes it. It survives JSON. This form is a stored
 * format: a change of it is a breaking release and has another version.
 */
export interface ToolOutputRegistryState {
  readonly version: 1;
  /** Runs that were held, the oldest first. */
  readonly runs: readonly ToolOutputRunState[];
  /** Runs that had ended and whose turns were remembered, the oldest first. */
  readonly ended: readonly ToolOutputRunTurns[];
  /** Above every turn of the runs that were no longer remembered. */
  readonly highWater: number;
}

/**
 * Checks a state that came from outside, before anything is changed by it.
 *
 * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` naming the part that is wrong.
 */
export function readRegistryState(received: unknown): ToolOutputRegistryState {
  const state = readObject('state', received);
  const version = getOwn(state, 'version');
  if (version !== 1) throw refuse('state.version', '1, the only version that this release knows', version);
  const runIds = new Set<string>();
  return {
    version,
    runs: readList('state.runs', getOwn(state, 'runs')).map((run, at) => readRun(`state.runs[${at}]`, run, runIds)),
    ended: readList('state.ended', getOwn(state, 'ended')).map((run, at) =>
      readTurns(`state.ended[${at}]`, readObject(`state.ended[${at}]`, run), runIds),
    ),
    highWater: readCount('state.highWater', getOwn(state, 'highWater'), 0, NUMBER_LIMIT),
  };
}

function readRun(path: string, received: unknown, runIds: Set<string>): ToolOutputRunState {
  const run = readObject(path, received);
  const turns = readTurns(path, run, runIds);
  const keys = new Set<string>();
  const outputs = readList(`${path}.outputs`, getOwn(run, 'outputs')).map((output, at) => {
    const [key, text, ...rest]: readonly unknown[] = readList(`${path}.outputs[${at}]`, output);
    if (typeof key !== 'string' || typeof text !== 'string' || rest.length > 0 || keys.has(key)) {
      throw refuse(`${path}.outputs[${at}]`, 'a key that is not there yet and its output, both strings', output);
    }
    keys.add(key);
    return [key, text] as const;
  });
  return { ...turns, outputs };
}

function readTurns(path: string, run: object, runIds: Set<string>): ToolOutputRunTurns {
  const runId = getOwn(run, 'runId');
  if (typeof runId !== 'string' || runIds.has(runId)) {
    throw refuse(`${path}.runId`, 'a string that no other run has for its id', runId);
  }
  runIds.add(runId);
  const nextTurn = readCount(`${path}.nextTurn`, getOwn(run, 'nextTurn'), 0, NUMBER_LIMIT);
  const lastCounted = getOwn(run, 'lastCountedTurn');
  return { runId, nextTurn, lastCountedTurn: readCount(`${path}.lastCountedTurn`, lastCounted, -1, nextTurn - 1) };
}

function readObject(path: string, received: unknown): object {
  if (isPlainObject(received)) return received;
  throw refuse(path, 'an object', received);
}

function readList(path: string, received: unknown): readonly unknown[] {
  if (Array.isArray(received)) return Array.from(received as readonly unknown[]);
  throw refuse(path, 'an array', received);
}

function readCount(path: string, received: unknown, lowest: number, highest: number): number {
  if (Number.isInteger(received) && Number(received) >= lowest && Number(received) <= highest) return Number(received);
  throw refuse(path, `a whole number from ${lowest} to ${highest}`, received);
}

function refuse(path: string, expected: string, received: unknown): ToolReferenceArgumentError {
  return new ToolReferenceArgumentError(
    `${path}: expected ${expected}, got ${describeValue(received)}. Pass what snapshotState returned, unchanged.`,
    path,
    received,
  );
}
