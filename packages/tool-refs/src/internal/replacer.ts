/** Replaces the placeholders of one set of arguments within a limit, and notes the references that stay. */

import { describeValue } from '@holdfast/kernel';
import { ToolReferenceArgumentError } from '../errors.js';
import type { UnresolvedReason } from '../events.js';
import type { ToolOutputResolveOptions } from '../types.js';
import { exactValue } from './exact-value.js';
import type { FinishedTexts, Stays } from './finished-texts.js';
import { escapedText, type Insertion, Insertions, type OutputLookup } from './insertions.js';
import { jsonStrings } from './json-text.js';
import { nextPlaceholder, OPENING, type Placeholder } from './placeholder.js';

/** Where texts come from, and how they go in. */
export interface ReplacementSource {
  readonly lookup: OutputLookup;
  readonly finished?: FinishedTexts | undefined;
  readonly encode?: ToolOutputResolveOptions['encode'] | undefined;
}

/** How placeholders are found in the text at hand, and how insertions are written into it. */
interface Notation {
  readonly next: (text: string, from: number) => Placeholder | undefined;
  readonly write: (insertion: Insertion) => string;
}

const PLAIN: Notation = { next: nextPlaceholder, write: ({ text }) => text };
const INSIDE_JSON: Notation = { next: nextEscapedPlaceholder, write: escapedText };
const AS_JSON: Notation = { next: nextPlaceholder, write: ({ json }) => json ?? '' };

export class Replacer {
  readonly #insertions: Insertions;
  readonly #finished: FinishedTexts | undefined;
  readonly #encode: ReplacementSource['encode'];
  #readPath: () => ReadonlyArray<string | number> = () => [];
  readonly #unresolved = new Map<string, UnresolvedReason>();
  /** Texts that this pass has made. To itself they are no earlier work: the model may have written the same elsewhere. */
  readonly #made = new Map<string, Stays>();
  /** The references that stay in the text that was replaced last. */
  #stays: Map<string, UnresolvedReason> | undefined;
  /** Tells whether the arguments hold the outcome of an earlier resolution. */
  #metFinished = false;
  #room: number;

  /** @param room Characters by which the arguments may still grow; negative when they come too long already. */
  constructor({ lookup, finished, encode }: ReplacementSource, room: number) {
    this.#insertions = new Insertions(lookup);
    this.#finished = finished;
    this.#encode = encode;
    this.#room = room;
  }

  /** Says where the string stands in which is replaced next. */
  enter(readPath: () => ReadonlyArray<string | number>): void {
    this.#readPath = readPath;
  }

  /** Ends the pass. Gives the references that stay in place, in order of first use. */
  end(): Stays {
    for (const [text, stays] of this.#made) this.#finished?.add(text, stays);
    return this.#unresolved;
  }

  /** Replaces in a string of a tree. A placeholder with a pointer that is all there is becomes the value itself. */
  replaceValue(text: string, first: Placeholder): unknown {
    if (this.#isFinished(text)) return text;
    const isAlone = first.start === 0 && first.end === text.length;
    if (!isAlone || this.#standsForText(first)) return this.#replaceText(text, first);
    const json = this.#insert(first, AS_JSON);
    if (json === undefined) return text;
    this.#finishStringsOf(json);
    return exactValue(json);
  }

  /** Replaces in a text that is not a part of anything. */
  replaceText(text: string): string {
    const first = nextPlaceholder(text, 0);
    return !first || this.#isFinished(text) ? text : this.#replaceText(text, first);
  }

  /** Replaces in a string of a JSON text, quotes included. It comes back as it was written if nothing changes. */
  replaceJsonString(written: string): string {
    // Of all escapes only \u can spell a character of a placeholder.
    const plain = written.includes('\\u') ? JSON.stringify(JSON.parse(written)) : written;
    const first = nextEscapedPlaceholder(plain, 0);
    if (!first) return written;
    if (this.#finished && this.#isFinished(JSON.parse(plain) as string)) return written;
    const isAlone = first.start === 1 && first.end === plain.length - 1;
    if (isAlone && !this.#standsForText(first)) return this.#replaceJsonValue(written, first);
    this.#room -= Math.max(0, plain.length - written.length);
    const replaced = this.#replace(plain, first, INSIDE_JSON);
    if (replaced === plain) return written;
    if (this.#finished) this.#finish(JSON.parse(replaced) as string, this.#stays);
    return replaced;
  }

  /** A JSON text is final as a whole, too: a hook may put it into a tree, where it is a text like any other. */
  finishJson(given: string, replaced: string): void {
    if (replaced !== given || this.#metFinished) this.#finish(replaced, new Map(this.#unresolved));
  }

  #standsForText(placeholder: Placeholder): boolean {
    if (placeholder.pointer === undefined) return true;
    const found = this.#insertions.find(placeholder);
    return typeof found === 'object' && found.json?.startsWith('"') === true;
  }

  #replaceText(text: string, first: Placeholder): string {
    const replaced = this.#replace(text, first, PLAIN);
    if (this.#finished && replaced !== text) this.#finish(replaced, this.#stays);
    return replaced;
  }

  /** The value takes the place of the whole string, as it is written in the output: every digit stays. */
  #replaceJsonValue(written: string, placeholder: Placeholder): string {
    const json = this.#insert({ ...placeholder, start: 0, end: written.length }, AS_JSON);
    if (json === undefined) return written;
    this.#finishStringsOf(json);
    return json;
  }

  /** One pass from left to right: what is inserted is never looked at. */
  #replace(text: string, first: Placeholder, notation: Notation): string {
    let replaced = '';
    let position = 0;
    this.#stays = undefined;
    for (let found: Placeholder | undefined = first; found; found = notation.next(text, found.end)) {
      const inserted = this.#insert(found, notation);
      if (inserted === undefined) {
        this.#stays ??= new Map();
        this.#stays.set(found.reference, this.#unresolved.get(found.reference) ?? 'missing');
      } else {
        replaced += text.slice(position, found.start) + inserted;
        position = found.end;
      }
    }
    return position === 0 ? text : replaced + text.slice(position);
  }

  /** What goes in for a placeholder, if there is room for it. Otherwise the reference is noted, and stays. */
  #insert(placeholder: Placeholder, notation: Notation): string | undefined {
    const { reference, start, end } = placeholder;
    const found = this.#finished?.spells(reference) ? 'inserted' : this.#insertions.find(placeholder);
    if (typeof found === 'string') {
      this.#unresolved.set(reference, found);
      return undefined;
    }
    const verbatim = notation.write(found);
    const length = end - start;
    if (this.#fits(verbatim.length - length)) {
      const inserted = this.#encode && notation !== AS_JSON ? notation.write(this.#encoded(found)) : verbatim;
      const growth = Math.max(verbatim.length, inserted.length) - length;
      if (inserted === verbatim || this.#fits(growth)) {
        this.#room -= growth;
        return inserted;
      }
    }
    this.#unresolved.set(reference, 'limit');
    return undefined;
  }

  #fits(growth: number): boolean {
    return growth <= 0 || growth <= this.#room;
  }

  #encoded({ text }: Insertion): Insertion {
    const encoded: unknown = this.#encode?.(text, this.#readPath());
    if (typeof encoded === 'string') return { text: encoded, json: undefined };
    throw new ToolReferenceArgumentError(
      `encode: expected it to return a string, got ${describeValue(encoded)}. Return the value for what goes in as it is.`,
      'encode',
      encoded,
    );
  }

  /** Tells whether a text is the outcome of an earlier resolution. What stays in it is reported again. */
  #isFinished(text: string): boolean {
    if (!this.#finished) return false;
    const stays = this.#finished.get(text);
    if (!stays) return false;
    this.#metFinished = true;
    for (const [reference, reason] of stays) this.#unresolved.set(reference, reason);
    return true;
  }

  #finish(text: string, stays: Stays | undefined): void {
    // As JSON, a text may spell a placeholder with escapes.
    if (!this.#finished || !(text.includes('\\u') || nextPlaceholder(text, 0))) return;
    this.#made.set(text, stays ?? new Map());
  }

  /** Text inside an inserted value, names included, is as final as text that was inserted by itself. */
  #finishStringsOf(json: string): void {
    if (!this.#finished || !(json.includes(OPENING) || json.includes('\\u'))) return;
    for (const { start, end } of jsonStrings(json)) {
      this.#finish(JSON.parse(json.slice(start, end)) as string, undefined);
    }
  }
}

/** Inside a JSON string a pointer is written with that string's escapes. */
function nextEscapedPlaceholder(text: string, from: number): Placeholder | undefined {
  const found = nextPlaceholder(text, from);
  if (!found?.pointer?.includes('\\')) return found;
  const pointer = JSON.parse(`"${found.pointer}"`) as string;
  return { ...found, pointer, reference: `${found.key}#${pointer}` };
}
