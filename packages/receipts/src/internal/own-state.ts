/** What an object owns. State that JSON would drop must be seen, so that it can be refused. */

/**
 * An object's enumerable names; `undefined` when it has symbol keys, or nothing but properties that are not enumerable:
 * as text it would be an empty object.
 */
export function visibleKeys(record: object): string[] | undefined {
  const names = Object.keys(record);
  if (Object.getOwnPropertySymbols(record).length > 0) return undefined;
  return names.length === 0 && Object.getOwnPropertyNames(record).length > 0 ? undefined : names;
}

/** Tells whether an array has no symbol keys and no named ones: own keys list indices first, in order. */
export function ownsOnlyElements(array: readonly unknown[]): boolean {
  const keys = Object.keys(array);
  if (Object.getOwnPropertySymbols(array).length > 0) return false;
  const last = keys[keys.length - 1];
  if (last === undefined) return Object.getOwnPropertyNames(array).length === 1;
  return last === INDICES[array.length - 1] || isArrayIndex(last);
}

/** The texts of small indices: most arrays are short and have no holes. */
const INDICES = Array.from({ length: 64 }, (_, index) => String(index));

function isArrayIndex(key: string): boolean {
  const index = Number(key) >>> 0;
  return String(index) === key && index !== 4_294_967_295;
}

/** Tells a plain array of any realm from an instance of a subclass: only `Array.prototype` is itself an array. */
export function isPlainArray(array: readonly unknown[]): boolean {
  const prototype: unknown = Object.getPrototypeOf(array);
  return prototype === Array.prototype || prototype === null || Array.isArray(prototype);
}

const readers = [Number.prototype.valueOf, String.prototype.valueOf, Boolean.prototype.valueOf];

/** The primitive inside a plain `Number`, `String` or `Boolean` object of any realm; `undefined` for all else. */
export function unbox(value: object): number | string | boolean | undefined {
  const primitive = boxedPrimitive(value);
  if (primitive === undefined) return undefined;
  // Number.prototype is itself a Number object, and so on; the prototype of a subclass is not.
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || boxedPrimitive(prototype) === undefined) return undefined;
  const ownCount = typeof primitive === 'string' ? primitive.length + 1 : 0;
  return Reflect.ownKeys(value).length === ownCount ? primitive : undefined;
}

/** Reads the internal slot, which no object can imitate. */
function boxedPrimitive(value: object): number | string | boolean | undefined {
  for (const reader of readers) {
    try {
      return Reflect.apply(reader, value, []);
    } catch {
      // Not of this kind.
    }
  }
  return undefined;
}
