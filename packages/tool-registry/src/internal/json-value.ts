/** A frozen copy of a JSON value, for what is rendered once and sent many times. */

import { describeValue, isPlainObject, isWellFormed, setOwn } from '@holdfast/kernel';

/** Nested containers in one schema. */
const MAX_DEPTH = 100;
/** Values in one schema: what a provider would refuse long before, and what a shared subtree can blow up to. */
const MAX_VALUES = 50_000;

/** Thrown with the place and the kind of what JSON cannot say; the caller names the tool. */
export class NotJsonError extends Error {}

/** Copies that were made here. They cannot change any more, so that a schema made by `jsonSchema` is not copied twice. */
const copies = new WeakSet<object>();

/**
 * Copies and freezes a JSON value; one that is such a copy is given back. Accessors are read once. Throws
 * {@link NotJsonError} for anything else.
 */
export function frozenJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return copy(value, { left: MAX_VALUES, path: [] });
  if (copies.has(value)) return value;
  const frozen = copy(value, { left: MAX_VALUES, path: [] }) as object;
  copies.add(frozen);
  return frozen;
}

interface Walk {
  left: number;
  /** The keys from the root to the value at hand, for the message. */
  readonly path: (string | number)[];
}

function copy(value: unknown, walk: Walk): unknown {
  walk.left -= 1;
  if (walk.left < 0) throw new NotJsonError(`has more than ${MAX_VALUES} values`);
  if (typeof value === 'string') return wellFormed(value, walk);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const isArray = Array.isArray(value);
  const { path } = walk;
  if (!isArray && !isPlainObject(value)) {
    throw new NotJsonError(`has ${describeValue(value)} at ${['$', ...path].join('/')}`);
  }
  if (path.length >= MAX_DEPTH) {
    throw new NotJsonError(`is nested more than ${MAX_DEPTH} levels deep, or refers to itself`);
  }
  return Object.freeze(isArray ? copyItems(value, walk) : copyObject(value, walk));
}

function copyItems(items: readonly unknown[], walk: Walk): unknown[] {
  return Array.from(items, (item, index) => copyAt(index, item, walk));
}

function copyObject(value: Record<string, unknown>, walk: Walk): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(made, wellFormed(key, walk), copyAt(key, value[key], walk));
  return made;
}

/** Providers refuse half a character, and with it the whole request. */
function wellFormed(text: string, { path }: Walk): string {
  if (!isWellFormed(text))
    throw new NotJsonError(`has half a character (a lone surrogate) at ${['$', ...path].join('/')}`);
  return text;
}

function copyAt(key: string | number, value: unknown, walk: Walk): unknown {
  walk.path.push(key);
  const made = copy(value, walk);
  walk.path.pop();
  return made;
}
