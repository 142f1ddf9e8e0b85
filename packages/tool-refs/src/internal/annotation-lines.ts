/** The lines that stand before and behind an output, and how an output that imitates them is told apart. */

import { buildReferencePrefix } from '../reference-key.js';

/** Stands for the key or the list where an output has none of its own but imitates one. */
export const NONE = 'none';

/** Blanks and characters without a width. These and case are taken loosely, as a model takes them. */
const UNSEEN = /[\s\p{Cf}]/u;
const IMITATES_BEFORE = /^[\s\p{Cf}]*\[[\s\p{Cf}]*ref[\s\p{Cf}]*:/iu;
const IMITATES_BEHIND = /^[\s\p{Cf}]*\[[\s\p{Cf}]*unresolved[\s\p{Cf}_-]*refs[\s\p{Cf}]*:/iu;

/** What ends a line for some readers; for others `\n` alone does. */
const LINE_BREAKS = ['\n', '\r', '\u0085', '\u2028', '\u2029'];

/** The line before an output; `undefined` when it has no key and looks like nothing else. */
export function lineBefore(output: string, key: string | undefined): string | undefined {
  if (key !== undefined) return buildReferencePrefix(oneLine(key));
  return IMITATES_BEFORE.test(output) ? buildReferencePrefix(NONE) : undefined;
}

/** The line behind an output; `undefined` when nothing is unresolved and the output looks like nothing else. */
export function lineBehind(output: string, unresolved: readonly string[]): string | undefined {
  if (unresolved.length > 0) return `[unresolved refs: ${unresolved.map(quoteOdd).join(', ')}]`;
  const imitates = [['\n'], LINE_BREAKS].some((breaks) => IMITATES_BEHIND.test(lastLineOf(output, breaks)));
  return imitates ? `[unresolved refs: ${NONE}]` : undefined;
}

/** The last line in which there is something to see. */
function lastLineOf(output: string, breaks: readonly string[]): string {
  let end = output.length;
  while (end > 0 && UNSEEN.test(output.charAt(end - 1))) end--;
  const start = Math.max(...breaks.map((lineBreak) => output.slice(0, end).lastIndexOf(lineBreak)));
  return output.slice(start + 1, end);
}

/** A pointer can hold any text. Where that could be taken for the end of the list or more than it, it is quoted. */
function quoteOdd(reference: string): string {
  return /[\s\],"\p{Cc}\p{Cf}]/u.test(reference) ? oneLine(JSON.stringify(reference)) : reference;
}

/** A key from a host can be any text; inside a line it must not begin another one. */
function oneLine(key: string): string {
  return key.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ');
}
