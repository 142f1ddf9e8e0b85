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
  /**
   * Characters of the whole. Beyond it the oldest messages are left out; the newest one is cut further where it does not
   * fit alone. Default {@link DEFAULT_MAX_HISTORY_CHARS}.
   */
  readonly maxChars?: number;
  /**
   * Takes out what must not be written down, before anything is cut. It gets each text, each string in a call's
   * arguments as it is, and the arguments as JSON. What it throws comes out of the rendering.
   */
  readonly redact?: (text: string) => string;
}

/** A history as text. */
export interface RenderedHistory {
  /** One line of JSON for each message, oldest first; `<` is escaped, so no tag of the prompt can be imitated. */
  readonly text: string;
  /** How many of the oldest messages did not fit. */
  readonly messagesLeftOut: number;
  /** How many texts were cut, at `maxMessageChars` or for want of room. */
  readonly textsCut: number;
}

/**
 * Renders messages as data: role, text, tool calls, and for an answer the call that it belongs to. Thinking, images
 * and files are named by their type and not rendered.
 *
 * @throws {FlushLoopOptionError} ERR_HOLDFAST_FLUSH_LOOP_OPTION for limits that are no whole number from 1, for a
 * `redact` that gives no text, for what is no message, and for a `maxChars` that not even the newest message fits in.
 */
export function renderHistory(messages: readonly BaseMessage[], options: RenderHistoryOptions = {}): RenderedHistory {
  const { maxMessageChars = DEFAULT_MAX_MESSAGE_CHARS, maxChars = DEFAULT_MAX_HISTORY_CHARS } = options;
  checkLimit('maxMessageChars', maxMessageChars);
  checkLimit('maxChars', maxChars);
  const redact = checkedRedact(options.redact);
  const lines: string[] = [];
  // The last line has no line end behind it.
  let room = maxChars + 1;
  let textsCut = 0;
  let index = messages.length;
  while (index > 0) {
    const message = messages[index - 1] as BaseMessage;
    if (typeof message !== 'object' || message === null) {
      throw new FlushLoopOptionError(`messages[${index - 1}]`, message, 'a message');
    }
    const line =
      lines.length === 0
        ? newestLine(message, maxMessageChars, maxChars, redact)
        : writeLine(message, maxMessageChars, redact);
    if (line.text.length >= room) break;
    room -= line.text.length + 1;
    textsCut += line.textsCut;
    lines.push(line.text);
    index -= 1;
  }
  return { text: lines.reverse().join('\n'), messagesLeftOut: index, textsCut };
}

function checkLimit(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new FlushLoopOptionError(option, value, 'a whole number from 1');
  }
}

type Redact = (text: string) => string;

function checkedRedact(redact: Redact | undefined): Redact | undefined {
  if (redact === undefined) return undefined;
  const expected = 'a function that gives a string';
  if (typeof redact !== 'function') throw new FlushLoopOptionError('redact', redact, expected);
  return (text) => {
    const kept: unknown = redact(text);
    if (typeof kept !== 'string') throw new FlushLoopOptionError('redact', kept, expected);
    return kept;
  };
}

interface Line {
  readonly text: string;
  readonly textsCut: number;
}

/** Without its newest message a history would tell a model that there is nothing to write down. */
function newestLine(message: BaseMessage, maxMessageChars: number, maxChars: number, redact: Redact | undefined): Line {
  let line = writeLine(message, maxMessageChars, redact);
  for (let limit = maxMessageChars; line.text.length > maxChars; ) {
    if (limit === 0) throw new FlushLoopOptionError('maxChars', maxChars, `at least ${line.text.length}`);
    limit = Math.floor(limit / 2);
    line = writeLine(message, limit, redact);
  }
  return line;
}

function writeLine(message: BaseMessage, limit: number, redact: Redact | undefined): Line {
  let textsCut = 0;
  const clean = (text: string): string => {
    const kept = redact === undefined ? text : redact(text);
    if (kept.length <= limit) return kept;
    textsCut += 1;
    const head = cutText(kept, limit);
    return `${head} [${kept.length - head.length} more characters left out]`;
  };
  const { tool_calls: calls, tool_call_id: answers, name } = message as Partial<AIMessage & { tool_call_id: string }>;
  const parts = otherParts(message.content);
  const line = {
    role: roleOf(message),
    ...(typeof name === 'string' && { name }),
    ...(typeof answers === 'string' && { answers }),
    text: clean(extractText(message as AIMessage)),
    ...(Array.isArray(calls) && calls.length > 0 && { calls: calls.map((call) => callFields(call, clean, redact)) }),
    ...(parts.length > 0 && { otherParts: parts }),
  };
  return { text: JSON.stringify(line).replaceAll('<', '\\u003c'), textsCut };
}

function callFields(call: unknown, clean: Redact, redact: Redact | undefined): object {
  const { name, id, args } = (call ?? {}) as {
    readonly name?: unknown;
    readonly id?: unknown;
    readonly args?: unknown;
  };
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof id === 'string' && { id }),
    arguments: clean(argumentsText(args, redact)),
  };
}

/** JSON writes quotes and line ends in another way: a secret that holds some is only found in the string itself. */
function argumentsText(args: unknown, redact: Redact | undefined): string {
  let redactThrew = false;
  const clean = (text: string): string => {
    if (redact === undefined) return text;
    redactThrew = true;
    const kept = redact(text);
    redactThrew = false;
    return kept;
  };
  try {
    return writeJson(args ?? {}, clean);
  } catch (thrown) {
    if (redactThrew) throw thrown;
    return '(not writable as JSON)';
  }
}

/** Thinking is the model's own and no fact of the conversation. */
function otherParts(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  const types = content.map((block: unknown) => (block as { readonly type?: unknown } | null)?.type);
  const shown = new Set<unknown>(['text', 'tool_use', 'tool_call', 'thinking', 'redacted_thinking', 'reasoning']);
  return types.filter((type): type is string => typeof type === 'string' && !shown.has(type));
}

/** A message without a type of its own, such as LangChain's `ChatMessage`, says its role. */
function roleOf(message: BaseMessage): string {
  const { getType, _getType, role } = message as { getType?: () => string; _getType?: () => string; role?: unknown };
  const type = (getType ?? _getType)?.call(message) ?? 'generic';
  if (type === 'human') return 'user';
  if (type === 'ai') return 'assistant';
  return type === 'generic' && typeof role === 'string' ? role : type;
}
