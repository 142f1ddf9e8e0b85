/** Text that goes to the model in a refusal: bounded, and what was cut is said. */

import { cutText } from '@holdfast/kernel';

/** The most that a failed call may tell the model, in UTF-16 code units. */
const MAX_ERROR_LENGTH = 2_000;

/** Cuts a text to a limit, the note about the cut included. */
export function boundText(text: string, limit: number = MAX_ERROR_LENGTH): string {
  if (text.length <= limit) return text;
  const room = limit - 40;
  const kept = cutText(text, room);
  return `${kept}… [${text.length - kept.length} more characters]`;
}

/** One line out of any text, cut to a limit. */
export function boundLine(text: string, limit: number): string {
  return boundText(
    // Blanks can be collapsed away, so more than the limit is read; a text without end is not.
    cutText(text, limit * 4 + 100)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    limit,
  );
}

/** A name from a model, quoted, so that its blanks and quotes stay inside. */
export function quoteName(name: unknown): string {
  const text = typeof name === 'string' ? name : String(typeof name);
  return JSON.stringify(text.length <= 80 ? text : `${cutText(text, 80)}…`);
}

/** Readable text for whatever a tool has thrown, without its stack. Never throws. */
export function describeThrown(error: unknown): string {
  try {
    if (typeof error === 'string') return boundText(error === '' ? 'an empty error' : error);
    if (typeof error !== 'object' || error === null) return boundText(String(error));
    const { message, name } = error as { message?: unknown; name?: unknown };
    if (typeof message === 'string' && message !== '') return boundText(message);
    if (error instanceof Error && typeof name === 'string') return boundText(name);
    return boundText(JSON.stringify(error) ?? 'an error without a message');
  } catch {
    return 'an error that cannot be read';
  }
}
