import { cutPosition, describeValue } from '@holdfast/kernel';
import { ToolReferenceArgumentError } from './errors.js';
import { ownCopy } from './internal/clip.js';

/** Shortest preview that can still say what it leaves out. */
const SHORTEST = 80;

/** Share of the room that the beginning of the text gets. */
const HEAD_SHARE = 2 / 3;

/**
 * The beginning and the end of a long text, with a line between them that says how much was left out. A text of at
 * most `limit` UTF-16 code units comes back whole; a preview is never longer than `limit`. It is cut between lines
 * where that costs less than half of either part, and never inside a surrogate pair.
 *
 * @param limit At least 80.
 * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for a limit that is not a whole number
 * of at least 80.
 */
export function previewOutput(text: string, limit: number): string {
  if (!Number.isSafeInteger(limit) || limit < SHORTEST) {
    throw new ToolReferenceArgumentError(
      `limit: expected a whole number of at least ${SHORTEST}, got ${describeValue(limit)}. A shorter preview could not say what it leaves out.`,
      'limit',
      limit,
    );
  }
  if (text.length <= limit) return text;
  // The real line is no longer than this one, whose numbers are the largest possible.
  const room = limit - leftOutLine(text.length, text.length).length - 2;
  const headRoom = Math.floor(room * HEAD_SHARE);
  const headEnd = endOfHead(text, headRoom);
  const tailStart = startOfTail(text, text.length - (room - headRoom));
  const head = text.slice(0, headEnd);
  const line = leftOutLine(tailStart - headEnd, countLineBreaks(text, headEnd, tailStart));
  return ownCopy(`${head}${head.endsWith('\n') ? '' : '\n'}${line}\n${text.slice(tailStart)}`);
}

function leftOutLine(characters: number, lines: number): string {
  return `[… ${characters} characters${lines === 0 ? '' : `, ${lines} lines`} left out …]`;
}

function endOfHead(text: string, limit: number): number {
  const end = cutPosition(text, limit);
  const lineEnd = text.lastIndexOf('\n', end - 1) + 1;
  return lineEnd * 2 > end ? lineEnd : end;
}

function startOfTail(text: string, limit: number): number {
  const start = cutPosition(text, limit) === limit ? limit : limit + 1;
  const lineStart = text.indexOf('\n', start - 1) + 1;
  return lineStart > 0 && (lineStart - start) * 2 < text.length - start ? lineStart : start;
}

function countLineBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
