/** Holds events back until the change they tell of is complete. */

import type { ToolOutputClip, ToolOutputEviction, UnresolvedReference } from '../events.js';
import type { ToolOutputReferenceRegistryOptions } from '../types.js';

export class EventQueue {
  readonly #options: ToolOutputReferenceRegistryOptions;
  readonly #pending: Array<() => void> = [];
  /** How many of them have been called. Taking each from the front would move all others, each time. */
  #called = 0;

  constructor(options: ToolOutputReferenceRegistryOptions) {
    this.#options = { ...options };
  }

  clip(event: ToolOutputClip): void {
    const { onClip } = this.#options;
    if (onClip) this.#pending.push(() => onClip(event));
  }

  evict(event: ToolOutputEviction): void {
    const { onEvict } = this.#options;
    if (onEvict) this.#pending.push(() => onEvict(event));
  }

  unresolved(event: UnresolvedReference): void {
    const { onUnresolved } = this.#options;
    if (onUnresolved) this.#pending.push(() => onUnresolved(event));
  }

  /** Calls the handlers in order. One that throws stops here; the rest are called with the next flush. */
  flush(): void {
    while (this.#called < this.#pending.length) this.#pending[this.#called++]?.();
    this.#pending.length = 0;
    this.#called = 0;
  }
}
