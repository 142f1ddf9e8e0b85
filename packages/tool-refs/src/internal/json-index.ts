/** Where the values of one JSON text stand, so that any number of pointers can be followed after reading it once. */

import { parseJson, scalarEnd, skipBlanks, stringEnd } from './json-text.js';

/** Where the items of a container begin. */
type Items = readonly number[] | ReadonlyMap<string, number>;

/** The containers of a text in the order in which they begin. */
interface Containers {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** For each of them, the number of the first one behind it. */
  readonly following: readonly number[];
}

const INDEX = /^(?:0|[1-9][0-9]*)$/;

/** Lives no longer than one resolution. Only containers that a pointer leads through are looked into. */
export class JsonIndex {
  readonly #text: string;
  readonly #isJson: boolean;
  readonly #containers: Containers;
  readonly #items = new Map<number, Items>();

  constructor(text: string) {
    this.#text = text;
    this.#isJson = parseJson(text) !== undefined;
    this.#containers = this.#isJson ? readContainers(text) : { starts: [], ends: [], following: [] };
  }

  /** The value at an RFC 6901 pointer, as the JSON that it is written in; `undefined` when there is none. */
  find(pointer: string): string | undefined {
    if (!this.#isJson || (pointer !== '' && !pointer.startsWith('/'))) return undefined;
    let start: number | undefined = skipBlanks(this.#text, 0);
    for (const token of pointer.split('/').slice(1)) {
      if (start === undefined || /~(?![01])/.test(token)) return undefined;
      start = this.#itemOf(start, token.replaceAll('~1', '/').replaceAll('~0', '~'));
    }
    return start === undefined ? undefined : this.#text.slice(start, this.#endOf(start));
  }

  #itemOf(container: number, name: string): number | undefined {
    const items = this.#items.get(container) ?? this.#readItems(container);
    this.#items.set(container, items);
    if (items instanceof Map) return items.get(name);
    return INDEX.test(name) ? (items as readonly number[])[Number(name)] : undefined;
  }

  /** Of a name that is repeated, the last value counts, as for `JSON.parse`. A value that is no container has no items. */
  #readItems(container: number): Items {
    const text = this.#text;
    const { starts, ends, following } = this.#containers;
    const list: number[] = [];
    const byName = new Map<string, number>();
    const isObject = text[container] === '{';
    if (!isObject && text[container] !== '[') return list;
    const number = this.#numberOf(container);
    const last = (ends[number] ?? 0) - 1;
    let inner = number + 1;
    for (let at = skipBlanks(text, container + 1); at < last; at = skipBlanks(text, at + 1)) {
      if (isObject) {
        const nameEnd = stringEnd(text, at);
        const name = JSON.parse(text.slice(at, nameEnd)) as string;
        at = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
        byName.set(name, at);
      } else {
        list.push(at);
      }
      const isContainer = starts[inner] === at;
      at = skipBlanks(text, isContainer ? (ends[inner] ?? 0) : scalarEnd(text, at));
      if (isContainer) inner = following[inner] ?? 0;
    }
    return isObject ? byName : list;
  }

  #endOf(start: number): number {
    const first = this.#text[start];
    const isContainer = first === '{' || first === '[';
    return isContainer ? (this.#containers.ends[this.#numberOf(start)] ?? 0) : scalarEnd(this.#text, start);
  }

  #numberOf(start: number): number {
    const { starts } = this.#containers;
    let low = 0;
    for (let high = starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= start) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Reads a text that is known to be JSON once from left to right. */
function readContainers(text: string): Containers {
  const starts: number[] = [];
  const ends: number[] = [];
  const following: number[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    if (unit === '"') {
      at = stringEnd(text, at) - 1;
    } else if (unit === '{' || unit === '[') {
      open.push(starts.length);
      starts.push(at);
      ends.push(0);
      following.push(0);
    } else if (unit === '}' || unit === ']') {
      const closed = open.pop() ?? 0;
      ends[closed] = at + 1;
      following[closed] = starts.length;
    }
  }
  return { starts, ends, following };
}
