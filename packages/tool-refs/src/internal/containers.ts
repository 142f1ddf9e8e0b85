import { isPlainObject } from '@holdfast/kernel';

/** Longer arrays are read by their keys, since a sparse array's length says nothing about its content. */
export const MAX_INDEXED_LENGTH = 1_000_000;

/** Tells whether arguments are entered at a value: an array or a plain object of any realm, not a subclass of either. */
export function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  // Array.prototype is itself an array in every realm; the prototype of a subclass is not.
  return Array.isArray(value) ? Array.isArray(Object.getPrototypeOf(value)) : isPlainObject(value);
}
