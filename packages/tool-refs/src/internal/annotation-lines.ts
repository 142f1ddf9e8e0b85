/** The lines that stand before and behind an output, and how an output that imitates them is told apart. */

import { buildReferencePrefix } from '../reference-key.js';

/** Stands for the key or the list where an output has none of its own but imitates one. */
export const NONE = 'none';

/** The line before an output; `undefined` when it has no key and looks like nothing else. */
export function lineBefore(output: string, key: string | undefined): string | undefined {
  if (key !== undefined) return buildReferencePrefix(oneLine(key));
  // Blanks and case are taken loosely, as a model takes them.
  return /^\s*\[\s*ref\s*:/i.test(output) ? buildReferencePrefix(NONE) : undefined;
}

/** The line behind an output; `undefined` when nothing is unresolved and the output looks like nothing else. */
export function lineBehind(output: string, unresolved: readonly string[]): string | undefined {
  if (unresolved.length > 0) return `[unresolved refs: ${unresolved.map(oneLine).join(', ')}]`;
  const text = output.trimEnd();
  const lastLine = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
  return /^\s*\[\s*unresolved[\s_-]*refs\s*:/i.test(lastLine) ? `[unresolved refs: ${NONE}]` : undefined;
}

/** A key from a host can be any text; inside a line it must not begin another one. */
function oneLine(key: string): string {
  return key.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
