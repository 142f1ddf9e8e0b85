/** Knows the names and positions that lead to a place in a JSON text. */

import { skipBlanks, stringEnd } from './json-text.js';

/** Walks a text that is known to be JSON, forwards only. */
export class JsonPathCursor {
  readonly #text: string;
  readonly #path: Array<string | number> = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The path of the value that begins at a position, which must not be less than in the call before. */
  pathAt(position: number): ReadonlyArray<string | number> {
    while (this.#at < position) this.#at = this.#next(this.#at);
    return [...this.#path];
  }

  #next(at: number): number {
    const path = this.#path;
    const last = path.length - 1;
    const position = path[last];
    switch (this.#text.charAt(at)) {
      case '{':
        path.push('');
        break;
      case '[':
        path.push(0);
        break;
      case '}':
      case ']':
        path.pop();
        break;
      case ',':
        if (typeof position === 'number') path[last] = position + 1;
        break;
      case '"': {
        const end = stringEnd(this.#text, at);
        if (this.#text[skipBlanks(this.#text, end)] === ':')
          path[last] = JSON.parse(this.#text.slice(at, end)) as string;
        return end;
      }
    }
    return at + 1;
  }
}
