/** What the model is told about a call that did not run, or whose effect is in doubt. Stable text: models act on it. */

import { cutText } from '@holdfast/kernel';

/** Longest error text of a tool that the model is shown. */
const ERROR_LIMIT = 2_000;

/** A missing reference. */
export function unresolvedAnswer(toolName: string, unresolved: readonly string[]): string {
  return (
    `${toolName} was not run: its arguments name outputs that do not exist: ${unresolved.join(', ')}. ` +
    'Use only keys shown with earlier outputs (outputs of this same turn cannot be used yet), or pass the text itself.'
  );
}

/** A name that is no tool's, in the words of LangChain. */
export function unknownToolAnswer(toolName: string, known: readonly string[]): string {
  return `${unknownToolWords(toolName)}${known.join(', ')}].`;
}

/** Tells whether an answer, LangChain's or ours, says that there is no such tool. */
export function isUnknownToolAnswer(toolName: string, answer: unknown): boolean {
  return typeof answer === 'string' && answer.startsWith(unknownToolWords(toolName));
}

function unknownToolWords(toolName: string): string {
  return `Error: ${toolName} is not a valid tool, try one of [`;
}

/** Arguments that the tool's schema refuses. */
export function invalidAnswer(toolName: string, problem: string): string {
  return `${toolName} was not run: its arguments do not fit its schema.\n${cutText(problem, ERROR_LIMIT)}\nCorrect them and call again.`;
}

/** Arguments that no receipt can identify. */
export function unhashableAnswer(toolName: string, problem: string): string {
  return `${toolName} was not run: its arguments cannot be recorded. ${cutText(problem, ERROR_LIMIT)}`;
}

/** A call that was cut off or broken in the model's reply. */
export function brokenAnswer(toolName: string, reason: string): string {
  return `${toolName} was not run: ${reason} Send the call again, whole, as one JSON object; if it is long, split the work into smaller calls.`;
}

/** A tool that threw, where a repeat does no harm. */
export function failedAnswer(toolName: string, error: unknown): string {
  return `${toolName} failed: ${errorText(error)}`;
}

/** A tool that threw before its effect. */
export function cleanFailureAnswer(toolName: string, error: unknown): string {
  return `${toolName} failed and had no effect: ${errorText(error)}. It may be called again.`;
}

/** A tool that threw, and that goes on from its last step when it is called again. */
export function resumableFailureAnswer(toolName: string, error: unknown): string {
  return `${toolName} failed: ${errorText(error)}. Called again with the same arguments, it goes on from where it stopped.`;
}

/** A tool that threw, and nobody knows whether its effect took place. */
export function unknownFailureAnswer(toolName: string, error: unknown): string {
  return `${toolName} failed: ${errorText(error)}. ${IN_DOUBT}`;
}

/** An earlier attempt was interrupted. */
export function ambiguousAnswer(toolName: string): string {
  return `${toolName} was not run: an earlier attempt of this same call was interrupted. ${IN_DOUBT}`;
}

const IN_DOUBT =
  'Nobody knows whether it took effect, so it will not be repeated, and calling it again with the same arguments gives ' +
  'this answer again. Tell the user that a person must check it; go on with what does not depend on it.';

/** An effect whose result is no longer kept. */
export function goneAnswer(toolName: string): string {
  return `${toolName} has already been done by this same call, and its result is no longer kept. Do not repeat it; go on as if it had succeeded.`;
}

/** Another process is running the same call. */
export function busyAnswer(toolName: string): string {
  return `${toolName} was not run: another worker is running this same call right now. Do not repeat it in this turn; its result is not known yet.`;
}

/** An attempt failed for good. */
export function rejectedAnswer(toolName: string, error: string): string {
  return `${toolName} was refused for good: ${cutText(error, ERROR_LIMIT)}. Calling it again with the same arguments gives this answer again.`;
}

/** No attempts are left. */
export function exhaustedAnswer(toolName: string, attempts: number, error: string | undefined): string {
  const last = error === undefined ? '' : ` The last error was: ${cutText(error, ERROR_LIMIT)}.`;
  return `${toolName} was not run: all ${attempts} attempts of this call are used up.${last} Calling it again with the same arguments gives this answer again.`;
}

/** The attempt lost its lease while it ran. */
export function lostAnswer(toolName: string): string {
  return `${toolName} ran, but its lease ran out and another attempt or a person has taken this call over. ${IN_DOUBT}`;
}

/** An error's message without its stack, in a bounded length. */
export function errorText(error: unknown): string {
  let text: string;
  try {
    text = error instanceof Error && error.message !== '' ? error.message : String(error);
  } catch {
    text = 'an error without a message';
  }
  return cutText(text, ERROR_LIMIT).replace(/[.\s]+$/, '');
}
