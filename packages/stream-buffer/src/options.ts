/** What a host may decide about a buffer. */

import { StreamBufferOptionError } from './errors.js';

/**
 * What to do about a fragment that equals the one before it.
 *
 * - `proved`: it is a copy only if the opening fragment has shown that this stream says everything several times.
 * - `adjacent`: it is always a copy. Loses text wherever two neighbours are lawfully equal.
 * - `keep`: it is never a copy, and no restatement is recognised: the text is what came, joined.
 */
export type DuplicatePolicy = 'proved' | 'adjacent' | 'keep';

/**
 * What a name is that comes with a piece.
 *
 * - `whole`: the name. Said again, it changes nothing.
 * - `fragments`: a part of the name, joined on until the call's arguments begin. Only for a provider that cuts names;
 *   one that repeats them would get `read_fileread_file`.
 */
export type NameRule = 'whole' | 'fragments';

/** Options of a {@link StreamingToolCallBuffer}; each has a default. */
export interface StreamBufferOptions {
  /** Default `'proved'`. */
  readonly duplicates?: DuplicatePolicy;
  /** Default `'whole'`. */
  readonly names?: NameRule;
  /** Calls held at a time. A further call is refused. Default 1,000. */
  readonly maxCalls?: number;
  /** UTF-16 code units of argument text per call. The fragment that would pass it is refused, with all after it. Default 5,000,000. */
  readonly maxCharactersPerCall?: number;
  /** Containers inside each other that the scanner follows. A deeper text is kept, and its verdict is `invalid`. Default 1,000. */
  readonly maxDepth?: number;
  /** Ids for calls that come without one are this prefix and a number from 0 on. Default `'call_'`. */
  readonly idPrefix?: string;
}

export type ResolvedOptions = Required<StreamBufferOptions>;

const policies: readonly unknown[] = ['proved', 'adjacent', 'keep'];
const nameRules: readonly unknown[] = ['whole', 'fragments'];

export function resolveOptions(options: StreamBufferOptions): ResolvedOptions {
  const { duplicates = 'proved', names = 'whole', idPrefix = 'call_' } = options;
  if (!policies.includes(duplicates)) {
    throw new StreamBufferOptionError('duplicates', "'proved', 'adjacent' or 'keep'", duplicates);
  }
  if (!nameRules.includes(names)) throw new StreamBufferOptionError('names', "'whole' or 'fragments'", names);
  if (typeof idPrefix !== 'string') throw new StreamBufferOptionError('idPrefix', 'a string', idPrefix);
  return {
    duplicates,
    names,
    idPrefix,
    maxCalls: limit('maxCalls', options.maxCalls, 1_000),
    maxCharactersPerCall: limit('maxCharactersPerCall', options.maxCharactersPerCall, 5_000_000),
    maxDepth: limit('maxDepth', options.maxDepth, 1_000),
  };
}

function limit(option: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (!Number.isSafeInteger(value) || value < 1)
    throw new StreamBufferOptionError(option, 'a whole number from 1 on', value);
  return value;
}
