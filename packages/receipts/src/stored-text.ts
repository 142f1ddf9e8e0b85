/** Text for databases whose text type refuses NUL or cannot hold a lone surrogate. */

import { isWellFormed } from '@holdfast/kernel';

const MARK = '\\json:';

/**
 * Renders any string as well-formed text without NUL. Ordinary text stays as it is; the rest, and text that begins like
 * an escape, becomes `\json:` and a JSON string. Different strings give different texts.
 */
export function encodeStoredText(text: string): string {
  const exact = !text.startsWith(MARK) && !text.includes('\u0000') && isWellFormed(text);
  return exact ? text : `${MARK}${JSON.stringify(text)}`;
}

/** Turns the text of {@link encodeStoredText} back into the string that it was made of. */
export function decodeStoredText(stored: string): string {
  return stored.startsWith(MARK) ? (JSON.parse(stored.slice(MARK.length)) as string) : stored;
}
