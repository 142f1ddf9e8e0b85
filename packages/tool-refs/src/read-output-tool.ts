/** A tool with which a model reads on in an output of which it was shown a part only. */

import { describeValue, getOwn } from '@holdfast/kernel';
import { ToolReferenceArgumentError } from './errors.js';
import { countLines, readMatches, readPage } from './internal/read-page.js';
import { LineCursor, parsePattern } from './internal/text-search.js';
import type { ToolOutputReferenceRegistry } from './registry.js';

/** How a tool reads. */
export interface ReadOutputToolOptions {
  /** Name of the tool. Default `read_output`. */
  readonly name?: string;
  /** Most characters of an output in one answer, from 500 to 100,000. Default 8,000. */
  readonly pageSize?: number;
  /** Run whose outputs are read where a call names none. */
  readonly runId?: string;
}

/** What a call knows besides its input. */
export interface ReadOutputContext {
  /** Run whose outputs are read. */
  readonly runId?: string | undefined;
}

/** A tool as plain data and one function, to be wrapped for any framework. */
export interface ReadOutputTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
  /** Reads. Always gives a text for the model, also for an input that is wrong. */
  execute(input: unknown, context?: ReadOutputContext): string;
}

const DEFAULT_PAGE_SIZE = 8_000;
const SMALLEST_PAGE = 500;
const LARGEST_PAGE = 100_000;
const LONGEST_PATTERN = 200;

/**
 * A tool that reads a stored output page by page: from a line, from a character, or where a pattern matches. The first
 * line of an answer says where it stands and how to read on. Pages end with whole lines where they can, and never
 * inside a surrogate pair.
 *
 * A pattern is literal text of at most 200 characters, found in any case, in which `*` stands for anything within a
 * line. It takes time in proportion to the output, whatever it is.
 *
 * @throws {ToolReferenceArgumentError} `ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT` for a page size out of range.
 */
export function createReadOutputTool(
  registry: Pick<ToolOutputReferenceRegistry, 'get'>,
  options: ReadOutputToolOptions = {},
): ReadOutputTool {
  const { name = 'read_output', pageSize: size = DEFAULT_PAGE_SIZE, runId: ownRun } = options;
  if (!Number.isSafeInteger(size) || size < SMALLEST_PAGE || size > LARGEST_PAGE) {
    throw new ToolReferenceArgumentError(
      `pageSize: expected a whole number from ${SMALLEST_PAGE} to ${LARGEST_PAGE}, got ${describeValue(size)}. ` +
        `Leave it out for the default of ${DEFAULT_PAGE_SIZE}.`,
      'pageSize',
      size,
    );
  }
  return {
    name,
    description: DESCRIPTION,
    inputSchema: INPUT_SCHEMA,
    execute: (input, context) => {
      const request = readRequest(input);
      if (request.kind === 'refused') return `[${name}: ${request.because}]`;
      const text = registry.get(context?.runId ?? ownRun, request.key);
      return text === undefined
        ? `[${name}: nothing is stored under ${describeValue(request.key)}. ${KEY_HINT}]`
        : answer(text, request, size);
    },
  };
}

const KEY_HINT = 'Give the key of an earlier tool result as it was shown, such as tool0turn0, without braces.';

const DESCRIPTION = `Reads an earlier tool result that was shown in part only. Give its key and, to begin elsewhere than at its first character, a line or a character. With a pattern, it lists the places that match instead. The first line of the answer says how to read on.`;

const INPUT_SCHEMA: ReadOutputTool['inputSchema'] = {
  type: 'object',
  properties: {
    key: { type: 'string', description: 'Key of the result, such as tool0turn0, without braces.' },
    line: { type: 'integer', minimum: 1, description: 'Line to begin at, from 1. Not together with character.' },
    character: { type: 'integer', minimum: 0, description: 'Character to begin at, from 0. Not together with line.' },
    pattern: {
      type: 'string',
      minLength: 1,
      maxLength: LONGEST_PATTERN,
      description: 'Text to look for, in any case. * stands for anything within a line, \\* for a star.',
    },
  },
  required: ['key'],
  additionalProperties: false,
};

interface ReadRequest {
  readonly kind: 'read';
  readonly key: string;
  readonly line: number | undefined;
  readonly character: number | undefined;
  readonly pattern: string | undefined;
}

type Refusal = { readonly kind: 'refused'; readonly because: string };

function readRequest(input: unknown): ReadRequest | Refusal {
  if (typeof input !== 'object' || input === null) return refuse('the input', 'an object with a key', input);
  const key = getOwn(input, 'key');
  if (typeof key !== 'string') return { kind: 'refused', because: `the key is missing. ${KEY_HINT}` };
  // Some models write null for what they leave out.
  const [line, character, pattern] = ['line', 'character', 'pattern'].map((field) => getOwn(input, field) ?? undefined);
  if (!isCount(line, 1)) return refuse('line', 'a whole number from 1', line);
  if (!isCount(character, 0)) return refuse('character', 'a whole number from 0', character);
  if (line !== undefined && character !== undefined) {
    return { kind: 'refused', because: 'give either a line or a character to begin at, not both' };
  }
  if (!isPattern(pattern)) {
    return refuse('pattern', `at most ${LONGEST_PATTERN} characters, not only stars`, pattern);
  }
  return { kind: 'read', key, line, character, pattern };
}

function isCount(value: unknown, lowest: number): value is number | undefined {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) >= lowest);
}

function isPattern(value: unknown): value is string | undefined {
  if (value === undefined) return true;
  return typeof value === 'string' && value.length <= LONGEST_PATTERN && parsePattern(value).length > 0;
}

function refuse(field: string, expected: string, received: unknown): Refusal {
  return { kind: 'refused', because: `${field} must be ${expected}, not ${describeValue(received)}` };
}

function answer(text: string, { key, line, character, pattern }: ReadRequest, size: number): string {
  if (text === '') return `[${key}: the result is empty]`;
  const lines = countLines(text);
  if (line !== undefined && line > lines) return `[${key}: there are only ${lines} lines]`;
  if (character !== undefined && character >= text.length) return `[${key}: there are only ${text.length} characters]`;
  const start = line === undefined ? (character ?? 0) : new LineCursor(text).lineNumbered(line).start;
  const request = { name: key, start, size };
  return pattern === undefined ? readPage(text, request) : readMatches(text, pattern, request);
}
