/** The one shape into which every dialect reads its chunks. */

import type { ToolCallPiece } from '../piece.js';

/** Who runs a call: the host, or the provider itself (such as its own web search). */
export type CallRunner = 'host' | 'provider';

/**
 * What a chunk of a provider's stream says of tool calls.
 *
 * - `turn-start`: a reply begins, and with it new calls and new indexes.
 * - `piece`: what `ingest` takes.
 * - `whole`: the provider's last word on a call's arguments, all of them.
 * - `call-end`: no more pieces of a call will come.
 * - `turn-end`: the reply is over. `reason` is the provider's, in the words that `finish` knows.
 *
 * `source` names the reply where several stream side by side.
 */
export type DialectEvent =
  | { readonly kind: 'turn-start'; readonly source?: string | undefined }
  | { readonly kind: 'piece'; readonly piece: ToolCallPiece; readonly ranBy?: CallRunner }
  | {
      readonly kind: 'whole';
      readonly piece: ToolCallPiece & { readonly args: string };
      readonly ranBy?: CallRunner;
    }
  | { readonly kind: 'call-end'; readonly id?: string | undefined; readonly index?: number | undefined }
  | { readonly kind: 'turn-end'; readonly reason?: string | undefined; readonly source?: string | undefined };

/** Reads one chunk. What says nothing of tool calls gives an empty list; nothing is thrown for what a provider sent. */
export type DialectReader<Chunk> = (chunk: Chunk) => readonly DialectEvent[];
