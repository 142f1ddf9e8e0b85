/** What an object owns. State that JSON would drop must be seen, so that it can be refused. */

const isEnumerable = Object.prototype.propertyIsEnumerable;

/** Up to this many names, listing the enumerable ones is cheaper than asking about each. */
const FEW_NAMES = 32;

/** An object's own keys; `undefined` when it has symbol keys or properties that are not enumerable. */
export function visibleKeys(record: object): string[] | undefined {
  if (Object.getOwnPropertySymbols(record).length > 0) return undefined;
  const names = Object.getOwnPropertyNames(record);
  if (names.length <= FEW_NAMES) return Object.keys(record).length === names.length ? names : undefined;
  return names.every(isEnumerable, record) ? names : undefined;
}

/** Tells whether an array owns nothing but its elements. Own keys list indices, then `length`, then the rest. */
export function ownsOnlyElements(array: readonly unknown[]): boolean {
  const keys = Reflect.ownKeys(array);
  return keys[keys.length - 1] === 'length';
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
