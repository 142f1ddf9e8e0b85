/** One tool call: its name, its text, and the rule by which copies are left out. */

import type { FieldDelta, FieldPath } from '../field.js';
import type { DuplicatePolicy } from '../options.js';
import type { CallText, TextSettings } from './call-text.js';
import { FieldCursor } from './field-cursor.js';
import { type FragmentEffect, Readings, type ReadingsState } from './readings.js';

/** What a call's behaviour depends on besides what comes. */
export interface CallSettings extends TextSettings {
  readonly duplicates: DuplicatePolicy;
}

/** A call as plain data. */
export interface CallState {
  readonly id: string;
  readonly madeUp: boolean;
  readonly alias: string | null;
  readonly name: string | null;
  readonly namedBy: string | null;
  readonly namedAgain: boolean;
  readonly started: boolean;
  readonly finished: boolean;
  readonly owner: string | null;
  readonly fragment: string;
  readonly readings: ReadingsState;
  readonly cursors: readonly { readonly path: FieldPath; readonly at: number | null }[];
}

/** What the buffer holds of one call. */
export class ToolCall {
  readonly id: string;
  /** The provider has not given an id, so the buffer did. */
  readonly madeUp: boolean;
  /** The id that the provider gave later. */
  alias: string | undefined;
  name: string | undefined;
  /** The first source that named the call. */
  namedBy: string | undefined;
  /** The name came once more, alone, behind the finished text: what follows may be a further call of the same tool. */
  namedAgain = false;
  /** A piece or a fragment has come, be it empty: the call has a text. */
  started = false;
  finished = false;
  readonly #keepsCopies: boolean;
  readonly #dropsNeighbours: boolean;
  /** By key of the root object. */
  readonly #cursors = new Map<string, FieldCursor>();
  /** By path as JSON text. */
  readonly #nestedCursors = new Map<string, FieldCursor>();
  /** The cursor that was used last: most often the next one too. */
  #recent: FieldCursor | undefined;
  #readings: Readings;
  #owner: string | undefined;
  #fragment = '';

  constructor(id: string, madeUp: boolean, settings: CallSettings) {
    this.id = id;
    this.madeUp = madeUp;
    this.#keepsCopies = settings.duplicates === 'keep';
    this.#dropsNeighbours = settings.duplicates === 'adjacent';
    this.#readings = new Readings(settings);
    if (settings.duplicates !== 'proved') this.#readings.trustHost();
    if (this.#keepsCopies) this.text.restatements = 'join';
  }

  /** @returns `undefined` if the parts of the state contradict each other. */
  static restore(state: CallState, settings: CallSettings): ToolCall | undefined {
    const call = new ToolCall(state.id, state.madeUp, settings);
    const readings = Readings.restore(settings, state.readings);
    if (readings === undefined) return undefined;
    call.#readings = readings;
    call.alias = state.alias ?? undefined;
    call.name = state.name ?? undefined;
    call.namedBy = state.namedBy ?? undefined;
    call.namedAgain = state.namedAgain;
    call.started = state.started;
    call.finished = state.finished;
    call.#owner = state.owner ?? undefined;
    call.#fragment = state.fragment;
    const restored = state.cursors.every(({ path, at }) => call.#restoreCursor(path, at));
    return restored ? call : undefined;
  }

  get state(): CallState {
    return {
      id: this.id,
      madeUp: this.madeUp,
      alias: this.alias ?? null,
      name: this.name ?? null,
      namedBy: this.namedBy ?? null,
      namedAgain: this.namedAgain,
      started: this.started,
      finished: this.finished,
      owner: this.#owner ?? null,
      fragment: this.#fragment,
      readings: this.#readings.state,
      cursors: this.#cursorStates(),
    };
  }

  get text(): CallText {
    return this.#readings.text;
  }

  get copies(): number {
    return this.#readings.copies;
  }

  get revision(): number {
    return this.#readings.revision;
  }

  append(fragment: string, source: string | undefined): FragmentEffect {
    this.started = true;
    if (source !== undefined && !this.#admit(source)) return 'held';
    if (fragment.length === 0) return 'appended';
    if (this.#dropsNeighbours && source === undefined && this.#isAdjacentCopy(fragment)) return 'held';
    return this.#readings.add(fragment);
  }

  /** What is new of a field since the last time. Only fields that have begun are remembered. */
  takeDelta(path: FieldPath): FieldDelta | undefined {
    const cursor = this.#recent;
    return cursor !== undefined && cursor.path === path ? cursor.take(this.text) : this.#takeOtherDelta(path);
  }

  #takeOtherDelta(path: FieldPath): FieldDelta | undefined {
    const root = rootKey(path);
    const cursors = root === undefined ? this.#nestedCursors : this.#cursors;
    const key = root ?? JSON.stringify(path);
    const cursor = cursors.get(key) ?? new FieldCursor(root ?? [...path]);
    const delta = cursor.take(this.text);
    if (delta === undefined) return undefined;
    cursors.set(key, cursor);
    this.#recent = cursor;
    return delta;
  }

  /** Tells whether a fragment is the whole text once more, or a copy of the last fragment that is still to come. */
  isCopy(fragment: string): boolean {
    if (this.#keepsCopies || fragment === '') return false;
    const whole = fragment.length === this.text.length && fragment === this.text.value;
    return whole || this.#readings.expectsCopy(fragment);
  }

  /** Tells whether a source can only repeat this call, because another one owns it. */
  isForeign(source: string | undefined): boolean {
    return source !== undefined && this.#owner !== undefined && source !== this.#owner;
  }

  finish(): void {
    this.finished = true;
    this.#readings.settle();
  }

  #cursorStates(): CallState['cursors'] {
    return [...this.#cursors.values(), ...this.#nestedCursors.values()].flatMap((cursor) => {
      const at = cursor.stateIn(this.text);
      return at === undefined ? [] : [{ path: cursor.path, at }];
    });
  }

  #restoreCursor(path: FieldPath, at: number | null): boolean {
    const root = rootKey(path);
    const cursor = new FieldCursor(root ?? path);
    if (root === undefined) this.#nestedCursors.set(JSON.stringify(path), cursor);
    else this.#cursors.set(root, cursor);
    return cursor.restore(this.text, at);
  }

  /** The first source that is named owns the call; every other one repeats it. */
  #admit(source: string): boolean {
    if (this.#owner === undefined) {
      this.#owner = source;
      this.#readings.trustHost();
    }
    return source === this.#owner;
  }

  #isAdjacentCopy(fragment: string): boolean {
    const equal = fragment === this.#fragment;
    this.#fragment = fragment;
    return equal;
  }
}

/** The key, if the path is of one key of the root object. */
function rootKey(path: FieldPath): string | undefined {
  if (typeof path === 'string') return path;
  return path.length === 1 && typeof path[0] === 'string' ? path[0] : undefined;
}
