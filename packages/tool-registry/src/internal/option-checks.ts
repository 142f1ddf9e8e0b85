/** Checks of what a host passes in: lists of names, states. */

import { ToolRegistryOptionError, UnknownToolError } from '../errors.js';
import type { ToolAvailability } from '../tool-definition.js';
import { assertToolName } from '../tool-name.js';
import { isStringList } from './string-list.js';

const AVAILABILITIES: readonly unknown[] = ['active', 'deferred', 'suspended'] satisfies ToolAvailability[];

export function isAvailability(value: unknown): value is ToolAvailability {
  return AVAILABILITIES.includes(value);
}

/** Checks an initial state, before anything is registered with it. */
export function assertAvailability(option: string, value: unknown): void {
  if (!isAvailability(value)) {
    throw new ToolRegistryOptionError(option, '"active", "deferred" or "suspended"', value);
  }
}

/** Checks who loads deferred tools: a misspelling would keep them off the wire without a word. */
export function assertDeferral(deferral: unknown): void {
  if (deferral !== undefined && deferral !== 'registry' && deferral !== 'provider') {
    throw new ToolRegistryOptionError('deferral', '"registry" or "provider"', deferral);
  }
}

/** Checks telemetry, which would otherwise fail, and be logged, at every call. */
export function assertTelemetry(telemetry: unknown): void {
  if (telemetry === undefined) return;
  if (typeof (telemetry as { startCall?: unknown } | null)?.startCall !== 'function') {
    throw new ToolRegistryOptionError('telemetry', 'an object with startCall(start)', telemetry);
  }
}

/** Checks a logger: it is the only one who hears of what no result can carry. */
export function assertLogger(logger: unknown): void {
  if (logger === undefined) return;
  if (typeof (logger as { warn?: unknown } | null)?.warn !== 'function') {
    throw new ToolRegistryOptionError('logger', 'an object with warn(message, details)', logger);
  }
}

/** Checks further words that say nothing. */
export function assertStopWords(stopWords: unknown): void {
  if (stopWords !== undefined && !isStringList(stopWords)) {
    throw new ToolRegistryOptionError('search.stopWords', 'a list of words', stopWords);
  }
}

/** Checks a list of names; a single string is refused, since it would be read letter by letter. */
export function assertNameList(option: string, names: unknown): void {
  if (!isStringList(names)) throw new ToolRegistryOptionError(option, 'a list of tool names', names);
}

/** Checks guardrails before a tool runs: one that cannot be asked would withhold what has happened already. */
export function assertGuardrails(option: string, guardrails: unknown): void {
  const usable = (guardrail: unknown) => typeof (guardrail as { inspect?: unknown } | null)?.inspect === 'function';
  if (!Array.isArray(guardrails) || !guardrails.every(usable)) {
    throw new ToolRegistryOptionError(option, 'a list of guardrails, each with inspect(view)', guardrails);
  }
}

/** Checks a list of names that all have to be registered. */
export function assertKnown(option: string, names: readonly string[], known: { has(name: string): boolean }): void {
  assertNameList(option, names);
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new UnknownToolError(unknown);
}

/** The tools that a fork keeps active; all of them when nothing is given. */
export function readDeferExcept(
  names: readonly string[] | undefined,
  known: { has(name: string): boolean },
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined;
  assertNameList('deferExcept', names);
  for (const name of names) assertToolName(name);
  assertKnown('deferExcept', names, known);
  const kept = new Set(names);
  if (kept.size < names.length) throw new ToolRegistryOptionError('deferExcept', 'a list of unique names', names);
  return kept;
}
