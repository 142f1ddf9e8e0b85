/** The text of what a tool returned, whatever its shape. */

import { describeValue } from '@holdfast/kernel';
import { describeThrown, failureText, isError } from './failure-text.js';
import { writeJson } from './json-text.js';

/** A tool's result as text. `failed` is set when the shape itself says so, whatever the text. */
export interface ToolResultText {
  readonly text: string;
  readonly failed: boolean;
  readonly artifact?: unknown;
}

interface MessageLike {
  readonly content?: unknown;
  readonly status?: unknown;
  readonly artifact?: unknown;
}

/**
 * Turns a tool's result into text: strings as they are, messages by their content, lists of text blocks joined,
 * `undefined` as `''`, all else as JSON. Never throws.
 */
export function toolResultText(result: unknown): ToolResultText {
  try {
    if (isError(result)) return { text: failureText(describeThrown(result)), failed: true };
    if (!isMessage(result)) return { text: contentText(result), failed: false };
    const text = contentText(result.content);
    const failed = result.status === 'error';
    return result.artifact === undefined ? { text, failed } : { text, failed, artifact: result.artifact };
  } catch (cause) {
    // The tool has finished: calling it failed would make the model repeat its effect.
    const reason = describeThrown(cause);
    return {
      text: `The tool finished; its result (${describeValue(result)}) is not readable: ${reason}`,
      failed: false,
    };
  }
}

function isMessage(result: unknown): result is MessageLike {
  if (typeof result !== 'object' || result === null || !('content' in result)) return false;
  return 'tool_call_id' in result || typeof (result as { _getType?: unknown })._getType === 'function';
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined) return '';
  if (Array.isArray(content) && content.length > 0 && content.every(isTextBlock)) {
    return content.map((block) => block.text).join('');
  }
  return writeJson(content);
}

function isTextBlock(block: unknown): block is { readonly type: 'text'; readonly text: string } {
  if (typeof block !== 'object' || block === null) return false;
  const { type, text } = block as { readonly type?: unknown; readonly text?: unknown };
  return type === 'text' && typeof text === 'string';
}
