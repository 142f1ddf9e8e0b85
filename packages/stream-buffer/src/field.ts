/** How a field of the arguments is named and read while it streams. */

/**
 * Where a string stands in the arguments: a key of the root object, or the keys (of objects) and indexes (of arrays)
 * that lead to it from the root. `'content'` and `['content']` name the same field.
 */
export type FieldPath = string | readonly (string | number)[];

/** A string as far as it has come. */
export interface FieldText {
  /** The decoded text so far, always a beginning of the final one. */
  readonly text: string;
  /** Whether the closing quote has come. */
  readonly closed: boolean;
}

/**
 * What is new of a string since it was last asked for.
 *
 * - `delta`: `text` goes on where the last one ended. It may be empty.
 * - `reset`: what was given before is void, because the stream said the text anew, repeated the key, or disproved
 *   copies; `text` is the whole text so far.
 */
export interface FieldDelta extends FieldText {
  readonly kind: 'delta' | 'reset';
}

/** A delta with the call and the field that it belongs to. */
export interface FieldDeltaEvent extends FieldDelta {
  readonly toolCallId: string;
  readonly toolName: string | undefined;
  readonly path: FieldPath;
}
