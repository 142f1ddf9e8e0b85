/** Checks what a host hands in, and leaves out what says nothing. */

import { StreamBufferPieceError } from '../errors.js';
import type { ToolCallPiece } from '../piece.js';

/** A piece without the parts that say nothing. */
export interface NamedPiece {
  readonly id: string | undefined;
  readonly index: number | undefined;
  readonly name: string | undefined;
  readonly text: string | undefined;
  readonly source: string | undefined;
  readonly sequence: number | undefined;
}

/** @param aliases - ids that stand for others. */
export function readPiece(piece: ToolCallPiece, aliases: ReadonlyMap<string, string>): NamedPiece {
  const { id, index, name, args, source, sequence } = piece;
  const about = typeof id === 'string' ? id : undefined;
  checkOptional(about, 'id', id, 'string');
  checkOptional(about, 'index', index, 'number');
  checkOptional(about, 'name', name, 'string');
  checkOptional(about, 'args', args, 'string');
  checkOptional(about, 'source', source, 'string');
  checkOptional(about, 'sequence', sequence, 'number');
  const realId = realText(id);
  return {
    id: realId === undefined ? undefined : (aliases.get(realId) ?? realId),
    index: index ?? undefined,
    name: realText(name),
    text: args ?? undefined,
    source: realText(source),
    sequence: sequence ?? undefined,
  };
}

/** What a provider writes for "none" is none. */
export function realText(text: string | null | undefined): string | undefined {
  return text == null || text === 'null' || text.trim() === '' ? undefined : text;
}

export function checkText(toolCallId: unknown, part: string, value: unknown): void {
  if (typeof value !== 'string') refuseText(toolCallId, part, value);
}

function refuseText(toolCallId: unknown, part: string, value: unknown): never {
  throw new StreamBufferPieceError(typeof toolCallId === 'string' ? toolCallId : undefined, part, 'a string', value);
}

export function checkNumber(toolCallId: string, part: string, value: unknown): void {
  if (!Number.isFinite(value)) throw new StreamBufferPieceError(toolCallId, part, 'a number', value);
}

/** Lets `null` and `undefined` pass. */
export function checkOptional(
  toolCallId: string | undefined,
  part: string,
  value: unknown,
  type: 'string' | 'number',
): void {
  if (value === undefined || value === null) return;
  if (type === 'number' ? Number.isFinite(value) : typeof value === type) return;
  throw new StreamBufferPieceError(toolCallId, part, `a ${type}`, value);
}
