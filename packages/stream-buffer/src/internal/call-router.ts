/** Decides which call a piece belongs to. Providers name a call by id, by index, by both, or not at all. */

import type { NameRule } from '../options.js';
import { startsObject } from './call-text.js';
import type { NamedPiece } from './read-piece.js';
import type { ToolCall } from './tool-call.js';

/** Where a piece goes: to a call by its id, to a call that begins with it, or nowhere. */
export type Route =
  | { readonly kind: 'call'; readonly id: string }
  /** To a call that had no id of its own until this piece. */
  | { readonly kind: 'named-late'; readonly call: ToolCall; readonly id: string }
  | { readonly kind: 'new'; readonly name: string | undefined }
  | { readonly kind: 'none' };

type Calls = ReadonlyMap<string, ToolCall>;

/** What the router holds, as plain data. */
export interface RouterState {
  readonly indexes: readonly (readonly [number, string])[];
  readonly sources: readonly (readonly [string, string])[];
  readonly current: string | null;
}

/** What stands for a call besides its id: its index, and being the one that was spoken of last. */
export class CallRouter {
  readonly #maxEntries: number;
  readonly #names: NameRule;
  readonly #idByIndex = new Map<number, string>();
  /** The same for each source alone, so that two models which stream side by side keep their own indexes. */
  readonly #idBySource = new Map<string, string>();
  #current: string | undefined;

  constructor(maxEntries: number, names: NameRule) {
    this.#maxEntries = maxEntries;
    this.#names = names;
  }

  get state(): RouterState {
    return { indexes: [...this.#idByIndex], sources: [...this.#idBySource], current: this.#current ?? null };
  }

  restore({ indexes, sources, current }: RouterState): void {
    for (const [index, id] of indexes) this.#idByIndex.set(index, id);
    for (const [key, id] of sources) this.#idBySource.set(key, id);
    this.#current = current ?? undefined;
  }

  idOf(index: number): string | undefined {
    return this.#idByIndex.get(index);
  }

  mapIndex(index: number, id: string): void {
    this.#set(this.#idByIndex, index, id);
  }

  forget(id: string): void {
    for (const [index, mapped] of this.#idByIndex) if (mapped === id) this.#idByIndex.delete(index);
    for (const [key, mapped] of this.#idBySource) if (mapped === id) this.#idBySource.delete(key);
    if (this.#current === id) this.#current = undefined;
  }

  clear(): void {
    this.#idByIndex.clear();
    this.#idBySource.clear();
    this.#current = undefined;
  }

  /** An id wins; then the index; then the call that was spoken of last. */
  route(piece: NamedPiece, calls: Calls): Route {
    const id = this.#lookUp(piece, calls);
    const call = id === undefined ? undefined : calls.get(id);
    if (piece.id !== undefined) {
      const late = !calls.has(piece.id) && call !== undefined && isNamedLateBy(call, piece);
      return late ? { kind: 'named-late', call, id: piece.id } : { kind: 'call', id: piece.id };
    }
    if (id === undefined) return saysNothing(piece) ? { kind: 'none' } : { kind: 'new', name: piece.name };
    if (call === undefined || !beginsAnother(call, piece, this.#names)) return { kind: 'call', id };
    return { kind: 'new', name: piece.name ?? call.name };
  }

  /**
   * Remembers where a piece went. A call that begins takes its index over from an older one; a known call only takes
   * an index that is free, so a wrong index on a later piece takes nothing away from another call.
   */
  follow(piece: NamedPiece, id: string, begins: boolean): void {
    const { index, source } = piece;
    this.#current = id;
    if (index !== undefined && (begins || !this.#idByIndex.has(index))) this.mapIndex(index, id);
    if (source === undefined) return;
    this.#set(this.#idBySource, sourceKey(source, undefined), id);
    if (index !== undefined) this.#set(this.#idBySource, sourceKey(source, index), id);
  }

  /** A source that owns a call finds it by its own index; one that only repeats goes where the others are. */
  #lookUp({ index, name, source }: NamedPiece, calls: Calls): string | undefined {
    const own = source === undefined ? undefined : this.#idBySource.get(sourceKey(source, index));
    if (own !== undefined && calls.get(own)?.isForeign(source) === false) return own;
    return (index === undefined ? this.#current : this.#idAt(index, name)) ?? own;
  }

  /** A free index on a piece without a name goes on with the current call, if that one has no index yet. */
  #idAt(index: number, name: string | undefined): string | undefined {
    const mapped = this.#idByIndex.get(index);
    if (mapped !== undefined || name !== undefined || this.#current === undefined) return mapped;
    for (const id of this.#idByIndex.values()) if (id === this.#current) return undefined;
    return this.#current;
  }

  #set<Key>(map: Map<Key, string>, key: Key, id: string): void {
    if (map.has(key) || map.size < this.#maxEntries) map.set(key, id);
  }
}

/**
 * Tells whether a piece without an id is the start of a further call: some providers give every call index 0, or
 * neither id nor index. Only a name starts a call, with the piece or just before it, and a copy never does.
 */
function beginsAnother(call: ToolCall, piece: NamedPiece, names: NameRule): boolean {
  const { name, source, text = '' } = piece;
  const foreign = call.isForeign(source);
  const { scanner } = call.text;
  if (name !== undefined && call.name !== undefined && name !== call.name) {
    return call.finished || foreign || scanner.closed || (scanner.blank && names === 'whole');
  }
  if (call.isCopy(text)) return false;
  if (name !== undefined && call.finished) return true;
  return (name !== undefined || call.namedAgain) && !foreign && scanner.closed && startsObject(text);
}

/** Tells whether a new id belongs to a call that is under way without one, rather than to a call of its own. */
function isNamedLateBy(call: ToolCall, piece: NamedPiece): boolean {
  if (!call.madeUp || call.alias !== undefined || call.finished || call.text.scanner.closed) return false;
  return piece.name === undefined || call.name === undefined || piece.name === call.name;
}

function saysNothing(piece: NamedPiece): boolean {
  return piece.name === undefined && (piece.text === undefined || piece.text === '');
}

function sourceKey(source: string, index: number | undefined): string {
  return `${index ?? ''}:${source}`;
}
