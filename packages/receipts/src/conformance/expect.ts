/** Assertions that need no runner and no platform. */

import { HoldfastError } from '@holdfast/kernel';

/** A store did something else than the contract says. Runners show `expected` and `actual` side by side. */
export class ConformanceError extends HoldfastError {
  override readonly name = 'ConformanceError';
  readonly code = 'ERR_HOLDFAST_CONFORMANCE';
  readonly expected: unknown;
  readonly actual: unknown;

  constructor(what: string, expected: unknown, actual: unknown) {
    super(`${what}: expected ${show(expected)}, got ${show(actual)}.`);
    this.expected = expected;
    this.actual = actual;
  }
}

/** Both are the same data: primitives, arrays, maps and plain objects. A field that is `undefined` counts as absent. */
export function equal(what: string, actual: unknown, expected: unknown): void {
  if (!isSame(actual, expected)) throw new ConformanceError(what, expected, actual);
}

/** The object has the fields of `expected`, equal, and perhaps others. */
export function matches(what: string, actual: object, expected: Readonly<Record<string, unknown>>): void {
  const record = actual as Readonly<Record<string, unknown>>;
  const fits = Object.entries(expected).every(([field, value]) => isSame(record[field], value));
  if (!fits) throw new ConformanceError(what, expected, actual);
}

/** The condition holds; `expected` says it in words. */
export function holds(what: string, condition: boolean, expected: string, actual: unknown): void {
  if (!condition) throw new ConformanceError(what, expected, actual);
}

/** The verb refuses what it was asked, with this error code. */
export async function refuses(what: string, verb: () => Promise<unknown>, code: string): Promise<void> {
  let answer: unknown;
  try {
    answer = await verb();
  } catch (error) {
    const actual = (error as { readonly code?: unknown } | null | undefined)?.code ?? error;
    if (actual !== code) throw new ConformanceError(what, `an error with code ${code}`, actual);
    return;
  }
  throw new ConformanceError(what, `an error with code ${code}`, answer);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Map || other instanceof Map) {
    return one instanceof Map && other instanceof Map && isSame(sorted(one), sorted(other));
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [fields(one), fields(other)];
  return (
    left.length === right.length &&
    left.every(([name, value]) => isSame(value, Object.getOwnPropertyDescriptor(other, name)?.value))
  );
}

function fields(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}

/** Entries in the order of their keys: a journal has none of its own. */
function sorted(map: ReadonlyMap<unknown, unknown>): unknown[] {
  return [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

const SHOWN_CHARS = 400;

function show(value: unknown): string {
  const text =
    JSON.stringify(value, (_, part) => (part instanceof Map ? { entries: [...part] } : part)) ?? String(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
