/** Works on JSON as text, so that digits, blanks, key order and repeated keys stay as they were written. */

const QUOTE = 34;
const BACKSLASH = 92;

/** One string in a JSON text: `text.slice(start, end)` is the string with its quotes. */
interface JsonString {
  readonly start: number;
  readonly end: number;
}

/** The value of a JSON text; `undefined` when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Tells whether a text is a JSON object or array. */
export function isJsonContainer(text: string): boolean {
  const first = text[skipBlanks(text, 0)];
  return (first === '{' || first === '[') && typeof parseJson(text) === 'object';
}

/** Position of the first character at or after `from` that is not a JSON blank. */
export function skipBlanks(text: string, from: number): number {
  let position = from;
  while (isBlank(text.charCodeAt(position))) position++;
  return position;
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}

/** The strings of a text that is known to be JSON, keys included; in order. */
export function* jsonStrings(text: string): Generator<JsonString> {
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = stringEnd(text, start);
    yield { start, end };
    start = text.indexOf('"', end);
  }
}

/** The strings that are values, not keys, of a text that is known to be JSON; in order. */
export function* jsonStringValues(text: string): Generator<JsonString> {
  for (const string of jsonStrings(text)) if (text[skipBlanks(text, string.end)] !== ':') yield string;
}

/** Position behind the string, number or literal that begins at `start`. */
export function scalarEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return stringEnd(text, start);
  let end = start;
  while (end < text.length && !',]} \n\r\t'.includes(text.charAt(end))) end++;
  return end;
}

/** Position behind the closing quote of the string that opens at `start`. */
export function stringEnd(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position++) {
    const unit = text.charCodeAt(position);
    if (unit === BACKSLASH) position++;
    else if (unit === QUOTE) return position + 1;
  }
  return text.length;
}
