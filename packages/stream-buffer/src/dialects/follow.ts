/** Follows the tool calls of a stream in a buffer, whatever the dialect, and tells of each call that is over. */

import type { ToolCallPiece } from '../piece.js';
import { StreamingToolCallBuffer } from '../streaming-tool-call-buffer.js';
import type { ToolCallVerdict } from '../verdict.js';
import type { CallRunner, DialectEvent, DialectReader } from './event.js';

export type { CallRunner, DialectEvent, DialectReader } from './event.js';

/** The parts of the buffer that following needs. */
export type FollowedBuffer = Pick<
  StreamingToolCallBuffer,
  'clear' | 'finish' | 'getIdByIndex' | 'getRawArgs' | 'getToolName' | 'ingest'
>;

/** A call that is over. */
export interface FinishedCall {
  readonly id: string;
  readonly name: string | undefined;
  /** `provider`: the provider runs the call itself; a host must not. */
  readonly ranBy: CallRunner;
  /** Of a call that the buffer refused (`maxCalls`): `truncated` at 0. Of those, 1,000 in a reply are told of. */
  readonly verdict: ToolCallVerdict;
  /**
   * The provider's last word says something else than the pieces that it streamed. The verdict is on the last word;
   * fields that were read while they streamed are not to be trusted.
   */
  readonly differs: boolean;
}

/** Takes the chunks of one stream, in order. */
export interface ToolCallFollower<Chunk> {
  /**
   * Takes a chunk and gives the calls that are over. A call that its provider says is over is given at once if its text
   * is whole; any other at the end of the reply, judged with the provider's reason. A call whose text changes after it
   * was given is given once more.
   */
  push(chunk: Chunk): FinishedCall[];
  /**
   * Call it when the stream ends, throws or is given up. Calls that no end of a reply has come for were cut: their
   * reason is `reason`, by default `'incomplete'`.
   */
  end(reason?: string): FinishedCall[];
}

/**
 * Follows a stream in a buffer. The buffer can be read at any time; follow long fields by `onFieldDelta` or
 * `takeFieldDelta`.
 *
 * Where a dialect says that a new reply begins, the calls of earlier replies are cleared from the buffer, except while
 * another reply streams beside it. Other dialects want a follower and a buffer (or `clearAll`) for each reply.
 */
export function followToolCalls<Chunk>(buffer: FollowedBuffer, read: DialectReader<Chunk>): ToolCallFollower<Chunk> {
  const follower = new Follower(buffer);
  return {
    push: (chunk) => (isObject(chunk) ? read(chunk) : []).flatMap((event) => follower.take(event)),
    end: (reason = 'incomplete') => follower.end(reason),
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

interface FollowedCall {
  readonly id: string;
  readonly source: string;
  ranBy: CallRunner;
  /** The provider has said that it is over. */
  ended: boolean;
  /** The provider's last word, where it says something else than the pieces. */
  lastWord?: string;
  /** The text for which it was given to the host. */
  given?: string;
}

/** Calls that the buffer refused and that are remembered: a stream may go on naming new ones. */
const MAX_REFUSED = 1_000;

class Follower {
  readonly #buffer: FollowedBuffer;
  readonly #calls = new Map<string, FollowedCall>();
  /** How many of them the buffer had no room for. */
  #refused = 0;
  /** Replies that have begun and not ended. */
  readonly #open = new Set<string>();

  constructor(buffer: FollowedBuffer) {
    this.#buffer = buffer;
  }

  take(event: DialectEvent): FinishedCall[] {
    switch (event.kind) {
      case 'turn-start':
        return this.#startTurn(event.source ?? '');
      case 'piece':
        this.#ingest(event.piece, event.ranBy);
        return [];
      case 'whole':
        return this.#takeWhole(event.piece, event.ranBy);
      case 'call-end':
        return this.#endCall(event.id ?? this.#at(event.index));
      case 'turn-end':
        return this.#endTurn(event.source ?? '', event.reason);
    }
  }

  end(reason: string): FinishedCall[] {
    const sources = new Set(Array.from(this.#calls.values(), ({ source }) => source));
    this.#open.clear();
    return [...sources].flatMap((source) => this.#endTurn(source, reason));
  }

  #startTurn(source: string): FinishedCall[] {
    const cut = this.#endTurn(source, 'incomplete');
    if (this.#open.size === 0) {
      for (const id of this.#calls.keys()) this.#buffer.clear(id);
      this.#calls.clear();
      this.#refused = 0;
    }
    this.#open.add(source);
    return cut;
  }

  #ingest(piece: ToolCallPiece, ranBy: CallRunner | undefined): FollowedCall | undefined {
    const outcome = this.#buffer.ingest(piece);
    if (outcome.kind === 'ignored' || outcome.kind === 'replayed') return undefined;
    const { id } = outcome;
    let call = this.#calls.get(id);
    if (call === undefined) {
      if (outcome.kind === 'refused' && outcome.limit === 'calls' && ++this.#refused > MAX_REFUSED) return undefined;
      call = { id, source: piece.source ?? '', ranBy: 'host', ended: false };
      this.#calls.set(id, call);
    }
    if (ranBy !== undefined) call.ranBy = ranBy;
    return call;
  }

  /** Joins on what is missing, if the text so far is its beginning. */
  #takeWhole(piece: ToolCallPiece & { readonly args: string }, ranBy: CallRunner | undefined): FinishedCall[] {
    const known = piece.id ?? this.#at(piece.index ?? undefined);
    const text = (known === undefined ? undefined : this.#buffer.getRawArgs(known)) ?? '';
    const rest = piece.args.startsWith(text) ? piece.args.slice(text.length) : '';
    const taken = this.#ingest({ ...piece, args: rest }, ranBy);
    const call = taken ?? (known === undefined ? undefined : this.#calls.get(known));
    if (call === undefined) return [];
    if (!saysTheSame(this.#buffer.getRawArgs(call.id) ?? '', piece.args)) call.lastWord = piece.args;
    return this.#endCall(call.id);
  }

  #endCall(id: string | undefined): FinishedCall[] {
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (call === undefined) return [];
    call.ended = true;
    // What is not whole may have been cut, which the reason tells at the end of the reply.
    return this.#isGiven(call) ? [] : this.#give(call, undefined, ({ kind }) => kind === 'complete');
  }

  #endTurn(source: string, reason: string | undefined): FinishedCall[] {
    this.#open.delete(source);
    const calls = [...this.#calls.values()].filter((call) => call.source === source);
    const saysEnds = calls.some(({ ended }) => ended);
    return calls.flatMap((call, at) => {
      if (this.#isGiven(call)) return [];
      // A model writes one call after the other, so the reason speaks of the last one, and of those that never ended.
      const isCut = at === calls.length - 1 || (saysEnds && !call.ended);
      return this.#give(call, isCut ? reason : undefined, () => true);
    });
  }

  #isGiven(call: FollowedCall): boolean {
    return call.given !== undefined && call.given === this.#textOf(call);
  }

  #give(call: FollowedCall, reason: string | undefined, isDue: (verdict: ToolCallVerdict) => boolean): FinishedCall[] {
    const { id, ranBy, lastWord } = call;
    const verdict = lastWord === undefined ? this.#buffer.finish(id, reason) : judgeText(lastWord, reason);
    if (verdict !== undefined && !isDue(verdict)) return [];
    call.given = this.#textOf(call);
    const name = this.#buffer.getToolName(id);
    return [{ id, name, ranBy, verdict: verdict ?? nothingKept, differs: lastWord !== undefined }];
  }

  #textOf({ id, lastWord }: FollowedCall): string {
    return lastWord ?? this.#buffer.getRawArgs(id) ?? '';
  }

  #at(index: number | undefined): string | undefined {
    return index === undefined ? undefined : this.#buffer.getIdByIndex(index);
  }
}

const nothingKept: ToolCallVerdict = { kind: 'truncated', position: 0, salvage: { fields: {} }, closedJson: '{}' };

function judgeText(text: string, reason: string | undefined): ToolCallVerdict {
  const buffer = new StreamingToolCallBuffer({ duplicates: 'keep', maxCharactersPerCall: Number.MAX_SAFE_INTEGER });
  buffer.append('call', text);
  return buffer.finish('call', reason) ?? nothingKept;
}

/** Tells whether two texts are one, or JSON of one value in one order. */
function saysTheSame(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    return false;
  }
}
