/** Remembers how much of one field somebody has been given, and gives what is new. */

import type { FieldDelta, FieldPath } from '../field.js';
import type { CallText } from './call-text.js';
import { withoutHalfPair } from './close-json.js';
import type { ValueNode } from './json-scanner.js';
import { StringReader } from './json-string.js';
import { QuoteFinder } from './quote-finder.js';
import type { ScannedText } from './scanned-text.js';

export class FieldCursor {
  readonly path: FieldPath;
  #text: ScannedText | undefined;
  /** What the scanner had recorded when the field was looked for. */
  #recorded = 0;
  #node: ValueNode | undefined;
  #reader = new StringReader(0);
  /** What was given is no beginning of the field any more. */
  #stale = false;

  /** @param path - it is kept, and not looked at before the first delta is taken. */
  constructor(path: FieldPath) {
    this.path = path;
  }

  /** What is new since the last time; `undefined` while the field has not begun. */
  take(call: CallText): FieldDelta | undefined {
    const text = call.scannedFor(this.path);
    if (text !== this.#text || text.scanner.recorded !== this.#recorded) this.#find(text);
    const node = this.#node;
    if (this.#stale) return this.#takeAnew(text);
    return node && { kind: 'delta', text: text.readOn(node, this.#reader), closed: node.end !== undefined };
  }

  #takeAnew(text: ScannedText): FieldDelta {
    this.#stale = false;
    const node = this.#node;
    if (node === undefined) return { kind: 'reset', text: '', closed: false };
    return { kind: 'reset', text: text.readOn(node, this.#reader), closed: node.end !== undefined };
  }

  /** The position up to which the field was given; `null` if what was given is void, `undefined` if nothing was. */
  stateIn(call: CallText): number | null | undefined {
    this.#find(call.scannedFor(this.path));
    if (this.#stale) return null;
    return this.#node && this.#reader.at;
  }

  /** Takes over what {@link FieldCursor.stateIn} said of the same text. Says whether the field can be there. */
  restore(call: CallText, at: number | null): boolean {
    const text = call.scannedFor(this.path);
    this.#find(text);
    this.#stale = at === null;
    const node = this.#node;
    if (node === undefined || at === null) return at === null;
    this.#reader = new StringReader(at);
    return at > node.start && at <= text.endOf(node);
  }

  #find(text: ScannedText): void {
    const node = text.findString(this.path);
    if (node !== this.#node) this.#moveTo(node, text);
    this.#text = text;
    this.#recorded = text.scanner.recorded;
  }

  /** The field stands somewhere else now: a repeated key, a restatement, another reading of the copies. */
  #moveTo(node: ValueNode | undefined, text: ScannedText): void {
    const isSame = text.raw === this.#text?.raw && node?.start === this.#node?.start;
    const given = isSame ? '' : this.#given();
    this.#node = node;
    if (isSame) return;
    const start = (node?.start ?? 0) + 1;
    const goesOn = node !== undefined && endsWhole(given) && text.raw.slice(start, start + given.length) === given;
    this.#stale ||= !goesOn && given !== '';
    this.#reader = new StringReader(goesOn ? start + given.length : start);
  }

  /** The part of the text that was given, as it was written. */
  #given(): string {
    if (this.#node === undefined || this.#stale) return '';
    return this.#text?.raw.slice(this.#node.start + 1, this.#reader.at) ?? '';
  }
}

/** Tells whether the inside of a string is read the same whatever follows: it does not end in half of something. */
function endsWhole(inside: string): boolean {
  const finder = new QuoteFinder();
  finder.find(inside, 0);
  return finder.pending === 0 && withoutHalfPair(inside) === inside;
}
