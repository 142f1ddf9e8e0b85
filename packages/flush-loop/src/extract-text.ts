/** The words of a reply, without thinking, tool use or images. */

import type { AIMessage } from '@langchain/core/messages';

/**
 * Extracts the text of a message of any content shape: a string as it is, or the text blocks and bare strings of a
 * list, joined without a separator. Thinking, tool use and other blocks are no text; absent content is `''`.
 */
export function extractText(message: AIMessage): string {
  const content: unknown = (message as { readonly content?: unknown } | null | undefined)?.content;
  if (!Array.isArray(content)) return blockText(content);
  return content.map(blockText).join('');
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block;
  if (typeof block !== 'object' || block === null) return '';
  const { type, text } = block as { readonly type?: unknown; readonly text?: unknown };
  return (type === 'text' || type === 'output_text') && typeof text === 'string' ? text : '';
}
