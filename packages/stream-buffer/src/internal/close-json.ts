/** Makes valid JSON of a text that stops early or breaks. */

import type { JsonScanner } from './json-scanner.js';

/** The longest part of the text that closing marks complete, plus those marks; `{}` when there is no such part. */
export function closeJson(raw: string, scanner: JsonScanner): string {
  const { closing } = scanner;
  if (closing === undefined) return '{}';
  return escapeFlaws(raw, closing.end, scanner.flaws) + closing.suffix;
}

/** Writes the faults inside strings as JSON writes what they were read as. */
function escapeFlaws(raw: string, end: number, flaws: readonly number[]): string {
  let text = '';
  let copied = 0;
  for (const position of flaws) {
    if (position >= end) break;
    text += raw.slice(copied, position);
    text += JSON.stringify(raw.charAt(position)).slice(1, -1);
    copied = position + 1;
  }
  return text + raw.slice(copied, end);
}
