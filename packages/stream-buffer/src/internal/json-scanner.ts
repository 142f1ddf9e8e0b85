/** Follows one JSON text that arrives in pieces. Each character is looked at once; reading a value scans nothing. */

import { FoldedText } from './folded-text.js';
import { isBlank, isDelimiter, quote, type ValueKind, valueKind } from './json-marks.js';
import { decodeString, type StringReader } from './json-string.js';
import { canEndNumber, firstNumberState, type NumberState, nextNumberState } from './number-state.js';
import { QuoteFinder } from './quote-finder.js';

/** What is recorded: the fields of the root object, or the strings and containers inside them too. */
export type Recording = 'root-fields' | 'nested';

/** One value of the text. Its characters are not kept here: they are read from the text when somebody asks. */
export interface ValueNode {
  readonly kind: ValueKind;
  /** Position of the value's first character. */
  readonly start: number;
  /** Position behind the value, once it is closed. */
  end: number | undefined;
  /** Values inside a container, by key or by index, as far as they are recorded. */
  readonly children: Map<string | number, ValueNode> | undefined;
  /** Of a string that somebody has read: the decoded text, and how far it goes. */
  shown: ShownString | undefined;
}

export interface ShownString {
  readonly reader: StringReader;
  readonly text: FoldedText;
}

/** The place at which no JSON text could go on as this one does. */
export interface Break {
  readonly problem: 'unexpected_character' | 'depth_limit';
  readonly position: number;
}

interface Container {
  readonly kind: 'object' | 'array';
  readonly node: ValueNode | undefined;
  /** Values that have begun in it. */
  count: number;
}

type State =
  | 'value'
  | 'first-element'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'after'
  | 'end'
  | 'in-key'
  | 'in-number'
  | 'in-literal';

/** A state machine over the whole JSON grammar, with a record of the values that can be read while they stream. */
export class JsonScanner {
  readonly recording: Recording;
  readonly #maxDepth: number;
  readonly #stack: Container[] = [];
  /** The string that is open, or the last one that was. */
  readonly string = new QuoteFinder();
  /** A string value is open: then the state does not matter. */
  #inString = false;
  #state: State = 'value';
  #broken: Break | undefined;
  #length = 0;
  /** Behind the last closed value or opened container: what lies before it needs only closing brackets. */
  #closableEnd = 0;
  #root: ValueNode | undefined;
  #recorded = 0;
  /** The value that is open and no container, if it is recorded. */
  #open: ValueNode | undefined;
  #keyText: FoldedText | undefined;
  #key = '';
  #number: NumberState = 'minus';
  #literal = '';
  #literalRead = 0;

  constructor(maxDepth: number, recording: Recording) {
    this.#maxDepth = maxDepth;
    this.recording = recording;
  }

  /** The root value, once it has begun. Of a repeated key the last value is recorded, as in JSON.parse. */
  get root(): ValueNode | undefined {
    return this.#root;
  }

  /** Rises whenever what is recorded of the values that have begun changes. */
  get recorded(): number {
    return this.#recorded;
  }

  get length(): number {
    return this.#length;
  }

  /** How far the text is read: up to where it breaks, and not into half an escape. */
  get readTo(): number {
    return this.#broken?.position ?? this.#length - this.string.pending;
  }

  /** Set once, at the first character that breaks the grammar; nothing behind it is read. */
  get broken(): Break | undefined {
    return this.#broken;
  }

  /** Nothing but blanks has come. */
  get blank(): boolean {
    return this.#state === 'value' && this.#stack.length === 0 && !this.#inString && this.#broken === undefined;
  }

  /** The root value is closed and only blanks may follow. */
  get closed(): boolean {
    return this.#state === 'end' && this.#broken === undefined;
  }

  /** The text is a number that may be whole, or may go on. */
  get endsInRootNumber(): boolean {
    return this.#state === 'in-number' && this.#stack.length === 0 && !this.#broken && canEndNumber(this.#number);
  }

  /**
   * How to close the text so that it is JSON but for faults inside strings: keep what lies before `end`, then add
   * `suffix`. An open string may end with half a surrogate pair. `undefined` when there is no value to close.
   */
  get closing(): { readonly end: number; readonly suffix: string; readonly inString: boolean } | undefined {
    const inString = this.#inString;
    const end = inString ? this.readTo : this.#closableEnd;
    if (end === 0) return undefined;
    const brackets = this.#stack.map(({ kind }) => (kind === 'object' ? '}' : ']')).reverse();
    return { end, suffix: (inString ? '"' : '') + brackets.join(''), inString };
  }

  /** Reads the next piece of the text. */
  push(chunk: string): void {
    let at = 0;
    // Most chunks lie inside a string.
    if (this.#inString) at = this.#readString(chunk, 0);
    while (at < chunk.length && this.#broken === undefined) at = this.#step(chunk, at);
    this.#length += chunk.length;
  }

  /** Reads from `chunk[at]` on and returns the index behind what was read. */
  #step(chunk: string, at: number): number {
    if (this.#inString) return this.#readString(chunk, at);
    switch (this.#state) {
      case 'in-key':
        return this.#readKey(chunk, at);
      case 'in-number':
        return this.#readNumber(chunk, at);
      case 'in-literal':
        return this.#readLiteral(chunk, at);
      default:
        this.#readStructure(chunk.charCodeAt(at), this.#length + at);
        return at + 1;
    }
  }

  #readString(chunk: string, from: number): number {
    const end = this.string.find(chunk, from);
    return end === -1 ? chunk.length : this.#closeString(end + 1);
  }

  #closeString(end: number): number {
    this.#inString = false;
    this.#closeValue(this.#length + end);
    return end;
  }

  #readKey(chunk: string, from: number): number {
    const end = this.string.find(chunk, from);
    this.#keyText?.add(chunk.slice(from, end === -1 ? chunk.length : end));
    if (end === -1) return chunk.length;
    if (this.#keyText !== undefined) this.#key = decodeString(this.#keyText.value);
    this.#state = 'colon';
    return end + 1;
  }

  #readNumber(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const unit = chunk.charCodeAt(at);
      const next = nextNumberState(this.#number, unit);
      if (next !== undefined) {
        this.#number = next;
        continue;
      }
      if (canEndNumber(this.#number) && isDelimiter(unit)) this.#closeValue(this.#length + at);
      else this.#break(this.#length + at);
      return at;
    }
    return chunk.length;
  }

  #readLiteral(chunk: string, from: number): number {
    let at = from;
    while (at < chunk.length && this.#literalRead < this.#literal.length) {
      if (chunk.charCodeAt(at) !== this.#literal.charCodeAt(this.#literalRead)) {
        this.#break(this.#length + at);
        return at;
      }
      this.#literalRead++;
      at++;
    }
    if (this.#literalRead === this.#literal.length) this.#closeValue(this.#length + at);
    return at;
  }

  #readStructure(unit: number, position: number): void {
    if (isBlank(unit)) return;
    switch (this.#state) {
      case 'value':
        this.#startValue(unit, position);
        break;
      case 'first-element':
        if (unit === 0x5d) this.#closeContainer(position);
        else this.#startValue(unit, position);
        break;
      case 'first-key':
        if (unit === 0x7d) this.#closeContainer(position);
        else this.#startKey(unit, position);
        break;
      case 'key':
        this.#startKey(unit, position);
        break;
      case 'colon':
        if (unit === 0x3a) this.#state = 'value';
        else this.#break(position);
        break;
      case 'after':
        this.#readAfterValue(unit, position);
        break;
      default:
        this.#break(position);
    }
  }

  #readAfterValue(unit: number, position: number): void {
    const inObject = this.#stack.at(-1)?.kind === 'object';
    if (unit === 0x2c) this.#state = inObject ? 'key' : 'value';
    else if (unit === (inObject ? 0x7d : 0x5d)) this.#closeContainer(position);
    else this.#break(position);
  }

  #startKey(unit: number, position: number): void {
    if (unit !== quote) {
      this.#break(position);
      return;
    }
    this.#keyText = this.#stack.at(-1)?.node?.children && new FoldedText();
    this.#state = 'in-key';
  }

  #startValue(unit: number, position: number): void {
    const kind = valueKind(unit);
    if (kind === undefined) {
      this.#break(position);
      return;
    }
    const node = this.#record(kind, position);
    if (kind === 'object' || kind === 'array') {
      this.#openContainer(kind, position, node);
      return;
    }
    this.#open = node;
    if (kind === 'string') {
      this.#inString = true;
    } else if (kind === 'number') {
      this.#number = firstNumberState(unit) ?? 'minus';
      this.#state = 'in-number';
    } else {
      this.#literal = unit === 0x74 ? 'true' : unit === 0x66 ? 'false' : 'null';
      this.#literalRead = 1;
      this.#state = 'in-literal';
    }
  }

  /** Notes where a value begins. Inside the root fields numbers and literals are not noted: nobody can ask for them. */
  #record(kind: ValueKind, start: number): ValueNode | undefined {
    const parent = this.#stack.at(-1);
    const siblings = parent?.node?.children;
    if (parent !== undefined && siblings === undefined) return undefined;
    this.#recorded++;
    const place = parent?.kind === 'object' ? this.#key : (parent?.count ?? 0);
    if (parent !== undefined) parent.count++;
    const isScalar = kind === 'number' || kind === 'literal';
    if (isScalar && (this.#stack.length > 1 || parent?.kind === 'array')) {
      siblings?.delete(place);
      return undefined;
    }
    const children: ValueNode['children'] = this.#keepsChildren(kind) ? new Map() : undefined;
    const node: ValueNode = { kind, start, end: undefined, children, shown: undefined };
    if (siblings === undefined) this.#root = node;
    else siblings.set(place, node);
    return node;
  }

  #keepsChildren(kind: ValueKind): boolean {
    if (kind !== 'object' && kind !== 'array') return false;
    return this.recording === 'nested' || (kind === 'object' && this.#stack.length === 0);
  }

  #openContainer(kind: Container['kind'], position: number, node: ValueNode | undefined): void {
    if (this.#stack.length >= this.#maxDepth) {
      this.#break(position, 'depth_limit');
      return;
    }
    this.#stack.push({ kind, node, count: 0 });
    this.#closableEnd = position + 1;
    this.#state = kind === 'object' ? 'first-key' : 'first-element';
  }

  #closeContainer(position: number): void {
    this.#open = this.#stack.pop()?.node;
    this.#closeValue(position + 1);
  }

  #closeValue(end: number): void {
    this.#closableEnd = end;
    this.#state = this.#stack.length === 0 ? 'end' : 'after';
    if (this.#open !== undefined) this.#open.end = end;
    this.#open = undefined;
  }

  #break(position: number, problem: Break['problem'] = 'unexpected_character'): void {
    this.#broken = { problem, position };
  }
}
