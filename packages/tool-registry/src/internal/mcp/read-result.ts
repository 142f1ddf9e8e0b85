/** What a server answers, put into a result: text for the model, blocks for hosts that can show them, data. */

import { isPlainObject, toWellFormed } from '@holdfast/kernel';
import type { ToolInputIssue } from '../../tool-definition.js';
import type { ToolExecutionResult } from '../../tool-result.js';
import { boundLine, boundText } from '../bounded-text.js';

export interface ResultReading {
  readonly toolName: string;
  /** Characters of text and base64 together. */
  readonly maxLength: number;
  /** Checks structured content; `undefined` for a tool without an output schema. */
  readonly checkOutput: ((value: unknown) => readonly ToolInputIssue[] | undefined) | undefined;
}

export function readMcpResult(given: unknown, reading: ResultReading): ToolExecutionResult {
  const { toolName } = reading;
  const result = isPlainObject(given) ? given : {};
  const { content, structuredContent, isError } = result;
  if (content === undefined ? structuredContent === undefined : !Array.isArray(content)) {
    return failed(`"${toolName}" ran, and its server answered with something that is no result.`);
  }
  const { output, blocks } = readContent(Array.isArray(content) ? content : [], reading.maxLength);
  if (isError === true) {
    const said = output || structuredText(structuredContent, reading.maxLength);
    return { ...failed(said || `"${toolName}" failed without a message.`), ...blocksOf(blocks) };
  }
  const fault = outputFault(structuredContent, reading);
  if (fault !== undefined) return failed(`"${toolName}" ran, but ${fault}`);
  return {
    success: true,
    output: output === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : output,
    ...(structuredContent !== undefined && { data: structuredContent }),
    ...blocksOf(blocks),
  };
}

function failed(text: string): ToolExecutionResult {
  const output = toWellFormed(text);
  return { success: false, output, error: output };
}

/** Plain text is in the output already: blocks are handed on only when there is something else among them. */
function blocksOf(blocks: readonly unknown[]): { content?: readonly unknown[] } {
  return blocks.some((block) => !isPlainObject(block) || block['type'] !== 'text') ? { content: blocks } : {};
}

/** An error may say what it is in structured content alone. */
function structuredText(structured: unknown, maxLength: number): string {
  return structured === undefined || structured === null ? '' : boundText(jsonOf(structured) ?? '', maxLength);
}

/** `undefined` for what is nested too deep to be written. */
function jsonOf(structured: unknown): string | undefined {
  try {
    return JSON.stringify(structured);
  } catch {
    return undefined;
  }
}

function outputFault(structured: unknown, { checkOutput, maxLength }: ResultReading): string | undefined {
  if (structured !== undefined) {
    const length = jsonOf(structured)?.length;
    if (length === undefined) return 'its structured content is nested too deep to be read.';
    if (length > maxLength) return `its structured content has more than ${maxLength} characters.`;
  }
  if (!checkOutput) return undefined;
  if (structured === undefined) return 'it gave no structured content, which its output schema promises.';
  try {
    const issues = checkOutput(structured);
    if (issues === undefined) return undefined;
    const [first] = issues;
    const where = first?.path?.length ? `at /${first.path.map(String).join('/')}: ` : '';
    return `its structured content does not match its output schema: ${boundLine(where + first?.message, 300)}`;
  } catch (error) {
    return `its structured content cannot be checked: ${boundLine(String((error as Error).message), 200)}`;
  }
}

interface ReadContent {
  readonly output: string;
  readonly blocks: readonly unknown[];
}

/** The least of a text that is worth keeping, when the limit cuts it. */
const MIN_CUT = 100;

function readContent(content: readonly unknown[], maxLength: number): ReadContent {
  const lines: string[] = [];
  const blocks: unknown[] = [];
  let left = maxLength;
  let leftOut = 0;
  for (const given of content) {
    const block = withoutHalves(given);
    const { text, binary } = describeBlock(block);
    // A block counts for one at least: empty ones would have no end.
    const size = text.length + binary + 1;
    const isCut = size > left;
    if (isCut && (binary > 0 || left < MIN_CUT)) {
      leftOut += 1;
      continue;
    }
    const kept = isCut ? boundText(text, left) : text;
    // Whatever else a block carries counts too; where that is too much, the block is handed on in words alone.
    const whole = Math.max(size, lengthOfAll(block));
    lines.push(kept);
    blocks.push(whole <= left ? block : { type: 'text', text: kept });
    left -= whole <= left ? whole : Math.min(size, left);
  }
  if (leftOut > 0) lines.push(`[${leftOut} more parts left out: the result has more than ${maxLength} characters]`);
  return { output: lines.join('\n'), blocks };
}

/** With half a character, a provider would refuse the request, and every later one that has the result in it. */
function withoutHalves(block: unknown): unknown {
  if (!isPlainObject(block)) return block;
  const { text, resource } = block;
  if (typeof text === 'string' && toWellFormed(text) !== text) return { ...block, text: toWellFormed(text) };
  if (!isPlainObject(resource) || typeof resource['text'] !== 'string') return block;
  const inner = toWellFormed(resource['text']);
  return inner === resource['text'] ? block : { ...block, resource: { ...resource, text: inner } };
}

function lengthOfAll(block: unknown): number {
  const isText = isPlainObject(block) && block['type'] === 'text' && Object.keys(block).length === 2;
  return isText ? 0 : (jsonOf(block)?.length ?? Number.POSITIVE_INFINITY);
}

/** A block in words, and how much base64 it carries. */
function describeBlock(block: unknown): { readonly text: string; readonly binary: number } {
  const part = isPlainObject(block) ? block : {};
  const type = part['type'];
  if (type === 'text' && typeof part['text'] === 'string') return { text: part['text'], binary: 0 };
  if (type === 'image' || type === 'audio') {
    const size = lengthOf(part['data']);
    return { text: `[${type} ${word(part['mimeType'])}, ${size} characters of base64]`, binary: size };
  }
  if (type === 'resource_link') {
    const title = part['title'] ?? part['name'];
    return { text: `[resource ${word(title)}: ${word(part['uri'])}]`, binary: 0 };
  }
  if (type === 'resource' && isPlainObject(part['resource'])) return describeResource(part['resource']);
  return { text: `[content of an unknown type: ${word(type)}]`, binary: 0 };
}

function describeResource(resource: Record<string, unknown>) {
  const uri = word(resource['uri']);
  if (typeof resource['text'] === 'string') return { text: `[resource ${uri}]\n${resource['text']}`, binary: 0 };
  const size = lengthOf(resource['blob']);
  return { text: `[resource ${uri}, ${word(resource['mimeType'])}, ${size} characters of base64]`, binary: size };
}

function lengthOf(data: unknown): number {
  return typeof data === 'string' ? data.length : 0;
}

function word(value: unknown): string {
  return typeof value === 'string' ? boundLine(toWellFormed(value), 500) : 'unknown';
}
