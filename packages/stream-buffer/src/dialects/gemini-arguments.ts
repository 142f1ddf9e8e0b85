/** Turns Gemini's streamed arguments, values at JSON paths, into pieces of one JSON text. */

import { getOwn, setOwn } from '@holdfast/kernel';
import { insideString, textOf } from './wording.js';

/** The fields of a `PartialArg` that are read. */
export interface PartialArgument {
  readonly jsonPath?: string | null | undefined;
  readonly stringValue?: string | null | undefined;
  readonly numberValue?: number | null | undefined;
  readonly boolValue?: boolean | null | undefined;
  readonly nullValue?: unknown;
  readonly willContinue?: boolean | null | undefined;
}

type Step = string | number;
type Container = Record<string, unknown> | unknown[];

/**
 * The arguments of one call. Values are written in the order in which they come. Where that order leads back into what
 * is closed, no JSON text can follow it: then `whole` has the value. A part whose path contradicts the others stands in
 * the text as it came, behind a `?`, so that the text is no JSON.
 */
export class PartialArguments {
  readonly #value: Record<string, unknown> = {};
  /** Where the value stands that was written last; empty before the first. */
  #path: readonly Step[] = [];
  /** Its string has not been closed. */
  #open = false;
  #order: 'straight' | 'leads-back' | 'contradicts' = 'straight';

  /** The arguments as one JSON text, if the pieces do not say them. */
  get whole(): string | undefined {
    return this.#order === 'leads-back' ? JSON.stringify(this.#value) : undefined;
  }

  /** The text that a part adds. */
  write(part: PartialArgument): string {
    const path = readPath(textOf(part.jsonPath) ?? '');
    const value = valueIn(part);
    if (value === undefined || path.length === 0) return '';
    const before = this.#path;
    const shared = sharedSteps(before, path);
    const goesOn = this.#open && typeof value === 'string' && shared === path.length && shared === before.length;
    if (goesOn) this.#goOn(path, value);
    else this.#keep(path, value, shared);
    if (this.#order === 'contradicts') return this.#contradict(part);
    const lead = goesOn ? '' : leadTo(path, before, this.#open, Math.min(shared, before.length - 1, path.length - 1));
    this.#path = path;
    if (typeof value !== 'string') {
      this.#open = false;
      return lead + JSON.stringify(value);
    }
    this.#open = part.willContinue === true;
    return `${lead}${goesOn ? '' : '"'}${insideString(value)}${this.#open ? '' : '"'}`;
  }

  /** The text that closes the arguments. */
  end(): string {
    if (this.#path.length === 0) return this.#order === 'straight' ? '{}' : '';
    return (this.#open ? '"' : '') + closersOf(this.#path, 0);
  }

  #contradict(part: PartialArgument): string {
    const quote = this.#open ? '"' : '';
    this.#open = false;
    return `${quote}?${JSON.stringify(part)}`;
  }

  #goOn(path: readonly Step[], more: string): void {
    const container = path.slice(0, -1).reduce<unknown>(childOf, this.#value);
    const last = path.at(-1) as Step;
    if (isContainer(container)) put(container, last, String(childOf(container, last) ?? '') + more);
  }

  /** @param shared - how many steps lead along the last value's path. */
  #keep(path: readonly Step[], value: unknown, shared: number): void {
    let container: Container = this.#value;
    for (const [at, step] of path.entries()) {
      const isLast = at === path.length - 1;
      const known = childOf(container, step);
      if (!fits(container, step) || (!isLast && known !== undefined && !isContainer(known))) {
        this.#order = 'contradicts';
        return;
      }
      if (known !== undefined && (isLast || at >= shared) && this.#order === 'straight') this.#order = 'leads-back';
      if (isLast) put(container, step, value);
      else if (isContainer(known)) container = known;
      else container = put(container, step, typeof path[at + 1] === 'number' ? [] : {});
    }
  }
}

function sharedSteps(one: readonly Step[], other: readonly Step[]): number {
  let shared = 0;
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared += 1;
  return shared;
}

/** What stands between the last value and the next: a quote, closing brackets, a comma, opening brackets, keys. */
function leadTo(path: readonly Step[], from: readonly Step[], open: boolean, shared: number): string {
  if (from.length === 0) return `{${openersOf(path, 0)}`;
  return `${open ? '"' : ''}${closersOf(from, shared + 1)},${openersOf(path, shared)}`;
}

function closersOf(path: readonly Step[], from: number): string {
  return path
    .slice(from)
    .map((step) => (typeof step === 'number' ? ']' : '}'))
    .reverse()
    .join('');
}

function openersOf(path: readonly Step[], from: number): string {
  return path
    .slice(from)
    .map((step, at) => {
      const isIndex = typeof step === 'number';
      return (at === 0 ? '' : isIndex ? '[' : '{') + (isIndex ? '' : `${JSON.stringify(step)}:`);
    })
    .join('');
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function childOf(container: unknown, step: Step): unknown {
  if (Array.isArray(container)) return container[Number(step)];
  return isContainer(container) ? getOwn(container, String(step)) : undefined;
}

/** An array takes its elements one after the other. */
function fits(container: Container, step: Step): boolean {
  return Array.isArray(container) ? typeof step === 'number' && step <= container.length : typeof step === 'string';
}

function put<Value>(container: Container, step: Step, value: Value): Value {
  if (Array.isArray(container)) container[Number(step)] = value;
  else setOwn(container, String(step), value);
  return value;
}

function valueIn({ stringValue, numberValue, boolValue, nullValue, willContinue }: PartialArgument): unknown {
  if (typeof stringValue === 'string') return stringValue;
  if (typeof numberValue === 'number') return numberValue;
  if (typeof boolValue === 'boolean') return boolValue;
  if (nullValue !== undefined) return null;
  return willContinue === true ? '' : undefined;
}

/** Reads `$.a.b[0]['c d']`. What is no such path is taken for one key, as it stands. */
function readPath(jsonPath: string): Step[] {
  const steps: Step[] = [];
  let at = jsonPath.startsWith('$') ? 1 : 0;
  const step = /\.?([^.[\]]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;
  while (at < jsonPath.length) {
    step.lastIndex = at;
    const found = step.exec(jsonPath);
    if (found === null) return [jsonPath];
    const [, name, index, single, double] = found;
    steps.push(index === undefined ? (name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')) : Number(index));
    at = step.lastIndex;
  }
  return steps;
}
