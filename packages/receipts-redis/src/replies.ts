/** Receipts as scripts answer them. */

import type { ReceiptEvidence } from '@holdfast/receipts';
import { decodeStoredText, type ReceiptRow } from '@holdfast/receipts/store';
import { RedisReplyError, RedisSchemaError } from './redis-errors.js';

/** The version of the stored format: field names, values, key names. */
export const SCHEMA_VERSION = 1;

const STATUSES = new Set<unknown>(['running', 'completed', 'failed', 'ambiguous', 'rejected']);

/** A list of texts and nothings, or a refusal. Some hosts have their client answer numbers as text, so both pass. */
export function listOf(reply: unknown): readonly unknown[] {
  if (!Array.isArray(reply)) throw new RedisReplyError('a list');
  return reply;
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new RedisReplyError('text');
  return value;
}

/** One of the words that a script answers with. */
export function wordOf<Word extends string>(reply: unknown, words: readonly Word[]): Word {
  const word = words.find((each) => each === reply);
  if (word === undefined) throw new RedisReplyError(words.join(' or '));
  return word;
}

export function numberOf(value: unknown): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) throw new RedisReplyError('a number');
  return number;
}

/**
 * The row out of status, attempt, effect, token, lease, text, evidence and resolved.
 *
 * @throws {RedisSchemaError} `ERR_HOLDFAST_REDIS_SCHEMA` for a status of a newer version.
 */
export function rowOf(fields: readonly unknown[]): ReceiptRow {
  const [status, attempt, effect, token, lease, text, evidence, resolved] = fields;
  if (!STATUSES.has(status)) throw new RedisSchemaError(`with status ${String(status)}`, SCHEMA_VERSION);
  const said = text === null || text === undefined ? null : decodeStoredText(textOf(text));
  return {
    status: status as ReceiptRow['status'],
    attempts: numberOf(attempt),
    effect: effect === 'resumable' ? 'resumable' : 'opaque',
    token: decodeStoredText(textOf(token)),
    leaseUntil: numberOf(lease),
    result: status === 'completed' ? said : null,
    error: status === 'completed' ? null : said,
    evidence: evidence === null || evidence === undefined ? null : evidenceOf(textOf(evidence)),
    resolved: resolved === '1',
  };
}

/** Evidence is stored as its kind, its attempt and its text, with colons between. */
function evidenceOf(stored: string): ReceiptEvidence {
  const [, kind, attempt, text] = /^(completed|failed):([^:]+):(.*)$/s.exec(stored) ?? [];
  if (kind === undefined) throw new RedisReplyError('evidence');
  return { attempt: numberOf(attempt), kind: kind as ReceiptEvidence['kind'], text: decodeStoredText(text as string) };
}
