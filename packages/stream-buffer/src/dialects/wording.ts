/** The words of providers, brought into one form. */

import type { DialectReader } from './event.js';

/** What is the same reason in other words. */
const synonyms: Readonly<Record<string, string>> = {
  blocklist: 'content_filter',
  content_filtered: 'content_filter',
  failed: 'error',
  guardrail_intervened: 'content_filter',
  interrupted: 'aborted',
  language: 'content_filter',
  malformed_model_output: 'malformed_function_call',
  malformed_tool_use: 'malformed_function_call',
  prohibited_content: 'content_filter',
  spii: 'content_filter',
};

/** A finish reason in the words that `finish` knows; `undefined` for none. */
export function readReason(reason: unknown): string | undefined {
  if (typeof reason !== 'string' || reason.trim() === '' || reason === 'null') return undefined;
  const word = reason.trim().toLowerCase().replaceAll('-', '_');
  return Object.hasOwn(synonyms, word) ? synonyms[word] : word;
}

/** A reader to which anything that is no object says nothing. */
export function readObjects<Chunk>(read: DialectReader<Chunk>): DialectReader<Chunk> {
  return (chunk) => (typeof chunk === 'object' && chunk !== null ? read(chunk) : []);
}

/** Arguments as text: some servers send the value itself where text is due. */
export function argsText(args: unknown): string | undefined {
  if (args === undefined || args === null || typeof args === 'string') return args ?? undefined;
  return JSON.stringify(args);
}

/** An id as text: some servers count them. */
export function idText(id: unknown): string | undefined {
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : undefined;
}

/** A number, or nothing. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The text, or nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The objects in a list; a server may send anything where a list is due. */
export function itemsOf<Item extends object>(list: readonly Item[] | null | undefined): readonly Item[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : [];
}

/** How the input of a tool that takes plain text begins as JSON: it becomes the field `input`. */
export const PLAIN_INPUT_START = '{"input":"';

/** How it ends. */
export const PLAIN_INPUT_END = '"}';

/** Plain text as it stands inside a JSON string. */
export function insideString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
