/** What the text of a tool result says about success. */

import { getOwn, isPlainObject } from '@holdfast/kernel';

/**
 * Reads the JSON that memory tools return, `{ ok, error?, path? }`.
 *
 * `ok: false` is a failure; JSON without `ok` is a failure only with a non-empty string `error` at top level; anything
 * else, text that is not JSON included, is a success. An `error` that is no string is given as JSON, and left out when
 * it is nested too deeply to write. Never throws.
 */
export function parseToolResult(raw: string): { ok: boolean; error?: string; path?: string } {
  const result = parseObject(raw);
  if (result === undefined) return { ok: true };
  const path = getOwn(result, 'path');
  const known = typeof path === 'string' ? { path } : {};
  if (!isFailure(result)) return { ok: true, ...known };
  const error = errorText(getOwn(result, 'error'));
  return { ok: false, ...(error !== undefined && { error }), ...known };
}

function errorText(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  if (error === undefined || error === null) return undefined;
  try {
    return JSON.stringify(error);
  } catch {
    // JSON.parse reads deeper nesting than JSON.stringify can write.
    return undefined;
  }
}

function parseObject(raw: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFailure(result: Record<string, unknown>): boolean {
  if (Object.hasOwn(result, 'ok')) return result['ok'] === false;
  const error = getOwn(result, 'error');
  return typeof error === 'string' && error !== '';
}
