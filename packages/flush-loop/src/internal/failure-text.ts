/** Failures as text that a model can read: no stacks, always valid JSON. */

import { cutText } from '@holdfast/kernel';
import { writeJson } from './json-text.js';

const MAX_ERROR_CHARS = 4_000;
/** A line of a stack, told from prose by the position at its end. */
const stackLine = /\n[ \t]+at [^\n]*:\d+:\d+\)?(?=\n|$)/g;

/** The answer to a failed or refused call. */
export function failureText(error: string): string {
  return JSON.stringify({ ok: false, error });
}

/** Readable words for a thrown value of any kind, of any length. Never throws. */
export function describeThrown(thrown: unknown): string {
  try {
    return describe(thrown).replace(stackLine, '') || 'The tool failed and gave no reason.';
  } catch {
    return 'The tool threw a value that cannot be read.';
  }
}

/** Cuts the reason of a failure and says so. */
export function boundError(error: string): string {
  if (error.length <= MAX_ERROR_CHARS) return error;
  const kept = cutText(error, MAX_ERROR_CHARS);
  return `${kept}… (${error.length - kept.length} more characters)`;
}

/** Tells whether a value is an error, of any realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

function describe(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  if (isError(thrown)) return describeError(thrown);
  if (typeof thrown === 'object' && thrown !== null) return `The tool threw ${writeJson(withoutStack(thrown))}`;
  return `The tool threw ${String(thrown)}.`;
}

function describeError({ name, message }: Error): string {
  const plainName = typeof name !== 'string' || name === 'Error' ? '' : name;
  return [plainName, message].filter((part) => typeof part === 'string' && part !== '').join(': ');
}

function withoutStack(thrown: object): object {
  if (!Object.hasOwn(thrown, 'stack')) return thrown;
  const { stack: _, ...rest } = thrown as { stack: unknown };
  return rest;
}
