/** The argument texts of a streamed reply that are not valid JSON, though LangChain lists their calls as good ones. */

import type { AIMessage } from '@langchain/core/messages';

/** A piece of a call as LangChain keeps it on a streamed message. */
interface Piece {
  readonly id?: unknown;
  readonly index?: unknown;
  readonly args?: unknown;
  readonly isCustomTool?: unknown;
}

interface StreamedText extends Pick<Piece, 'id' | 'index'> {
  text: string;
}

/**
 * Gives the broken argument texts of a reply, by the id of their call. LangChain completes the JSON of a call that broke
 * off, at the limit of tokens for instance: half a note would be written as a whole one.
 */
export function brokenTexts(reply: AIMessage): ReadonlyMap<unknown, string> {
  const broken = new Map<unknown, string>();
  for (const { id, text } of joinPieces((reply as { readonly tool_call_chunks?: unknown }).tool_call_chunks)) {
    if (text.trim() !== '' && !isJson(text)) broken.set(id, text);
  }
  return broken;
}

/** Joins the pieces of each call, by LangChain's own rule of what belongs together. */
function joinPieces(pieces: unknown): readonly StreamedText[] {
  const texts: StreamedText[] = [];
  for (const piece of Array.isArray(pieces) ? (pieces as (Piece | null)[]) : []) {
    const { id, index, args, isCustomTool } = piece ?? {};
    // The text of a custom tool is no JSON.
    if (isCustomTool === true || typeof args !== 'string') continue;
    const sameIndex = (text: StreamedText) => text.index === index;
    const begun = texts.find((text) =>
      id ? text.id === id && (index === undefined || sameIndex(text)) : index !== undefined && sameIndex(text),
    );
    if (begun) begun.text += args;
    else texts.push({ id, index, text: args });
  }
  return texts;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
