/** The text of JSON strings, and of the path to a value. */

import { cutPosition, cutText } from '@holdfast/kernel';

/** Up to this length a loop finds out sooner than a regular expression whether a string needs escapes. */
const LOOP_LENGTH = 12;
/** From this length on, the native writer is as fast as a test and a copy. */
export const LONG_LENGTH = 4_096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON escapes
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Writes a string as `JSON.stringify` does, lone surrogates as `\udXXX` escapes. */
export function quote(text: string): string {
  return isVerbatim(text) ? `"${text}"` : JSON.stringify(text);
}

/**
 * Tells whether a string certainly stands in JSON as it is. Surrogates, paired or not, and text from
 * {@link LONG_LENGTH} on are left to the native writer.
 */
export function isVerbatim(text: string): boolean {
  if (text.length > LOOP_LENGTH) return text.length < LONG_LENGTH && !NEEDS_ESCAPE.test(text);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff)) return false;
  }
  return true;
}

const PATH_HEAD = 120;
const PATH_TAIL = 80;

/** Renders keys and indices as a path such as `$.to[3]["a b"]`, cut in the middle beyond 200 characters. */
export function pathText(steps: readonly (string | number)[]): string {
  const path = `$${steps.map(stepText).join('')}`;
  if (path.length <= PATH_HEAD + PATH_TAIL) return path;
  return `${cutText(path, PATH_HEAD)}…${path.slice(cutPosition(path, path.length - PATH_TAIL))}`;
}

function stepText(step: string | number): string {
  const isName = typeof step === 'string' && /^[A-Za-z_$][\w$]*$/.test(step);
  return isName ? `.${step}` : `[${JSON.stringify(step)}]`;
}
