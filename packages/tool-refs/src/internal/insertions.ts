/** What the references of one set of arguments stand for. */

import type { UnresolvedReason } from '../events.js';
import { JsonIndex } from './json-index.js';
import type { Placeholder } from './placeholder.js';

/** Reads a stored output. */
export type OutputLookup = (key: string) => string | undefined;

/** What a reference stands for. It is found once, however often the arguments name it. */
export interface Insertion {
  /** What goes into a longer text. */
  readonly text: string;
  /** The value at a pointer as it is written in the output; `undefined` for a whole output, which is always text. */
  readonly json: string | undefined;
  /** `text` as it stands inside a JSON string; made when it is needed. */
  escaped?: string;
}

/** Finds each reference once, and reads each output once for all pointers into it. */
export class Insertions {
  readonly #lookup: OutputLookup;
  readonly #insertions = new Map<string, Insertion | UnresolvedReason>();
  readonly #indexes = new Map<string, JsonIndex>();
  #lastReference = '';
  #lastFound: Insertion | UnresolvedReason = 'missing';

  constructor(lookup: OutputLookup) {
    this.#lookup = lookup;
  }

  /** What goes in for a placeholder, or why nothing does. */
  find(placeholder: Placeholder): Insertion | UnresolvedReason {
    const { reference } = placeholder;
    // Comparing is cheaper than hashing a new string, and the same reference often stands in many strings.
    if (reference === this.#lastReference) return this.#lastFound;
    const found = this.#insertions.get(reference) ?? this.#read(placeholder);
    this.#insertions.set(reference, found);
    this.#lastReference = reference;
    this.#lastFound = found;
    return found;
  }

  #read({ key, pointer }: Placeholder): Insertion | UnresolvedReason {
    const output = this.#lookup(key);
    if (output === undefined) return 'missing';
    if (pointer === undefined) return { text: output, json: undefined };
    const index = this.#indexes.get(key) ?? new JsonIndex(output);
    this.#indexes.set(key, index);
    const json = index.find(pointer);
    if (json === undefined) return 'pointer';
    return { text: json.startsWith('"') ? (JSON.parse(json) as string) : json, json };
  }
}

/** The text as it stands inside a JSON string. */
export function escapedText(insertion: Insertion): string {
  insertion.escaped ??= JSON.stringify(insertion.text).slice(1, -1);
  return insertion.escaped;
}
