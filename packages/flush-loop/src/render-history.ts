/** A conversation as data for a prompt: one JSON object a line, which no text in it can break out of. */

import { cutText } from '@holdfast/kernel';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { FlushLoopOptionError } from './errors.js';
import { extractText } from './extract-text.js';
import { writeJson } from './internal/json-text.js';

/** How many characters of one message are rendered unless `maxMessageChars` says otherwise. */
export const DEFAULT_MAX_MESSAGE_CHARS = 8_000;

/** How many characters the rendered history has at most unless `maxChars` says otherwise. */
export const DEFAULT_MAX_HISTORY_CHARS = 200_000;

/** How {@link renderHistory} writes. */
export interface RenderHistoryOptions {
  /** Characters of one message's text, and of the arguments of each call in it. Default {@link DEFAULT_MAX_MESSAGE_CHARS}. */
  readonly maxMessageChars?: number;
  /** Characters of the whole. Beyond it the oldest messages are left out. Default {@link DEFAULT_MAX_HISTORY_CHARS}. */
  readonly maxChars?: number;
  /** Takes out what must not be written down, from each text and each call's arguments, before anything is cut. */
  readonly redact?: (text: string) => string;
}

/** A history as text. */
export interface RenderedHistory {
  /** One line of JSON for each message, oldest first; `<` is escaped, so no tag of the prompt can be imitated. */
  readonly text: string;
  /** How many of the oldest messages did not fit. */
  readonly messagesLeftOut: number;
  /** How many texts were cut at `maxMessageChars`. */
  readonly textsCut: number;
}

/**
 * Renders messages as data: role, text, tool calls, and for an answer the call that it belongs to. Thinking, images
 * and files are named by their type and not rendered.
 *
 * @throws {FlushLoopOptionError} ERR_HOLDFAST_FLUSH_LOOP_OPTION for limits that are no whole number from 1, and for a
 * `redact` that gives no text.
 */
export function renderHistory(messages: readonly BaseMessage[], options: RenderHistoryOptions = {}): RenderedHistory {
  const { maxMessageChars = DEFAULT_MAX_MESSAGE_CHARS, maxChars = DEFAULT_MAX_HISTORY_CHARS, redact } = options;
  checkLimit('maxMessageChars', maxMessageChars);
  checkLimit('maxChars', maxChars);
  let textsCut = 0;
  const clean = (text: string): string => {
    const kept: unknown = redact === undefined ? text : redact(text);
    if (typeof kept !== 'string') throw new FlushLoopOptionError('redact', kept, 'a function that gives a string');
    if (kept.length <= maxMessageChars) return kept;
    textsCut += 1;
    const head = cutText(kept, maxMessageChars);
    return `${head} [${kept.length - head.length} more characters left out]`;
  };
  const lines: string[] = [];
  let size = 0;
  let index = messages.length;
  while (index > 0) {
    const line = lineOf(messages[index - 1] as BaseMessage, clean);
    if (size + line.length + 1 > maxChars) break;
    size += line.length + 1;
    lines.push(line);
    index -= 1;
  }
  return { text: lines.reverse().join('\n'), messagesLeftOut: index, textsCut };
}

function checkLimit(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new FlushLoopOptionError(option, value, 'a whole number from 1');
  }
}

function lineOf(message: BaseMessage, clean: (text: string) => string): string {
  const { tool_calls: calls, tool_call_id: answers, name } = message as Partial<AIMessage & { tool_call_id: string }>;
  const parts = otherParts(message.content);
  const line = {
    role: roleOf(message),
    ...(typeof name === 'string' && { name }),
    ...(typeof answers === 'string' && { answers }),
    text: clean(extractText(message as AIMessage)),
    ...(Array.isArray(calls) && calls.length > 0 && { calls: calls.map((call) => callLine(call, clean)) }),
    ...(parts.length > 0 && { otherParts: parts }),
  };
  return JSON.stringify(line).replaceAll('<', '\\u003c');
}

function callLine(call: NonNullable<AIMessage['tool_calls']>[number], clean: (text: string) => string): object {
  return { name: call.name, id: call.id, arguments: clean(writeJson(call.args)) };
}

/** Thinking is the model's own and no fact of the conversation. */
function otherParts(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  const types = content.map((block: unknown) => (block as { readonly type?: unknown } | null)?.type);
  const shown = new Set<unknown>(['text', 'tool_use', 'tool_call', 'thinking', 'redacted_thinking', 'reasoning']);
  return types.filter((type): type is string => typeof type === 'string' && !shown.has(type));
}

function roleOf(message: BaseMessage): string {
  const { getType, _getType } = message as { getType?: () => string; _getType?: () => string };
  const type = (getType ?? _getType)?.call(message);
  return type === 'human' ? 'user' : type === 'ai' ? 'assistant' : (type ?? 'unknown');
}
