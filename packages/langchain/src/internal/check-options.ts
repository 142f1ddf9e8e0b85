/** Options are checked when the middleware is made, not in the middle of a run. */

import { HoldfastOptionError } from '../errors.js';
import type { HoldfastOptions } from '../options.js';

/** Shortest preview that can say what it leaves out. */
const SHORTEST_PREVIEW = 80;

/** @throws {HoldfastOptionError} `ERR_HOLDFAST_LANGCHAIN_OPTION` for an option that cannot be meant. */
export function checkOptions(options: HoldfastOptions): void {
  const { references, receipts, replies } = options;
  expectWhole('references.previewLimit', references?.previewLimit, SHORTEST_PREVIEW);
  expectOneOf('references.unresolved', references?.unresolved, ['refuse-effects', 'refuse', 'run']);
  expectWhole('replies.maxRetries', replies === false ? undefined : replies?.maxRetries, 0);
  expectOneOf('receipts.defaultEffect', receipts?.defaultEffect, EFFECTS);
  for (const [toolName, policy] of Object.entries(receipts?.effects ?? {})) {
    const effect: unknown = typeof policy === 'object' ? policy.effect : policy;
    expectOneOf(`receipts.effects[${JSON.stringify(toolName)}]`, effect ?? null, EFFECTS);
  }
  if (receipts !== undefined && typeof receipts.tenantId !== 'function' && typeof receipts.tenantId !== 'string') {
    throw new HoldfastOptionError('receipts.tenantId', 'a string, or a function that gives one');
  }
}

const EFFECTS = ['opaque', 'resumable', 'none'];

function expectWhole(option: string, value: unknown, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return;
  throw new HoldfastOptionError(option, `a whole number of at least ${least}`);
}

function expectOneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (value === undefined || allowed.some((each) => each === value)) return;
  throw new HoldfastOptionError(option, `one of ${allowed.join(', ')}`);
}
