import { describeValue } from '@holdfast/kernel';
import { ToolReferenceArgumentError } from '../errors.js';
import type { ToolOutputReferenceRegistryOptions } from '../types.js';

export interface Limits {
  readonly output: number;
  readonly total: number;
  readonly entries: number;
  readonly runs: number;
  readonly resolved: number;
  readonly endedRuns: number;
}

const TOTAL_CEILING = 5_000_000;
/** Well below the longest string of any engine, so that no resolution can fail on it. */
const RESOLVED_CEILING = 100_000_000;

export function readLimits(options: ToolOutputReferenceRegistryOptions): Limits {
  const output = readCount('maxOutputSize', options.maxOutputSize, 400_000);
  const total = Math.min(readCount('maxTotalSize', options.maxTotalSize, 2 * output), TOTAL_CEILING);
  return {
    output: Math.min(output, total),
    total,
    entries: readCount('maxEntries', options.maxEntries, 1_000),
    runs: readCount('maxActiveRuns', options.maxActiveRuns, 32),
    resolved: readCount('maxResolvedSize', options.maxResolvedSize, 5_000_000, RESOLVED_CEILING),
    endedRuns: readCount('maxEndedRuns', options.maxEndedRuns, 1_024),
  };
}

function readCount(
  option: string,
  received: number | undefined,
  fallback: number,
  highest = Number.MAX_SAFE_INTEGER,
): number {
  if (received === undefined) return fallback;
  if (Number.isSafeInteger(received) && received > 0 && received <= highest) return received;
  throw new ToolReferenceArgumentError(
    `${option}: expected a whole number from 1 to ${highest}, got ${describeValue(received)}. ` +
      `Leave it out for the default of ${fallback}.`,
    option,
    received,
  );
}
