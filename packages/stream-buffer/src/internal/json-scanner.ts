/** Follows one JSON text that arrives in pieces. Each character is looked at once; reading a field scans nothing. */

import { FoldedText } from './folded-text.js';
import { canEndNumber, firstNumberState, type NumberState, nextNumberState } from './number-state.js';
import { StringReader } from './string-reader.js';

/** The JSON type of a value, known from its first character. */
export type ValueKind = 'string' | 'number' | 'literal' | 'object' | 'array';

/** What is known of one field of the root object. */
export interface Field {
  readonly name: string;
  readonly kind: ValueKind;
  /** Position of the value's first character. */
  readonly start: number;
  /** The decoded text so far; only for strings. */
  readonly text: FoldedText | undefined;
  closed: boolean;
}

/** The place at which no JSON text could go on as this one does. */
export interface Break {
  readonly problem: 'unexpected_character' | 'depth_limit';
  readonly position: number;
}

type Container = 'object' | 'array';
type State =
  | 'value'
  | 'first-element'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'after'
  | 'end'
  | 'in-key'
  | 'in-string'
  | 'in-number'
  | 'in-literal';

/** A state machine over the whole JSON grammar, with a record for each field of the root object. */
export class JsonScanner {
  readonly #maxDepth: number;
  readonly #stack: Container[] = [];
  readonly #fields = new Map<string, Field>();
  readonly #flaws: number[] = [];
  #state: State = 'value';
  #broken: Break | undefined;
  #length = 0;
  /** Behind the last closed value or opened container: what lies before it needs only closing brackets. */
  #closableEnd = 0;
  #string = new StringReader(undefined, this.#flaws);
  #keyText: FoldedText | undefined;
  #key = '';
  #field: Field | undefined;
  #number: NumberState = 'minus';
  #literal = '';
  #literalRead = 0;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** The fields of the root object whose value has begun; of a repeated key, the last. */
  get fields(): ReadonlyMap<string, Field> {
    return this.#fields;
  }

  /** Where faults were tolerated inside strings, in order: control characters, and backslashes that begin no escape. */
  get flaws(): readonly number[] {
    return this.#flaws;
  }

  /** Set once, at the first character that breaks the grammar; nothing behind it is read. */
  get broken(): Break | undefined {
    return this.#broken;
  }

  /** Nothing but blanks has come. */
  get blank(): boolean {
    return this.#state === 'value' && this.#stack.length === 0 && this.#broken === undefined;
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
   * How to close the text so that it is valid JSON: keep what lies before `end`, then add `suffix`.
   * `undefined` when there is no value to close.
   */
  get closing(): { readonly end: number; readonly suffix: string } | undefined {
    const inString = this.#state === 'in-string';
    const end = inString ? (this.#string.heldFrom ?? this.#length) : this.#closableEnd;
    if (end === 0) return undefined;
    const brackets = this.#stack.map((container) => (container === 'object' ? '}' : ']')).reverse();
    return { end, suffix: (inString ? '"' : '') + brackets.join('') };
  }

  /** Reads the next piece of the text. */
  push(chunk: string): void {
    let at = 0;
    while (at < chunk.length && this.#broken === undefined) at = this.#step(chunk, at);
    this.#length += chunk.length;
  }

  /** Reads from `chunk[at]` on and returns the index behind what was read. */
  #step(chunk: string, at: number): number {
    switch (this.#state) {
      case 'in-string':
      case 'in-key':
        return this.#readString(chunk, at);
      case 'in-number':
        return this.#readNumber(chunk, at);
      case 'in-literal':
        return this.#readLiteral(chunk, at);
      default:
        this.#readStructure(chunk.charCodeAt(at), this.#length + at);
        return at + 1;
    }
  }

  #readString(chunk: string, at: number): number {
    const end = this.#string.read(chunk, at, this.#length);
    if (!this.#string.closed) return end;
    if (this.#state === 'in-string') {
      this.#closeValue(this.#length + end);
    } else {
      this.#key = this.#keyText?.value ?? '';
      this.#state = 'colon';
    }
    return end;
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
    const inObject = this.#stack.at(-1) === 'object';
    if (unit === 0x2c) this.#state = inObject ? 'key' : 'value';
    else if (unit === (inObject ? 0x7d : 0x5d)) this.#closeContainer(position);
    else this.#break(position);
  }

  #startKey(unit: number, position: number): void {
    if (unit !== 0x22) {
      this.#break(position);
      return;
    }
    this.#keyText = this.#stack.length === 1 ? new FoldedText() : undefined;
    this.#string = new StringReader(this.#keyText, this.#flaws);
    this.#state = 'in-key';
  }

  #startValue(unit: number, position: number): void {
    const kind = valueKind(unit);
    if (kind === undefined) {
      this.#break(position);
      return;
    }
    const text = this.#startField(kind, position);
    if (kind === 'string') {
      this.#string = new StringReader(text, this.#flaws);
      this.#state = 'in-string';
    } else if (kind === 'number') {
      this.#number = firstNumberState(unit) ?? 'minus';
      this.#state = 'in-number';
    } else if (kind === 'literal') {
      this.#literal = unit === 0x74 ? 'true' : unit === 0x66 ? 'false' : 'null';
      this.#literalRead = 1;
      this.#state = 'in-literal';
    } else {
      this.#openContainer(kind, position);
    }
  }

  /** Begins a record when the value belongs to a key of the root object; a repeated key starts over, as in JSON.parse. */
  #startField(kind: ValueKind, position: number): FoldedText | undefined {
    if (this.#stack.length !== 1 || this.#stack[0] !== 'object') return undefined;
    const text = kind === 'string' ? new FoldedText() : undefined;
    this.#field = { name: this.#key, kind, start: position, text, closed: false };
    this.#fields.set(this.#key, this.#field);
    return text;
  }

  #openContainer(kind: Container, position: number): void {
    if (this.#stack.length >= this.#maxDepth) {
      this.#break(position, 'depth_limit');
      return;
    }
    this.#stack.push(kind);
    this.#closableEnd = position + 1;
    this.#state = kind === 'object' ? 'first-key' : 'first-element';
  }

  #closeContainer(position: number): void {
    this.#stack.pop();
    this.#closeValue(position + 1);
  }

  #closeValue(end: number): void {
    this.#closableEnd = end;
    this.#state = this.#stack.length === 0 ? 'end' : 'after';
    if (this.#stack.length === 1 && this.#field !== undefined) this.#field.closed = true;
  }

  #break(position: number, problem: Break['problem'] = 'unexpected_character'): void {
    this.#broken = { problem, position };
  }
}

function valueKind(unit: number): ValueKind | undefined {
  switch (unit) {
    case 0x22:
      return 'string';
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case 0x74:
    case 0x66:
    case 0x6e:
      return 'literal';
    default:
      return firstNumberState(unit) === undefined ? undefined : 'number';
  }
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** What may stand directly behind a number. */
function isDelimiter(unit: number): boolean {
  return unit === 0x2c || unit === 0x7d || unit === 0x5d || isBlank(unit);
}
