/** Copies of a call's input and result, so that caller, reviewer, tool and guardrail never share one. */

import { isPlainObject, setOwn } from '@holdfast/kernel';

/** Nested containers in one value. */
const MAX_DEPTH = 200;
/** Values inside one: what a value that is used twice at every level could otherwise grow to without end. */
const MAX_VALUES = 1_000_000;

/** Thrown for a value that cannot be copied; the message is fit for the model. */
export class UncopyableError extends Error {}

interface Walk {
  valuesLeft: number;
  readonly freezes: boolean;
}

/**
 * Copies objects, arrays, maps, sets, dates and bytes to any depth. Instances of other classes are shared: they
 * cannot be copied without knowing them.
 */
export function copyValue(value: unknown): unknown {
  return copy(value, 0, { valuesLeft: MAX_VALUES - 1, freezes: false });
}

/** The same copy with all its objects and arrays frozen. */
export function frozenCopy(value: unknown): unknown {
  return copy(value, 0, { valuesLeft: MAX_VALUES - 1, freezes: true });
}

function copy(value: unknown, depth: number, walk: Walk): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) {
    throw new UncopyableError(`is nested more than ${MAX_DEPTH} levels deep, or contains itself`);
  }
  const made = copyContainer(value, depth + 1, walk);
  return walk.freezes && !(made instanceof Uint8Array) && made !== value ? Object.freeze(made) : made;
}

function copyContainer(value: object, depth: number, walk: Walk): object {
  if (Array.isArray(value)) return copyItems(value, depth, walk);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || isPlainObject(value)) {
    return copyParts(shallowCopy(value as Record<string, unknown>, prototype, walk.freezes), depth, walk);
  }
  if (prototype === Date.prototype) return new Date((value as Date).getTime());
  if (prototype === Set.prototype) return new Set(copyItems([...(value as Set<unknown>)], depth, walk));
  if (prototype === Map.prototype) {
    const entries = [...(value as Map<unknown, unknown>)];
    return new Map(entries.map((entry) => copyItems(entry, depth, walk) as [unknown, unknown]));
  }
  return value instanceof Uint8Array ? Uint8Array.prototype.slice.call(value) : value;
}

function copyItems(items: readonly unknown[], depth: number, walk: Walk): unknown[] {
  count(items.length, walk);
  const made = [...items];
  for (let at = 0; at < made.length; at += 1) {
    const item = made[at];
    if (typeof item === 'object' && item !== null) made[at] = copy(item, depth, walk);
  }
  return made;
}

function copyParts(made: Record<string, unknown>, depth: number, walk: Walk): object {
  let keys = 0;
  for (const key in made) {
    keys += 1;
    const item = made[key];
    if (typeof item === 'object' && item !== null) setOwn(made, key, copy(item, depth, walk));
  }
  count(keys, walk);
  return made;
}

/**
 * A spread is the engine's own way to copy an object, several times faster than key by key; but what it makes is slow to
 * freeze, and what is assigned is not. Assigning a key `__proto__` would set the prototype. Accessors are read once.
 */
function shallowCopy(value: Record<string, unknown>, prototype: unknown, freezes: boolean): Record<string, unknown> {
  if (prototype === null) return Object.assign(Object.create(null), value);
  return freezes && !Object.hasOwn(value, '__proto__') ? Object.assign({}, value) : { ...value };
}

function count(values: number, walk: Walk): void {
  walk.valuesLeft -= values;
  if (walk.valuesLeft < 0) throw new UncopyableError(`has more than ${MAX_VALUES} values`);
}
