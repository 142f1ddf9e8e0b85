/** Short words for a value in an error message: what came, never its whole content. */

/** Names a value's kind and, for short scalars, the value itself. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return value.length <= 40 ? JSON.stringify(value) : `a string of ${value.length} characters`;
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return 'a bigint';
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}
