/** Text for a terminal: widths, padding, cutting. */
import { stripVTControlCharacters } from 'node:util';

// Characters that take two columns: CJK, Hangul, full-width forms, and most emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const ZERO = /[\p{Mn}\p{Cf}]/u;

/** How many columns a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += widthOf(character);
  return width;
}

/** The text in exactly `width` columns: filled up with blanks, or cut with an ellipsis. Takes no colour codes. */
export function fit(text: string, width: number): string {
  const clean = oneLine(text);
  const taken = displayWidth(clean);
  if (taken <= width) return clean + ' '.repeat(width - taken);
  let kept = '';
  let used = 0;
  for (const character of clean) {
    if (used + widthOf(character) > width - 1) break;
    kept += character;
    used += widthOf(character);
  }
  return `${kept}…${' '.repeat(Math.max(0, width - 1 - used))}`;
}

/** File names and model text may hold anything; what moves the cursor becomes a blank. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

function widthOf(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Digits in groups of three, the same in every locale. */
export function group(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
