/** Where the values of one JSON text stand, so that any number of pointers can be followed after reading it once. */

import { parseJson, scalarEnd, skipBlanks } from './json-text.js';

/** The position of a string, number or literal, or a container. */
type Place = number | Container;

interface Container {
  readonly start: number;
  end: number;
  /** Of a name that is repeated, the last value counts, as for `JSON.parse`. */
  readonly items: Place[] | Map<string, Place>;
}

const INDEX = /^(?:0|[1-9][0-9]*)$/;

/** Lives no longer than one resolution: it can take several times the memory of its text. */
export class JsonIndex {
  readonly #text: string;
  /** `undefined` when the text is not JSON. */
  readonly #root: Place | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#root = parseJson(text) === undefined ? undefined : readPlaces(text);
  }

  /** The value at an RFC 6901 pointer, as the JSON that it is written in; `undefined` when there is none. */
  find(pointer: string): string | undefined {
    if (pointer !== '' && !pointer.startsWith('/')) return undefined;
    let place = this.#root;
    for (const token of pointer.split('/').slice(1)) {
      if (typeof place !== 'object' || /~(?![01])/.test(token)) return undefined;
      const { items } = place;
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(items)) place = INDEX.test(name) ? items[Number(name)] : undefined;
      else place = items.get(name);
    }
    if (place === undefined) return undefined;
    return typeof place === 'object' ? this.#text.slice(place.start, place.end) : this.#scalarAt(place);
  }

  #scalarAt(start: number): string {
    return this.#text.slice(start, scalarEnd(this.#text, start));
  }
}

/** Reads a text that is known to be JSON once from left to right. */
function readPlaces(text: string): Place | undefined {
  const open: Container[] = [];
  let root: Place | undefined;
  let name = '';
  const add = (place: Place) => {
    const items = open.at(-1)?.items;
    if (items === undefined) root = place;
    else if (Array.isArray(items)) items.push(place);
    else items.set(name, place);
  };
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const first = text.charAt(at);
    if (first === '{' || first === '[') {
      const container = { start: at, end: 0, items: first === '{' ? new Map<string, Place>() : [] };
      add(container);
      open.push(container);
      at++;
    } else if (first === '}' || first === ']') {
      at++;
      const closed = open.pop();
      if (closed) closed.end = at;
    } else if (first === ',') {
      at++;
    } else {
      const end = scalarEnd(text, at);
      const behind = skipBlanks(text, end);
      const isName = text[behind] === ':';
      if (isName) name = JSON.parse(text.slice(at, end)) as string;
      else add(at);
      at = isName ? behind + 1 : end;
    }
  }
  return root;
}
