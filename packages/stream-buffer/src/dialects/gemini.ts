/** The chunks of Gemini's generateContentStream, with whole arguments and with streamed ones. */

import type { DialectEvent, DialectReader } from './event.js';
import { type PartialArgument, PartialArguments } from './gemini-arguments.js';
import { argsText, idText, itemsOf, readObjects, readReason, textOf } from './wording.js';

export type { DialectEvent, DialectReader } from './event.js';

/** The parts of a chunk that are read. */
export interface GeminiChunk {
  readonly candidates?: readonly GeminiCandidate[] | null | undefined;
}

interface GeminiCandidate {
  readonly content?: { readonly parts?: readonly GeminiPart[] | null | undefined } | null | undefined;
  readonly finishReason?: string | null | undefined;
}

interface GeminiPart {
  readonly functionCall?: GeminiFunctionCall | null | undefined;
}

interface GeminiFunctionCall {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly args?: unknown;
  readonly partialArgs?: readonly PartialArgument[] | null | undefined;
  readonly willContinue?: boolean | null | undefined;
}

/**
 * Makes a reader of one reply's chunks, of the first candidate. Each `functionCall` is a call of its own, also without
 * an id and with equal arguments, except while the one before it `willContinue`: then its `partialArgs` become pieces of
 * JSON text.
 *
 * Nothing in this dialect says that a new reply begins: use a follower and a buffer for each.
 */
export function geminiReader(): DialectReader<GeminiChunk> {
  const calls = new GeminiCalls();
  return readObjects(({ candidates }) => {
    const candidate = itemsOf(candidates)[0];
    const events: DialectEvent[] = itemsOf(candidate?.content?.parts).flatMap(({ functionCall }) =>
      functionCall ? calls.read(functionCall) : [],
    );
    const reason = readReason(candidate?.finishReason);
    return reason === undefined || reason === 'finish_reason_unspecified'
      ? events
      : [...events, { kind: 'turn-end', reason }];
  });
}

class GeminiCalls {
  #next = 0;
  /** The arguments of the call that will continue; its index is the last one. */
  #open: PartialArguments | undefined;

  read(call: GeminiFunctionCall): DialectEvent[] {
    const continues = this.#open !== undefined;
    const index = continues ? this.#next - 1 : this.#next++;
    const place = { id: idText(call.id), index, name: continues ? undefined : textOf(call.name) };
    const streams = continues || call.willContinue === true || itemsOf(call.partialArgs).length > 0;
    if (!streams) {
      const args = argsText(call.args ?? {});
      return [
        { kind: 'piece', piece: { ...place, args } },
        { kind: 'call-end', index },
      ];
    }
    this.#open ??= new PartialArguments();
    return this.#readPartial(this.#open, call, place);
  }

  #readPartial(
    open: PartialArguments,
    { args, partialArgs, willContinue }: GeminiFunctionCall,
    place: { readonly id: string | undefined; readonly index: number; readonly name: string | undefined },
  ): DialectEvent[] {
    let text = itemsOf(partialArgs)
      .map((part) => open.write(part))
      .join('');
    if (willContinue === true) return [{ kind: 'piece', piece: { ...place, args: text } }];
    this.#open = undefined;
    text += open.end();
    const whole = args === undefined || args === null ? open.whole : argsText(args);
    const piece: DialectEvent = { kind: 'piece', piece: { ...place, args: text } };
    if (whole !== undefined) return [piece, { kind: 'whole', piece: { ...place, args: whole } }];
    return [piece, { kind: 'call-end', index: place.index }];
  }
}
