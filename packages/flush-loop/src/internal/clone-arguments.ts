/** A private copy of a call's arguments, so that a tool that changes them does not change the transcript. */

import { isPlainObject, setOwn } from '@holdfast/kernel';

/** Copies plain objects and arrays to any depth, keeping shared and circular references; other values are kept. */
export function cloneArguments(args: Record<string, unknown>): Record<string, unknown> {
  if (Object.values(args).every(isScalar)) return { ...args };
  const copies = new Map<object, object>();
  const open: { readonly source: object; readonly copy: object }[] = [];
  const copyOf = (value: unknown): unknown => {
    if (!Array.isArray(value) && !isPlainObject(value)) return value;
    const known = copies.get(value);
    if (known) return known;
    const copy: object = Array.isArray(value) ? [] : {};
    copies.set(value, copy);
    open.push({ source: value, copy });
    return copy;
  };
  const root = copyOf(args);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, value] of Object.entries(next.source)) setOwn(next.copy, key, copyOf(value));
  }
  return root as Record<string, unknown>;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
