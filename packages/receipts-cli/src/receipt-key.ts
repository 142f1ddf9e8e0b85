/** The key of a receipt on the command line: its four parts, its key string, or the `key` of a JSON output. */

import { type ToolCallReceiptKey, toolCallReceiptKeyString } from '@holdfast/receipts';
import { usageError } from './exit.js';
import { shellWord, visible, visibleJson } from './visible.js';

const EXPECTED =
  'A receipt is named by TENANT RUN TOOL ARGS_HASH, by its key string (4:acme5:run-7…), or by the key of --json as one ' +
  'argument.';

/** Reads a key out of one or four words. */
export function parseKey(words: readonly string[]): ToolCallReceiptKey {
  const [first = ''] = words;
  const parts = words.length === 4 ? words : words.length === 1 ? (partsOfJson(first) ?? partsOfString(first)) : [];
  if (parts.length !== 4) throw usageError(EXPECTED);
  const [tenantId, runId, toolName, argsHash] = parts as [string, string, string, string];
  return { tenantId, runId, toolName, argsHash };
}

/**
 * The four parts as words of a shell, ready to be pasted. As JSON where a hyphen would begin an option, or where a part has
 * hidden characters: how a shell reads their escapes depends on the shell and its locale, some are dropped, and then the
 * words would name another receipt.
 */
export function keyWords({ tenantId, runId, toolName, argsHash }: ToolCallReceiptKey): string {
  const parts = [tenantId, runId, toolName, argsHash];
  const areWords = !parts.some((part) => part.startsWith('-') || visible(part) !== part);
  return areWords ? parts.map(shellWord).join(' ') : shellWord(visibleJson({ tenantId, runId, toolName, argsHash }));
}

/** Undoes {@link toolCallReceiptKeyString}. */
function partsOfString(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const [head, digits] = /^(\d{1,9}):/.exec(text.slice(at, at + 10)) ?? [];
    if (head === undefined) return [];
    const start = at + head.length;
    at = start + Number(digits);
    if (at > text.length) return [];
    parts.push(text.slice(start, at));
  }
  return parts;
}

function partsOfJson(text: string): string[] | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const { tenantId, runId, toolName, argsHash } = JSON.parse(text) as ToolCallReceiptKey;
    toolCallReceiptKeyString({ tenantId, runId, toolName, argsHash });
    return [tenantId, runId, toolName, argsHash];
  } catch {
    return [];
  }
}
