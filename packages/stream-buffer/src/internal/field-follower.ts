/** Tells a host of every change of one field, in whichever call it stands. */

import type { FieldDeltaEvent, FieldPath } from '../field.js';
import { FieldCursor } from './field-cursor.js';
import type { ToolCall } from './tool-call.js';

interface Followed {
  readonly cursor: FieldCursor;
  /** The listener knows that the field is closed. */
  closed: boolean;
}

export class FieldFollower {
  readonly #path: FieldPath;
  readonly #listener: (event: FieldDeltaEvent) => void;
  /** Weak, so that a call which is cleared takes its place along. */
  readonly #followed = new WeakMap<ToolCall, Followed>();

  constructor(path: FieldPath, listener: (event: FieldDeltaEvent) => void) {
    this.#path = path;
    this.#listener = listener;
  }

  /** Hands on what is new. What is handed on counts as given even if the listener throws. */
  follow(call: ToolCall): void {
    let followed = this.#followed.get(call);
    if (followed === undefined) {
      followed = { cursor: new FieldCursor(this.#path), closed: false };
      this.#followed.set(call, followed);
    }
    const delta = followed.cursor.take(call.text);
    if (delta === undefined) return;
    const { kind, text, closed } = delta;
    const changed = kind === 'reset' || text !== '' || closed !== followed.closed;
    followed.closed = closed;
    if (!changed) return;
    const { id: toolCallId, name: toolName } = call;
    this.#listener({ kind, text, closed, toolCallId, toolName, path: this.#path });
  }
}
