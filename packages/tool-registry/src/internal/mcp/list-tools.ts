/** The whole list of a server's tools, page by page, with an end. */

import { compareCodeUnits, isPlainObject } from '@holdfast/kernel';
import { listMcpTools, type McpClient, type McpTool } from '../../mcp-client.js';
import { boundLine } from '../bounded-text.js';
import { frozenJson } from '../json-value.js';
import { McpMountError } from './mcp-mount-error.js';

const MAX_PAGES = 1_000;
const MAX_TOOLS = 5_000;
/** Characters of one tool as JSON, schemas and descriptions together. */
const MAX_TOOL_LENGTH = 100_000;

/** A tool of the list, and its text by which a change is noticed; or why it cannot be taken. */
export type ListedTool =
  | { readonly ok: true; readonly tool: McpTool; readonly fingerprint: string }
  | { readonly ok: false; readonly name: string; readonly reason: string };

/** Throws {@link McpMountError} for a list that does not end. */
export async function listAllTools(client: McpClient, server: string, timeoutMs: number): Promise<ListedTool[]> {
  const listed: ListedTool[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await listMcpTools(client, cursor, timeoutMs);
    if (!isPlainObject(page) || !Array.isArray(page['tools'])) {
      throw new McpMountError(server, 'answers with something that is no list of tools');
    }
    listed.push(...page['tools'].slice(0, MAX_TOOLS + 1).map(readTool));
    const next = page['nextCursor'];
    cursor = typeof next === 'string' && next !== '' ? next : undefined;
    if (listed.length > MAX_TOOLS) throw new McpMountError(server, `lists more than ${MAX_TOOLS} tools`);
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size === MAX_PAGES)) {
      throw new McpMountError(server, 'gives a list of tools that does not end');
    }
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return listed;
}

/**
 * What a person who reviews a tool would not see: controls, marks that turn text around, tags, further variants, and runs
 * of what shows nothing, in which whole sentences can be written. Emoji have up to two of those in a row.
 */
const UNSEEN =
  /[\p{Cc}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]|\p{Default_Ignorable_Code_Point}{4}/u;

/** Reads one tool, from a list or from where the host has kept it. */
export function readTool(given: unknown): ListedTool {
  const name = isPlainObject(given) && typeof given['name'] === 'string' ? given['name'] : '';
  const refuse = (reason: string): ListedTool => ({ ok: false, name: boundLine(name, 200), reason });
  if (!isPlainObject(given) || name === '') return refuse('it has no name');
  const { title, description, inputSchema, outputSchema, annotations, execution } = given;
  if (!isPlainObject(inputSchema)) return refuse('its inputSchema is not an object');
  if (outputSchema !== undefined && !isPlainObject(outputSchema)) return refuse('its outputSchema is not an object');
  for (const text of [title, description]) {
    if (text !== undefined && typeof text !== 'string') return refuse('its description or title is not a text');
  }
  const parts = { name, title, description, inputSchema, outputSchema, annotations, execution };
  return freeze(parts, refuse);
}

/** Meta data and icons are left out: they reach neither the model nor the call. */
function freeze(parts: Record<string, unknown>, refuse: (reason: string) => ListedTool): ListedTool {
  try {
    const given = Object.entries(parts).filter(([, value]) => value !== undefined);
    const tool = frozenJson(Object.fromEntries(given)) as McpTool;
    const fingerprint = JSON.stringify(tool, sortKeys);
    if (fingerprint.length > MAX_TOOL_LENGTH) return refuse(`it has more than ${MAX_TOOL_LENGTH} characters`);
    return hasUnseen(tool) ? refuse('it has characters that a person cannot see') : { ok: true, tool, fingerprint };
  } catch (error) {
    return refuse(`it is not plain JSON: it ${(error as Error).message}`);
  }
}

/** Servers write fields in any order, and stores give them back in another: that is no change. */
function sortKeys(_: string, value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareCodeUnits(a, b)));
}

function hasUnseen(value: unknown): boolean {
  if (typeof value === 'string') return UNSEEN.test(value.replace(/[\t\r\n]/g, ''));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, part]) => hasUnseen(key) || hasUnseen(part));
}
