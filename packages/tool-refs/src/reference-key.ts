/** The names of stored outputs, and how a model writes them. */

import { describeValue } from '@holdfast/kernel';
import { ToolReferenceArgumentError } from './errors.js';

/**
 * Matches one placeholder, `{{tool<i>turn<n>}}` or `{{tool<i>turn<n>#<pointer>}}`; the first group is the key, the
 * second the pointer, if there is one. Neither global nor sticky, so it holds no state between calls.
 *
 * The form is strict: no blanks, no other case, no leading zeros, numbers below 10^15; braces in a pointer stand in
 * pairs, not one inside the other. Whatever this pattern does not match, `resolve` leaves alone and does not list as
 * unresolved.
 */
export const TOOL_OUTPUT_REF_PATTERN: RegExp =
  /\{\{(tool(?:0|[1-9][0-9]{0,14})turn(?:0|[1-9][0-9]{0,14}))(?:#([^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}\}/;

/** Field that carries the reference key in the annotated form of an output that is a JSON object. */
export const TOOL_OUTPUT_REF_KEY = '_ref';

/** Field that carries the unresolved references in the annotated form of an output that is a JSON object. */
export const TOOL_OUTPUT_UNRESOLVED_KEY = '_unresolved_refs';

/** Index and turn stay below this, so that every key that can be built can also be referred to. */
export const NUMBER_LIMIT = 1e15;

const STRICT_KEY = /^tool(?:0|[1-9][0-9]{0,14})turn(0|[1-9][0-9]{0,14})$/;

/** The line, without its line break, that names the key of an output that is not a JSON object: `[ref: tool0turn1]`. */
export function buildReferencePrefix(key: string): string {
  return `[ref: ${key}]`;
}

/**
 * The key of a tool output: `tool<toolIndex>turn<turn>`.
 *
 * @param toolIndex Position of the call in its batch, from 0.
 * @param turn The batch's turn within its run, from 0.
 * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` when a number is not a whole number
 * from 0 to 10^15 - 1: no placeholder could name such a key.
 */
export function buildReferenceKey(toolIndex: number, turn: number): string {
  return `tool${checkNumber('toolIndex', toolIndex)}turn${checkNumber('turn', turn)}`;
}

/** The turn in a key of the strict form; -1 for any other key, which no placeholder can name. */
export function turnOfKey(key: string): number {
  const turn = STRICT_KEY.exec(key)?.[1];
  return turn === undefined ? -1 : Number(turn);
}

export function checkNumber(argument: string, received: number): number {
  if (Number.isInteger(received) && received >= 0 && received < NUMBER_LIMIT) return received === 0 ? 0 : received;
  throw new ToolReferenceArgumentError(
    `${argument}: expected a whole number from 0 to 10^15 - 1, got ${describeValue(received)}. Count calls and turns from 0.`,
    argument,
    received,
  );
}
