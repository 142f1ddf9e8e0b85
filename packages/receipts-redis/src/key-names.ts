/** Which Redis keys a receipt has. Names are a stored format. */

import { type ToolCallReceiptKey, toolCallReceiptKeyString } from '@holdfast/receipts';
import { decodeStoredText, encodeStoredText, ReceiptOptionError } from '@holdfast/receipts/store';

/**
 * Buckets per store. All keys of a bucket share a hash tag and so a cluster slot, which lets one script write a receipt
 * and its index entry. The receipts of a run share a bucket.
 */
export const BUCKETS = 128;

/** Index entries begin with the time of the first claim, in 13 digits, so that an index is in the order of time. */
const STAMP_CHARS = 13;

/** What a receipt is called in Redis. */
export interface ReceiptNames {
  /** The receipt's hash. */
  readonly receipt: string;
  /** The index of its bucket for receipts that still have something to drop. */
  readonly live: string;
}

/** The two indexes of a bucket: receipts as they were claimed, and those whose result is dropped. */
export interface Shelf {
  readonly live: string;
  readonly spent: string;
  receipt(text: string): string;
}

/** The key that holds the version of the stored format. */
export function schemaName(prefix: string): string {
  return `${prefix}:schema`;
}

export function shelfOf(prefix: string, bucket: number): Shelf {
  const tag = `${prefix}:{${bucket}}:`;
  return { live: `${tag}live`, spent: `${tag}spent`, receipt: (text) => tag + text };
}

/**
 * @throws {ReceiptKeyError} `ERR_HOLDFAST_RECEIPT_KEY` when a part of the key is not a string.
 */
export function namesOf(prefix: string, key: ToolCallReceiptKey): ReceiptNames {
  const text = keyText(key);
  const tag = `${prefix}:{${bucketOf(key.tenantId, key.runId)}}:`;
  return { receipt: tag + text, live: `${tag}live` };
}

/** What the texts of a tenant, or of a run of it, begin with: lengths keep a name from being another one's beginning. */
export function beginningOf(tenantId: string, runId?: string): string {
  const tenant = part(encodeStoredText(tenantId));
  return runId === undefined ? tenant : tenant + part(encodeStoredText(runId));
}

/** By FNV-1a over UTF-16 code units, so that it is the same in every process. */
export function bucketOf(tenantId: string, runId: string): number {
  const text = `${part(tenantId)}${runId}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return ((hash >>> 16) ^ hash) & (BUCKETS - 1);
}

/** The bucket of an index entry, and its key. */
export function readEntry(entry: string): { readonly key: ToolCallReceiptKey; readonly text: string } {
  const text = entry.slice(STAMP_CHARS);
  const parts = splitParts(text);
  if (!/^\d{13}$/.test(entry.slice(0, STAMP_CHARS)) || parts?.length !== 4) {
    throw new ReceiptOptionError('after', entry, 'the next of a page of this store');
  }
  const [tenantId, runId, toolName, argsHash] = parts.map(decodeStoredText) as [string, string, string, string];
  return { key: { tenantId, runId, toolName, argsHash }, text };
}

/**
 * Redis keeps bytes: a lone surrogate would not survive, so the parts are written as stored text. Most keys need none of
 * that, and are looked at once as a whole.
 */
function keyText(key: ToolCallReceiptKey): string {
  const text = toolCallReceiptKeyString(key);
  if (encodeStoredText(text) === text && !text.includes('\\json:')) return text;
  return toolCallReceiptKeyString({
    tenantId: encodeStoredText(key.tenantId),
    runId: encodeStoredText(key.runId),
    toolName: encodeStoredText(key.toolName),
    argsHash: encodeStoredText(key.argsHash),
  });
}

function part(text: string): string {
  return `${text.length}:${text}`;
}

function splitParts(text: string): string[] | undefined {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const colon = text.indexOf(':', at);
    const digits = text.slice(at, colon);
    if (colon < 0 || !/^\d{1,15}$/.test(digits)) return undefined;
    at = colon + 1 + Number(digits);
    if (at > text.length) return undefined;
    parts.push(text.slice(colon + 1, at));
  }
  return parts;
}
