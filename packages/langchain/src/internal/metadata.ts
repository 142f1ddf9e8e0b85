/** What Holdfast remembers in a message's `response_metadata`: checkpoints keep it and models never see it. */

import { getOwn, isPlainObject } from '@holdfast/kernel';
import type { BaseMessage } from '@langchain/core/messages';

/** The key in `response_metadata`. Part of the stored format. */
const METADATA_KEY = 'holdfast';

/** What a tool message remembers of its call. Part of the stored format. */
export interface CallRecord {
  /** The run that made the call. */
  readonly run?: string;
  /** The reference key of the output, such as `tool0turn2`. */
  readonly ref?: string;
  /** Where the reference is valid. */
  readonly scope?: string;
  /** The raw output, also where the content is a preview; of one above the registry's limit what the registry keeps. */
  readonly output?: string;
  /** What became of the call. */
  readonly decision?: string;
  /** The receipt's attempt. */
  readonly attempt?: number;
  /** Present when the receipt holds a result, so that the next identical call is another one. */
  readonly settled?: SettledCall;
  /** Names of the tools that this call made available. */
  readonly activated?: readonly string[];
}

/** A call by its content, and which of the run's identical calls it was. */
export interface SettledCall {
  readonly toolName: string;
  readonly argsHash: string;
  /** From 0. */
  readonly occurrence: number;
}

/** What a model's reply remembers. Part of the stored format. */
export interface ReplyRecord {
  /** By call id: why the call cannot run. */
  readonly broken?: Readonly<Record<string, string>>;
}

/** Reads a tool message's record. Fields of another type than the format's are left out. */
export function readCallRecord(message: BaseMessage): CallRecord {
  const stored = readRecord(message);
  const record: { -readonly [K in keyof CallRecord]: CallRecord[K] } = {};
  for (const field of ['run', 'ref', 'scope', 'output', 'decision'] as const) {
    const value = getOwn(stored, field);
    if (typeof value === 'string') record[field] = value;
  }
  const attempt = getOwn(stored, 'attempt');
  if (isCount(attempt)) record.attempt = attempt;
  const settled = readSettled(getOwn(stored, 'settled'));
  if (settled !== undefined) record.settled = settled;
  const activated = getOwn(stored, 'activated');
  if (Array.isArray(activated)) record.activated = activated.filter((name) => typeof name === 'string');
  return record;
}

/** Why a call of a reply cannot run, or `undefined` when nothing is known against it. */
export function brokenCallReason(reply: BaseMessage, callId: string | undefined): string | undefined {
  const broken = getOwn(readRecord(reply), 'broken');
  if (callId === undefined || !isPlainObject(broken)) return undefined;
  const reason = getOwn(broken, callId);
  return typeof reason === 'string' ? reason : undefined;
}

/** A copy of `metadata` with the record added. */
export function withRecord(
  metadata: Record<string, unknown> | undefined,
  record: CallRecord | ReplyRecord,
): Record<string, unknown> {
  return { ...metadata, [METADATA_KEY]: record };
}

function readSettled(value: unknown): SettledCall | undefined {
  if (!isPlainObject(value)) return undefined;
  const { toolName, argsHash, occurrence } = value;
  if (typeof toolName !== 'string' || typeof argsHash !== 'string' || !isCount(occurrence)) return undefined;
  return { toolName, argsHash, occurrence };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function readRecord(message: BaseMessage): Record<string, unknown> {
  const stored = getOwn(message.response_metadata ?? {}, METADATA_KEY);
  return isPlainObject(stored) ? stored : {};
}
