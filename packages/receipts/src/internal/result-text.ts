/**
 * The text under which a value is kept. Stored format: the serialised value itself, or a marked form for what is kept
 * elsewhere, not kept, or `undefined`.
 */

import { ReceiptOptionError } from '../execute-once-errors.js';
import type { ResultKept } from '../execute-once-outcome.js';
import type { ToolCallReceiptKey } from '../receipt-key.js';
import type { Settings } from './settings.js';

const MARK = '@holdfast:';
const UNDEFINED = `${MARK}undefined`;
const INLINE = `${MARK}inline:`;
const OFFLOADED = `${MARK}offloaded:`;
const OMITTED = `${MARK}omitted:`;

const MAX_REFERENCE_CHARS = 4_000;

export interface EncodedValue {
  readonly text: string;
  readonly kept: ResultKept;
}

/** A value read back, or the news that it was not kept. */
export type DecodedValue = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'omitted' };

/** Renders a value for the store. Never rejects: what has happened must be recorded, with its value or without. */
export async function encodeValue(
  value: unknown,
  key: ToolCallReceiptKey,
  settings: Settings<unknown>,
): Promise<EncodedValue> {
  if (value === undefined) return { text: UNDEFINED, kept: { kind: 'inline' } };
  let text: unknown;
  try {
    text = settings.serialize(value);
  } catch (cause) {
    return omitted('not-serializable', cause);
  }
  if (typeof text !== 'string') return omitted('not-serializable');
  if (text.length > settings.maxResultChars) return offload(text, key, settings);
  return { text: text.startsWith(MARK) ? `${INLINE}${text}` : text, kept: { kind: 'inline' } };
}

/** Reads what {@link encodeValue} wrote. Text without a mark is a serialised value, so that people can write it too. */
export async function decodeValue(
  text: string,
  key: ToolCallReceiptKey,
  settings: Settings<unknown>,
): Promise<DecodedValue> {
  if (text === UNDEFINED) return { kind: 'value', value: undefined };
  if (text.startsWith(OMITTED)) return { kind: 'omitted' };
  if (text.startsWith(OFFLOADED)) {
    if (settings.offload === undefined) {
      throw new ReceiptOptionError('offload', undefined, 'the hook that saved the result of this call');
    }
    const loaded = await settings.offload.load(text.slice(OFFLOADED.length), key);
    return { kind: 'value', value: read(loaded, settings) };
  }
  const inline = text.startsWith(INLINE) ? text.slice(INLINE.length) : text;
  return { kind: 'value', value: read(inline, settings) };
}

/** A person, or a host with another `serialize`, may have recorded what this one cannot read. */
function read(text: string, { deserialize }: Settings<unknown>): unknown {
  try {
    return deserialize(text);
  } catch (cause) {
    const expected = 'able to read what is recorded of this call, which has happened (the cause says why it is not)';
    throw new ReceiptOptionError('deserialize', deserialize, expected, cause);
  }
}

async function offload(text: string, key: ToolCallReceiptKey, settings: Settings<unknown>): Promise<EncodedValue> {
  if (settings.offload === undefined) return omitted('too-large');
  try {
    const reference: unknown = await settings.offload.save(text, key);
    if (typeof reference !== 'string' || reference.length > MAX_REFERENCE_CHARS) {
      throw new ReceiptOptionError(
        'offload.save',
        reference,
        `a reference of at most ${MAX_REFERENCE_CHARS} characters`,
      );
    }
    return { text: `${OFFLOADED}${reference}`, kept: { kind: 'offloaded' } };
  } catch (cause) {
    return omitted('offload-failed', cause);
  }
}

function omitted(reason: (ResultKept & { kind: 'omitted' })['reason'], cause?: unknown): EncodedValue {
  const kept = { kind: 'omitted', reason, ...(cause !== undefined && { cause }) } as const;
  return { text: `${OMITTED}${reason}`, kept };
}
