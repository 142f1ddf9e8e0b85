/** Reads back what `serialize` wrote. Everything is looked at before it is believed: a store may have changed it. */

import { StreamBufferSnapshotError } from '../errors.js';
import type { FieldPath } from '../field.js';
import type { ResolvedOptions } from '../options.js';
import type { RouterState } from './call-router.js';
import type { TextState } from './call-text.js';
import type { ReadingsState } from './readings.js';
import { SnapshotPart } from './snapshot-part.js';
import type { CallState } from './tool-call.js';

/** Changes when an older reader could no longer take what a newer writer wrote. */
export const snapshotVersion = 1;

/** A whole buffer as plain data. */
export interface BufferState {
  readonly format: 'holdfast-stream-buffer';
  readonly version: typeof snapshotVersion;
  readonly options: ResolvedOptions;
  readonly madeUpIds: number;
  readonly sequences: readonly (readonly [string, number])[];
  readonly router: RouterState;
  readonly calls: readonly CallState[];
}

/** @throws StreamBufferSnapshotError (`ERR_HOLDFAST_STREAM_BUFFER_SNAPSHOT`) if the text is no snapshot of this version. */
export function readSnapshot(text: unknown): BufferState {
  const root = new SnapshotPart(parse(text), '');
  root.oneOf('format', ['holdfast-stream-buffer']);
  root.oneOf('version', [snapshotVersion]);
  const options = root.part('options');
  const router = root.part('router');
  return {
    format: 'holdfast-stream-buffer',
    version: snapshotVersion,
    options: {
      duplicates: options.oneOf('duplicates', ['proved', 'adjacent', 'keep']),
      names: options.oneOf('names', ['whole', 'fragments']),
      idPrefix: options.text('idPrefix'),
      maxCalls: options.count('maxCalls', 1),
      maxCharactersPerCall: options.count('maxCharactersPerCall', 1),
      maxDepth: options.count('maxDepth', 1),
    },
    madeUpIds: root.count('madeUpIds'),
    sequences: root.list('sequences').map((pair) => [pair.text('0'), pair.number('1')]),
    router: {
      indexes: router.list('indexes').map((pair) => [pair.number('0'), pair.text('1')]),
      sources: router.list('sources').map((pair) => [pair.text('0'), pair.text('1')]),
      current: router.optionalText('current'),
    },
    calls: root.list('calls').map(readCall),
  };
}

function readCall(part: SnapshotPart): CallState {
  return {
    id: part.text('id'),
    madeUp: part.flag('madeUp'),
    alias: part.optionalText('alias'),
    name: part.optionalText('name'),
    namedBy: part.optionalText('namedBy'),
    namedAgain: part.flag('namedAgain'),
    started: part.flag('started'),
    finished: part.flag('finished'),
    owner: part.optionalText('owner'),
    fragment: part.text('fragment'),
    readings: readReadings(part.part('readings')),
    cursors: part.list('cursors').map((cursor) => ({ path: readPath(cursor), at: cursor.optionalCount('at') })),
  };
}

function readReadings(part: SnapshotPart): ReadingsState {
  return {
    readings: part.list('readings').map((reading) => ({
      copies: reading.optionalCount('copies', 1),
      text: readText(reading.part('text')),
    })),
    opening: part.flag('opening'),
    lead: part.list('lead').map((run) => ({ fragment: run.text('fragment'), times: run.count('times', 1) })),
    fragment: part.text('fragment'),
    run: part.count('run'),
    forks: part.count('forks'),
    runsSinceFork: part.count('runsSinceFork'),
    corrections: part.count('corrections'),
  };
}

function readText(part: SnapshotPart): TextState {
  return {
    text: part.text('text'),
    whole: part.optionalCount('whole', 1),
    restatements: part.oneOf('restatements', ['recognise', 'join']),
    cumulative: part.flag('cumulative'),
    replacements: part.count('replacements'),
    limited: part.flag('limited'),
  };
}

function readPath(part: SnapshotPart): FieldPath {
  return typeof part.value('path') === 'string' ? part.text('path') : part.steps('path');
}

function parse(text: unknown): unknown {
  if (typeof text !== 'string') throw new StreamBufferSnapshotError('itself', 'a string', text);
  try {
    return JSON.parse(text);
  } catch {
    throw new StreamBufferSnapshotError('itself', 'JSON', text);
  }
}
