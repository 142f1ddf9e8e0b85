/** Finds placeholders in text by hand: linear on any text, and several times faster than a regular expression. */

const OPENING = '{{tool';
const MIDDLE = 'turn';
const CLOSING = '}}';
const MAX_DIGITS = 15;
const ZERO = 48;
const NINE = 57;

/** Length of `{{tool0turn0}}`: no shorter text can hold a placeholder. */
const SHORTEST = 14;

/** One placeholder: `text.slice(start, end)` is `{{key}}`. */
export interface Placeholder {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The first placeholder at or after `from`. It accepts exactly what `TOOL_OUTPUT_REF_PATTERN` matches. */
export function nextPlaceholder(text: string, from: number): Placeholder | undefined {
  if (text.length - from < SHORTEST) return undefined;
  // An opening cannot begin inside another one, so the search goes on behind it.
  for (let start = text.indexOf(OPENING, from); start !== -1; start = text.indexOf(OPENING, start + OPENING.length)) {
    const end = placeholderEnd(text, start);
    if (end !== -1) return { key: text.slice(start + 2, end - 2), start, end };
  }
  return undefined;
}

function placeholderEnd(text: string, start: number): number {
  const turn = numberEnd(text, start + OPENING.length);
  if (turn === -1 || !text.startsWith(MIDDLE, turn)) return -1;
  const close = numberEnd(text, turn + MIDDLE.length);
  return close !== -1 && text.startsWith(CLOSING, close) ? close + CLOSING.length : -1;
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
