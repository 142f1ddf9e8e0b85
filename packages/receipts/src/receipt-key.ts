/** What identifies a tool call: its content, never its position or the provider's call id. */

import { describeValue, HoldfastError } from '@holdfast/kernel';

/**
 * What identifies a tool call across retries. All four parts are required: without `tenantId` a key cannot be
 * partitioned by tenant, and without `toolName` any two calls of a run that take no arguments are the same call.
 */
export interface ToolCallReceiptKey {
  readonly tenantId: string;
  readonly runId: string;
  readonly toolName: string;
  /** From {@link toolCallArgsHash}. */
  readonly argsHash: string;
}

/** A part of a receipt key is missing or not a string. `part` names it. */
export class ReceiptKeyError extends HoldfastError {
  override readonly name = 'ReceiptKeyError';
  readonly code = 'ERR_HOLDFAST_RECEIPT_KEY';
  readonly part: keyof ToolCallReceiptKey;

  constructor(part: keyof ToolCallReceiptKey, value: unknown) {
    super(`A receipt key needs ${part} as a string, and got ${describeValue(value)}. All four parts identify a call.`);
    this.part = part;
  }
}

/** The order of the parts in the stored text. */
const PARTS = ['tenantId', 'runId', 'toolName', 'argsHash'] as const;

/**
 * Renders a key as one opaque string, for a store without composite keys. A host with a composite primary key uses
 * the four parts instead.
 *
 * Each part is written as its length in UTF-16 code units, a colon and the part, so no value can impersonate a
 * boundary: different keys always give different strings. The text is a stored format.
 *
 * @throws {ReceiptKeyError} `ERR_HOLDFAST_RECEIPT_KEY` when a part is not a string.
 */
export function toolCallReceiptKeyString(key: ToolCallReceiptKey): string {
  let text = '';
  for (const name of PARTS) {
    const part: unknown = key?.[name];
    if (typeof part !== 'string') throw new ReceiptKeyError(name, part);
    text += `${part.length}:${part}`;
  }
  return text;
}

/**
 * Copies the four parts into an object that does not change.
 *
 * @throws {ReceiptKeyError} `ERR_HOLDFAST_RECEIPT_KEY` when a part is not a string.
 */
export function copyReceiptKey(key: ToolCallReceiptKey): ToolCallReceiptKey {
  const { tenantId, runId, toolName, argsHash } = key ?? ({} as Partial<ToolCallReceiptKey> as ToolCallReceiptKey);
  const copy = Object.freeze({ tenantId, runId, toolName, argsHash });
  toolCallReceiptKeyString(copy);
  return copy;
}
