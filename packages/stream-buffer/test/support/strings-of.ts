/** Every string of a JSON value, with the path that leads to it. */

export type Step = string | number;

export interface FoundString {
  readonly path: readonly Step[];
  readonly value: string;
}

export function stringsOf(value: unknown, path: readonly Step[] = []): FoundString[] {
  if (typeof value === 'string') return [{ path, value }];
  if (value === null || typeof value !== 'object') return [];
  const entries: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([step, item]) => stringsOf(item, [...path, step]));
}

/** Whether one value can grow into the other: strings and arrays go on, objects gain fields, the rest stays. */
export function growsInto(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (part === null || typeof part !== 'object') return Object.is(part, whole);
  if (Array.isArray(part) !== Array.isArray(whole) || whole === null || typeof whole !== 'object') return false;
  return Object.entries(part).every(
    ([key, item]) => Object.hasOwn(whole, key) && growsInto(item, (whole as Record<string, unknown>)[key]),
  );
}
