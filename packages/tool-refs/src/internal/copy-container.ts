import { setOwn } from '@holdfast/kernel';

/** A shallow copy of an array or plain object. Nothing stays frozen, and an accessor becomes the value that it gives. */
export function copyContainer(source: object): object {
  const names = Object.keys(source);
  if (Array.isArray(source)) {
    // Indexes come first, so a last name that is the last index leaves room for no hole and no other name.
    if (names.length === source.length && (names.at(-1) ?? '-1') === String(source.length - 1)) return source.slice();
  } else if (Object.getPrototypeOf(source) === Object.prototype) {
    if (names.length === Object.getOwnPropertyNames(source).length) return { ...source };
  }
  return copyEveryProperty(source);
}

/** Several times slower: also takes over what is hidden, the holes of an array, and another prototype. */
function copyEveryProperty(source: object): object {
  const copy: object = Array.isArray(source) ? [] : Object.create(Object.getPrototypeOf(source) as object | null);
  for (const key of Reflect.ownKeys(source)) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(source, key);
    const value = (source as Record<PropertyKey, unknown>)[key];
    if (enumerable || key === 'length') setOwn(copy, key, value);
    else Object.defineProperty(copy, key, { value, writable: true, enumerable, configurable: true });
  }
  return copy;
}
