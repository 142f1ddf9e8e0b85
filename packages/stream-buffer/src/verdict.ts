/** What a tool call's argument text turned out to be. */

/** A field whose value had begun and not ended where the text did. */
export interface OpenField {
  readonly name: string;
  readonly kind: 'string' | 'number' | 'literal' | 'object' | 'array';
  /** Of a string the decoded text so far; of anything else the JSON text as it came. */
  readonly text: string;
}

/** What can be taken from a text that is not whole. Empty when the text is no object. */
export interface Salvage {
  /** The root object's fields whose values are closed. A field named `__proto__` is an own property like any other. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The field in which the text ends or breaks. */
  readonly open?: OpenField;
}

/** Why a text is no JSON. Tolerated faults inside strings count: `JSON.parse` would refuse the text for them. */
export type JsonProblem = 'unexpected_character' | 'depth_limit' | 'control_character' | 'bad_escape';

/** The text is one JSON value. */
export interface CompleteVerdict {
  readonly kind: 'complete';
  /** What `JSON.parse` gives. */
  readonly parsed: unknown;
  /** The text as it came. */
  readonly closedJson: string;
}

/** The text could go on and become JSON: the stream ended too early. */
export interface TruncatedVerdict {
  readonly kind: 'truncated';
  /** Where the text ends, in UTF-16 code units. */
  readonly position: number;
  /** Set when the buffer itself refused the rest. */
  readonly limit?: 'characters';
  readonly salvage: Salvage;
  readonly closedJson: string;
}

/** No continuation makes the text JSON. */
export interface InvalidVerdict {
  readonly kind: 'invalid';
  readonly problem: JsonProblem;
  /** Where the first fault stands, in UTF-16 code units from the start of the text. */
  readonly position: number;
  readonly salvage: Salvage;
  readonly closedJson: string;
}

/** No text, and no sign that some was to come: a tool without arguments. */
export interface EmptyVerdict {
  readonly kind: 'empty';
  readonly parsed: Readonly<Record<string, never>>;
  readonly closedJson: '{}';
}

/**
 * What a tool call's argument text turned out to be. `closedJson` is always valid JSON and safe to store in a history:
 * the text as far as closing quotes and brackets complete it, with faults inside strings escaped; `{}` when there is
 * nothing to complete. A number or a literal at the cut is left out, since it may not be whole.
 */
export type ToolCallVerdict = CompleteVerdict | TruncatedVerdict | InvalidVerdict | EmptyVerdict;
