/** Objects whose keys a model may have written: own properties only, and `__proto__` is data. */

/** Tells whether a value is an object literal (of any realm) or has no prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // Another realm's Object.prototype (a test runner's sandbox, node:vm) is a root that owns these two.
  return (
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype as object, 'hasOwnProperty') &&
    Object.hasOwn(prototype as object, 'isPrototypeOf')
  );
}

/** Writes an own data property, also when the key is `__proto__`. */
export function setOwn(target: object, key: PropertyKey, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (target as Record<PropertyKey, unknown>)[key] = value;
  }
}

/** Reads an own property; `undefined` when it is inherited or missing. */
export function getOwn(target: object, key: PropertyKey): unknown {
  return Object.hasOwn(target, key) ? (target as Record<PropertyKey, unknown>)[key] : undefined;
}
