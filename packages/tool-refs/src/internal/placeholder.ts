/** Finds placeholders in text by hand: linear on any text, and several times faster than a regular expression. */

/** What every placeholder begins with. */
export const OPENING = '{{tool';
const MIDDLE = 'turn';
const MAX_DIGITS = 15;
const ZERO = 48;
const NINE = 57;
const HASH = 35;
const BRACE_OPENS = 123;
const BRACE_CLOSES = 125;

/** Length of `{{tool0turn0}}`: no shorter text can hold a placeholder. */
export const SHORTEST = 14;

/** One placeholder: `text.slice(start, end)` is `{{reference}}`. */
export interface Placeholder {
  /** What stands between the braces: the key, and behind a `#` the pointer if there is one. */
  readonly reference: string;
  readonly key: string;
  readonly pointer: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The first placeholder at or after `from`. It accepts exactly what `TOOL_OUTPUT_REF_PATTERN` matches. */
export function nextPlaceholder(text: string, from: number): Placeholder | undefined {
  if (text.length - from < SHORTEST) return undefined;
  // An opening cannot begin inside another one, so the search goes on behind it.
  for (let start = text.indexOf(OPENING, from); start !== -1; start = text.indexOf(OPENING, start + OPENING.length)) {
    const keyEnd = endOfKey(text, start);
    const end = keyEnd === -1 ? -1 : endOfPointer(text, keyEnd);
    if (end === -1) continue;
    const reference = text.slice(start + 2, end);
    const key = end === keyEnd ? reference : text.slice(start + 2, keyEnd);
    return { reference, key, pointer: end === keyEnd ? undefined : text.slice(keyEnd + 1, end), start, end: end + 2 };
  }
  return undefined;
}

/** Tells whether a text is a reference as it stands between the braces of a placeholder. */
export function isReference(text: string): boolean {
  return nextPlaceholder(`{{${text}}}`, 0)?.reference === text;
}

function endOfKey(text: string, start: number): number {
  const turn = numberEnd(text, start + OPENING.length);
  return turn !== -1 && startsMiddle(text, turn) ? numberEnd(text, turn + MIDDLE.length) : -1;
}

/** Character by character, since it is a part of nearly every call that finds something. */
function startsMiddle(text: string, at: number): boolean {
  for (let index = 0; index < MIDDLE.length; index++) {
    if (text.charCodeAt(at + index) !== MIDDLE.charCodeAt(index)) return false;
  }
  return true;
}

/**
 * Position of the closing braces behind a key that ends at `keyEnd`, and behind its pointer. Braces inside a pointer
 * stand in pairs, as in the paths of an OpenAPI document, so that a third closing brace is text behind a placeholder.
 */
function endOfPointer(text: string, keyEnd: number): number {
  const hasPointer = text.charCodeAt(keyEnd) === HASH;
  for (let at = hasPointer ? nextBrace(text, keyEnd + 1) : keyEnd; at < text.length; at = nextBrace(text, at + 1)) {
    if (text.charCodeAt(at) === BRACE_CLOSES) return text.charCodeAt(at + 1) === BRACE_CLOSES ? at : -1;
    if (!hasPointer) return -1;
    at = nextBrace(text, at + 1);
    if (text.charCodeAt(at) !== BRACE_CLOSES) return -1;
  }
  return -1;
}

/** A reference stops at the next pair of opening braces at the latest, so no text is read twice. */
function nextBrace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== BRACE_OPENS && text.charCodeAt(at) !== BRACE_CLOSES) at++;
  return at;
}

/** End of the number without leading zeros that starts at `start`; -1 when there is none. */
function numberEnd(text: string, start: number): number {
  let end = start;
  while (end - start <= MAX_DIGITS && isDigit(text.charCodeAt(end))) end++;
  const digits = end - start;
  if (digits === 0 || digits > MAX_DIGITS) return -1;
  return digits > 1 && text.charCodeAt(start) === ZERO ? -1 : end;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}
