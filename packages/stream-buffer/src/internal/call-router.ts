/** Decides which call a piece belongs to. Providers name a call by id, by index, by both, or not at all. */

import { startsObject } from './call-text.js';
import type { ToolCall } from './tool-call.js';

/** A piece with everything taken out that names nothing. */
export interface NamedPiece {
  readonly id: string | undefined;
  readonly index: number | undefined;
  readonly name: string | undefined;
  readonly text: string | undefined;
  readonly source: string | undefined;
}

/** The call that a piece belongs to: a known or a named one, one that begins with it, or none. */
export type Route =
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'new' }
  | { readonly kind: 'none' };

/** The indexes that stand for calls, and the call that was spoken of last. */
export class CallRouter {
  readonly #idByIndex = new Map<number, string>();
  readonly #maxIndexes: number;
  #current: string | undefined;

  constructor(maxIndexes: number) {
    this.#maxIndexes = maxIndexes;
  }

  idOf(index: number): string | undefined {
    return this.#idByIndex.get(index);
  }

  mapIndex(index: number, id: string): void {
    if (this.#idByIndex.size < this.#maxIndexes || this.#idByIndex.has(index)) this.#idByIndex.set(index, id);
  }

  forget(id: string): void {
    for (const [index, mapped] of this.#idByIndex) if (mapped === id) this.#idByIndex.delete(index);
    if (this.#current === id) this.#current = undefined;
  }

  clear(): void {
    this.#idByIndex.clear();
    this.#current = undefined;
  }

  /** An id wins; then the index; then the call that was spoken of last. */
  route(piece: NamedPiece, calls: ReadonlyMap<string, ToolCall>): Route {
    if (piece.id !== undefined) return { kind: 'call', id: piece.id };
    const id = piece.index === undefined ? this.#current : this.#idAt(piece.index, piece.name);
    if (id === undefined) return saysNothing(piece) ? { kind: 'none' } : { kind: 'new' };
    const call = calls.get(id);
    return call !== undefined && beginsAnother(call, piece) ? { kind: 'new' } : { kind: 'call', id };
  }

  /**
   * Remembers where a piece went. A call that has just begun takes its index over from an older one; a known call
   * only takes an index that is free, so a wrong index on a later piece takes nothing away from another call.
   */
  follow(piece: NamedPiece, id: string, begins: boolean): void {
    this.#current = id;
    if (piece.index !== undefined && (begins || !this.#idByIndex.has(piece.index))) this.mapIndex(piece.index, id);
  }

  /** A free index on a piece without a name goes on with the current call, if that one has no index yet. */
  #idAt(index: number, name: string | undefined): string | undefined {
    const mapped = this.#idByIndex.get(index);
    if (mapped !== undefined || name !== undefined || this.#current === undefined) return mapped;
    for (const id of this.#idByIndex.values()) if (id === this.#current) return undefined;
    return this.#current;
  }
}

/**
 * Tells whether a piece without an id is the start of a further call: some providers give every call index 0, or
 * neither id nor index. Only a piece with a name starts a call, and a copy of the whole text never does.
 */
function beginsAnother(call: ToolCall, piece: NamedPiece): boolean {
  if (piece.name === undefined || call.isCopy(piece.text ?? '', piece.source)) return false;
  if (call.finished) return true;
  if (call.name !== undefined && call.name !== piece.name) return call.mayEnd;
  return call.text.scanner.closed && startsObject(piece.text ?? '');
}

function saysNothing(piece: NamedPiece): boolean {
  return piece.name === undefined && (piece.text === undefined || piece.text === '');
}
