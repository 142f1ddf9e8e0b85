/** One line that says what a tool is for. */

import { cutText } from '@holdfast/kernel';
import { ToolRegistryOptionError } from './errors.js';

const DEFAULT_MAX_LENGTH = 100;
/** Words that carry a full stop and do not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|ca|approx|incl|resp|no|fig|dr|mr|mrs|st|[a-z])\.$/i;
const SENTENCE_END = /[.!?]+["')\]]?(?=\s|$)|[。！？]/g;
/** A blank line, or a line that begins a list, a heading or a quotation. */
const PARAGRAPH_END = /\n\s*\n|\n\s*(?:[-*#>•]|\d+[.)])\s/;

/**
 * The first sentence of a description on one line, at most `maxLength` UTF-16 code units (default 100). A longer one is
 * cut, between words if it can be and never inside a character, and ends in `…`. Empty for a blank description.
 *
 * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` when `maxLength` is not a positive integer
 */
export function toolDiscoveryHint(description: string, maxLength: number = DEFAULT_MAX_LENGTH): string {
  if (!Number.isInteger(maxLength) || maxLength < 1) {
    throw new ToolRegistryOptionError('maxLength', 'a positive integer', maxLength);
  }
  // Blanks can be collapsed away, so more than the limit is read; a text without end is not.
  const beginning = cutText(description.trimStart(), maxLength * 4 + 400);
  const paragraph = beginning.split(PARAGRAPH_END, 1)[0] ?? '';
  const line = paragraph.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return shorten(firstSentence(line), maxLength);
}

function firstSentence(line: string): string {
  for (const end of line.matchAll(SENTENCE_END)) {
    const sentence = line.slice(0, end.index + end[0].length);
    if (!ABBREVIATION.test(sentence)) return sentence;
  }
  return line;
}

function shorten(sentence: string, maxLength: number): string {
  if (sentence.length <= maxLength) return sentence;
  const cut = cutText(sentence, maxLength - 1);
  const blank = cut.lastIndexOf(' ');
  return `${(blank > maxLength / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}
