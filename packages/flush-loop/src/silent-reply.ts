/** The token by which a model says that nothing is to be shown, and how a text that holds it is judged. */

import { isHighSurrogate } from '@holdfast/kernel';

/** What a model answers when it has nothing to say to the user. */
export const SILENT_REPLY_TOKEN = 'NO_REPLY';

/** Blanks, invisible format characters, punctuation, quotes and Markdown marks: what may stand around the token. */
const wrapper = /^[\s\p{Z}\p{Cf}\p{P}`´~+=<>|]$/u;

/**
 * Tells whether a reply says nothing but {@link SILENT_REPLY_TOKEN}: in any letter case, perhaps repeated, perhaps
 * wrapped in blanks, quotes, punctuation or Markdown marks. A letter, digit or symbol beside it makes the text a reply.
 */
export function isSilentReply(text: string): boolean {
  return scan(text) === 'silent';
}

/**
 * Tells whether a streamed text that begins with `prefix` can still turn out to be silent. Hold the text back while
 * this is `true`; once it is `false` it stays `false` for every longer text.
 */
export function couldBecomeSilent(prefix: string): boolean {
  return scan(prefix) !== 'speaks';
}

/**
 * Removes the lines at the start and at the end that are silent by themselves, with the blank lines between them and
 * the rest. A silent text becomes `''`; a token inside a sentence or between other lines stays; a text without such
 * lines comes back as it is.
 */
export function stripSilentToken(text: string): string {
  if (isSilentReply(text)) return '';
  const lines = text.split('\n');
  const end = lines.length - silentEdge([...lines].reverse());
  const start = silentEdge(lines);
  const kept = lines.slice(start, end).join('\n');
  return end < lines.length ? kept.replace(/\r$/, '') : kept;
}

/** `silent`: the token and nothing else. `open`: not yet, but a longer text could be. `speaks`: no longer text can be. */
function scan(text: string): 'silent' | 'open' | 'speaks' {
  let matched = 0;
  let tokens = 0;
  let offset = 0;
  for (const character of text) {
    offset += character.length;
    if (character.toUpperCase() === SILENT_REPLY_TOKEN[matched]) {
      matched += 1;
      if (matched === SILENT_REPLY_TOKEN.length) {
        matched = 0;
        tokens += 1;
      }
    } else if (matched > 0 || !wrapper.test(character)) {
      return matched === 0 && offset === text.length && isHalf(character) ? 'open' : 'speaks';
    }
  }
  return matched === 0 && tokens > 0 ? 'silent' : 'open';
}

/** Half a pair at the end of a streamed text may still become punctuation beyond the BMP. */
function isHalf(character: string): boolean {
  return character.length === 1 && isHighSurrogate(character.charCodeAt(0));
}

/** How many lines from the start are silent or blank and belong to a silent line. */
function silentEdge(lines: readonly string[]): number {
  let silent = false;
  let count = 0;
  for (const line of lines) {
    if (isSilentReply(line)) silent = true;
    else if (line.trim() !== '') break;
    count += 1;
  }
  return silent ? count : 0;
}
