/** One page of a long text, with a first line that says where it stands and what is left. */

import { cutPosition } from '@holdfast/kernel';
import { type Line, LineCursor, parsePattern, TextSearch } from './text-search.js';

/** What of a text is read, and how much of it. */
interface PageRequest {
  /** How the text is called in the first line. */
  readonly name: string;
  /** Where the page begins, in UTF-16 code units. */
  readonly start: number;
  /** Most characters of the text that a page shows. */
  readonly size: number;
}

/** Longest line that a search shows whole, and how much of a longer one stands before what was found. */
const EXCERPT = 300;
const BEFORE_MATCH = 100;

/** Number of lines. A line break at the end begins no further one. */
export function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The text from `start` on. A page ends with a whole line where that costs less than half of it. */
export function readPage(text: string, { name, start: wanted, size }: PageRequest): string {
  const start = cutPosition(text, wanted);
  const end = endOfPage(text, start, size);
  const lines = new LineCursor(text);
  const first = lines.lineAt(start).number;
  const last = lines.lineAt(Math.max(start, end - 1)).number;
  const left =
    end < text.length ? `${text.length - end} characters left; next page: character ${end}` : 'this is the end';
  const place = `lines ${first} to ${last} of ${countLines(text)}, characters ${start} to ${end} of ${text.length}`;
  return `[${name}: ${place}; ${left}]\n${text.slice(start, end)}`;
}

function endOfPage(text: string, start: number, size: number): number {
  if (start + size >= text.length) return text.length;
  const end = cutPosition(text, start + size);
  const lineEnd = text.lastIndexOf('\n', end - 1) + 1;
  return (lineEnd - start) * 2 > size ? lineEnd : end;
}

/** The places from `start` on where a pattern matches: whole lines with their numbers, or parts of long lines. */
export function readMatches(text: string, pattern: string, { name, start, size }: PageRequest): string {
  const search = new TextSearch(text, parsePattern(pattern));
  let shown = '';
  let shownCount = 0;
  let count = 0;
  let nextPage: number | undefined;
  let from = start;
  let shownEnd = 0;
  for (let match = search.next(from); match; match = search.next(from)) {
    const excerpt = excerptOf(text, match.start, match.line, shownEnd);
    count++;
    shownEnd = excerpt.end;
    from = excerpt.end + (excerpt.end === match.line.end ? 1 : 0);
    if (nextPage !== undefined) continue;
    const written = `${excerpt.label}: ${text.slice(excerpt.start, excerpt.end)}\n`;
    // The smallest page has room for one excerpt.
    if (shown.length + written.length > size) {
      nextPage = match.start;
    } else {
      shown += written;
      shownCount++;
    }
  }
  const where = start > 0 ? ` from character ${start} on` : '';
  const left =
    nextPage === undefined ? '' : `, ${shownCount} shown; next page: the same pattern and character ${nextPage}`;
  return `[${name}: ${count} ${count === 1 ? 'place matches' : 'places match'} ${JSON.stringify(pattern)}${where}${left}]\n${shown}`;
}

/** The line of a match, or as much of it as makes sense. What was shown before is not shown again. */
function excerptOf(text: string, match: number, line: Line, shownEnd: number) {
  if (line.end - line.start <= EXCERPT) return { label: `line ${line.number}`, start: line.start, end: line.end };
  const start = cutPosition(text, Math.max(line.start, match - BEFORE_MATCH, shownEnd));
  const end = cutPosition(text, Math.min(line.end, start + EXCERPT));
  return { label: `line ${line.number}, characters ${start} to ${end}`, start, end };
}
