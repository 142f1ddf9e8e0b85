/** What resolving has made of a call's arguments: inserted output in it is data, also when it comes back. */

import type { UnresolvedReason } from '../events.js';
import { nextPlaceholder } from './placeholder.js';

/** References that stay in place, and why. */
export type Stays = ReadonlyMap<string, UnresolvedReason>;

export class FinishedTexts {
  /** Texts that may still hold placeholders, by themselves or as JSON, each with the references that stay in it. */
  readonly #texts = new Map<string, Stays>();
  /** References that such texts spell; `undefined` where several calls share this memory and mean different things by one. */
  readonly #spelled: Set<string> | undefined;

  constructor(index: number | undefined) {
    this.#spelled = index === undefined ? undefined : new Set();
  }

  /** The references that stay in a text that an earlier resolution made; `undefined` for any other text. */
  get(text: string): Stays | undefined {
    return this.#texts.get(text);
  }

  /** Tells whether a reference in any other text may come from inserted output, around which a hook has edited. */
  spells(reference: string): boolean {
    return this.#spelled?.has(reference) ?? false;
  }

  add(text: string, stays: Stays): void {
    this.#texts.set(text, stays);
    if (!this.#spelled) return;
    for (const reference of referencesIn(text)) this.#spelled.add(reference);
    // A hook that parses the text as JSON and writes it again spells out what was escaped.
    if (text.includes('\\u')) for (const reference of referencesIn(withoutEscapes(text))) this.#spelled.add(reference);
  }
}

function* referencesIn(text: string): Generator<string> {
  for (let found = nextPlaceholder(text, 0); found; found = nextPlaceholder(text, found.end)) yield found.reference;
}

function withoutEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
