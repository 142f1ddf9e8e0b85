/** The stored outputs and counters of one run. */

import { turnOfKey } from '../reference-key.js';
import { FifoMap } from './fifo-map.js';
import type { Limits } from './limits.js';

/** How far a run's turns have come. This much is remembered of a run that has ended. */
export interface TurnCount {
  /** The next turn to hand out: above every turn that was handed out or stored under. */
  next: number;
  /** The last turn that was counted rather than named by the host; -1 when there is none. */
  lastCounted: number;
}

interface StoredOutput {
  readonly text: string;
  readonly turn: number;
}

interface DroppedOutput {
  readonly key: string;
  readonly characters: number;
  readonly reason: 'characters' | 'entries';
}

/** Most tool names that a run remembers having warned about. */
const MAX_WARNED = 1_000;

export class RunOutputs {
  readonly turns: TurnCount;
  readonly #outputs = new FifoMap<string, StoredOutput>();
  readonly #warned = new Set<string>();
  #characters = 0;

  constructor(turns: TurnCount) {
    this.turns = turns;
  }

  get size(): number {
    return this.#outputs.size;
  }

  get characters(): number {
    return this.#characters;
  }

  keys(): string[] {
    return Array.from(this.#outputs.entries(), ([key]) => key);
  }

  /** Keys and texts, the oldest first. */
  outputs(): Array<readonly [key: string, output: string]> {
    return Array.from(this.#outputs.entries(), ([key, { text }]) => [key, text] as const);
  }

  get(key: string): string | undefined {
    return this.#outputs.get(key)?.text;
  }

  /** Stores an output that fits the limits by itself, and drops the oldest others until all fit together. */
  put(key: string, text: string, limits: Limits): DroppedOutput[] {
    const turn = turnOfKey(key);
    this.turns.next = Math.max(this.turns.next, turn + 1);
    this.#characters += text.length - (this.get(key)?.length ?? 0);
    this.#outputs.set(key, { text, turn });
    const dropped: DroppedOutput[] = [];
    while (this.#characters > limits.total || this.#outputs.size > limits.entries) {
      const reason = this.#characters > limits.total ? 'characters' : 'entries';
      const oldest = this.#outputs.shift();
      if (!oldest) break;
      this.#characters -= oldest[1].text.length;
      dropped.push({ key: oldest[0], characters: oldest[1].text.length, reason });
    }
    return dropped;
  }

  /** The outputs of all turns before `turn`, frozen as they are now. */
  copyBefore(turn: number): Map<string, string> {
    const copy = new Map<string, string>();
    for (const [key, output] of this.#outputs.entries()) if (output.turn < turn) copy.set(key, output.text);
    return copy;
  }

  claimWarning(toolName: string): boolean {
    if (this.#warned.has(toolName) || this.#warned.size >= MAX_WARNED) return false;
    this.#warned.add(toolName);
    return true;
  }
}
