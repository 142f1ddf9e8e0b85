/** Cutting text without halving a character. Lengths are UTF-16 code units. */

/** The longest prefix of at most `limit` code units that does not end inside a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, cutPosition(text, limit));
}

/** The last position at or before `position` that does not lie inside a surrogate pair. */
export function cutPosition(text: string, position: number): number {
  if (position <= 0) return 0;
  if (position >= text.length) return text.length;
  return isHighSurrogate(text.charCodeAt(position - 1)) && isLowSurrogate(text.charCodeAt(position))
    ? position - 1
    : position;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether no surrogate stands alone, which UTF-8 could not hold. Runtimes of before 2023 have no method for it. */
export function isWellFormed(text: string): boolean {
  const { isWellFormed: method } = text as { isWellFormed?(): boolean };
  return method === undefined ? !/\p{Surrogate}/u.test(text) : method.call(text);
}

/** The text with the replacement character in the place of each surrogate that stands alone: providers refuse those. */
export function toWellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Orders strings by UTF-16 code units, the same on every machine and locale. */
export function compareCodeUnits(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
