/** The calls of a buffer, by the ids that they have: the provider's, one made up, or one that came later. */

import { type CallSettings, type CallState, ToolCall } from './tool-call.js';

/** What a table needs to know besides what each of its calls does. */
export interface CallTableSettings extends CallSettings {
  readonly maxCalls: number;
  readonly idPrefix: string;
}

export class CallTable {
  /** How many ids have been made up. */
  madeUpIds = 0;
  readonly #settings: CallTableSettings;
  readonly #calls = new Map<string, ToolCall>();
  /** Ids that came after the call had been given one. */
  readonly #aliases = new Map<string, string>();
  /** The call that was asked for last: most often the next one too. */
  #recent: ToolCall | undefined;

  constructor(settings: CallTableSettings) {
    this.#settings = settings;
  }

  /** The calls in the order in which they began. */
  get byId(): ReadonlyMap<string, ToolCall> {
    return this.#calls;
  }

  /** The ids that stand for others. */
  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases;
  }

  idOf(id: string): string {
    return this.#aliases.get(id) ?? id;
  }

  find(id: string): ToolCall | undefined {
    if (this.#recent !== undefined && this.#recent.id === id) return this.#recent;
    return this.#lookUp(id);
  }

  /** The call, begun if it is new; `undefined` when that would pass the limit. */
  findOrBegin(id: string): ToolCall | undefined {
    return this.find(id) ?? this.begin(this.idOf(id), 'given');
  }

  /** Begins a call; `undefined` when that would pass the limit. */
  begin(id: string, origin: 'given' | 'made-up'): ToolCall | undefined {
    if (this.#calls.size >= this.#settings.maxCalls) return undefined;
    const call = new ToolCall(id, origin === 'made-up', this.#settings);
    this.#calls.set(id, call);
    return call;
  }

  /** Lets a further id stand for a call. */
  alias(call: ToolCall, id: string): void {
    call.alias = id;
    this.#aliases.set(id, call.id);
  }

  makeUpId(): string {
    let id: string;
    do id = `${this.#settings.idPrefix}${this.madeUpIds++}`;
    while (this.#calls.has(id) || this.#aliases.has(id));
    return id;
  }

  /** Takes back a call of a snapshot. Says whether it can be one of this table. */
  restore(state: CallState): boolean {
    const call = ToolCall.restore(state, this.#settings);
    if (call === undefined || this.#calls.has(call.id)) return false;
    this.#calls.set(call.id, call);
    if (call.alias !== undefined) this.#aliases.set(call.alias, call.id);
    return true;
  }

  /** Forgets a call and gives the id that it had here. */
  forget(givenId: string): string {
    const id = this.idOf(givenId);
    const alias = this.#calls.get(id)?.alias;
    if (alias !== undefined) this.#aliases.delete(alias);
    this.#calls.delete(id);
    this.#recent = undefined;
    return id;
  }

  clear(): void {
    this.#calls.clear();
    this.#aliases.clear();
    this.#recent = undefined;
    this.madeUpIds = 0;
  }

  #lookUp(id: string): ToolCall | undefined {
    const call = this.#calls.get(this.idOf(id));
    this.#recent = call ?? this.#recent;
    return call;
  }
}
