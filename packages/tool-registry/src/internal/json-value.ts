/** A frozen copy of a JSON value, for what is rendered once and sent many times. */

import { describeValue, isPlainObject, setOwn } from '@holdfast/kernel';

/** Nested containers in one schema. */
const MAX_DEPTH = 100;
/** Values in one schema: what a provider would refuse long before, and what a shared subtree can blow up to. */
const MAX_VALUES = 50_000;

/** Thrown with the place and the kind of what JSON cannot say; the caller names the tool. */
export class NotJsonError extends Error {}

/** Copies and freezes a JSON value. Accessors are read once. Throws {@link NotJsonError} for anything else. */
export function frozenJson(value: unknown): unknown {
  return copy(value, '$', 0, { left: MAX_VALUES });
}

function copy(value: unknown, path: string, depth: number, budget: { left: number }): unknown {
  budget.left -= 1;
  if (budget.left < 0) throw new NotJsonError(`has more than ${MAX_VALUES} values`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const isArray = Array.isArray(value);
  if (!isArray && !isPlainObject(value)) throw new NotJsonError(`has ${describeValue(value)} at ${path}`);
  if (depth >= MAX_DEPTH) throw new NotJsonError(`is nested more than ${MAX_DEPTH} levels deep, or refers to itself`);
  if (isArray) {
    return Object.freeze(Array.from(value, (item, index) => copy(item, `${path}/${index}`, depth + 1, budget)));
  }
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(result, key, copy(value[key], `${path}/${key}`, depth + 1, budget));
  return Object.freeze(result);
}
