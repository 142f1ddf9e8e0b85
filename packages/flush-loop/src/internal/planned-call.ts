/** The tool calls of a reply, each with an id of its own and, where it cannot run, the reason. */

import { cutText, describeValue } from '@holdfast/kernel';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { brokenTexts } from './streamed-text.js';

/** One call that has to be answered. */
export interface PlannedCall {
  /** The id in the transcript, unique there. */
  readonly id: string;
  /** The name as the model wrote it; `''` when it wrote none. */
  readonly name: string;
  /** The name in the transcript, which every provider takes back. */
  readonly shownName: string;
  readonly args: Record<string, unknown>;
  /** Why the call cannot run. */
  readonly refusal?: string;
  /** The call as the reply lists it. */
  readonly source: CallSource;
  /** Whether what the model wrote for arguments is not valid JSON. */
  readonly invalid: boolean;
}

export interface CallSource {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly args?: unknown;
  readonly error?: unknown;
}

const MAX_QUOTED_CHARS = 200;
/** Some providers refuse ids of more than 40 characters; this leaves room for the number. */
const MAX_ID_STEM_CHARS = 32;

/** Providers refuse a history that holds a call by any other name, though their own model wrote it. */
const MAX_NAME_CHARS = 64;
const notInNames = /[^A-Za-z0-9_-]/g;
const UNNAMED = 'unnamed_tool';

/** Lists the calls of a reply, `tool_calls` first and `invalid_tool_calls` after them. */
export function planCalls(reply: AIMessage, ids: CallIds, tools: ReadonlyMap<string, unknown>): PlannedCall[] {
  const broken = brokenTexts(reply);
  const calls = sources(reply.tool_calls).map((source) => {
    const text = broken.get(source.id);
    return text === undefined ? plan(source, false, ids, tools) : plan(source, true, ids, tools, text);
  });
  const invalid = sources(reply.invalid_tool_calls).map((source) => plan(source, true, ids, tools));
  return [...calls, ...invalid];
}

/** The id as the model wrote it, or `''` when it wrote none that can be used. */
export function writtenId(id: unknown): string {
  return typeof id === 'string' && id.trim() !== '' ? id : '';
}

/** Hands out the ids of one transcript: the model's own where it is new, else one made from it. */
export class CallIds {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  constructor(messages: readonly BaseMessage[]) {
    for (const message of messages as readonly Partial<AIMessage>[]) {
      const calls = [...sources(message?.tool_calls), ...sources(message?.invalid_tool_calls)];
      for (const { id } of calls) this.#taken.add(writtenId(id));
    }
  }

  claim(id: unknown): string {
    const written = writtenId(id);
    const unique = written === '' || this.#taken.has(written) ? this.#makeUp(written) : written;
    this.#taken.add(unique);
    return unique;
  }

  #makeUp(written: string): string {
    const stem = cutText(written, MAX_ID_STEM_CHARS) || 'holdfast_call';
    let count = this.#counts.get(stem) ?? (written === '' ? 0 : 1);
    do count += 1;
    while (this.#taken.has(`${stem}_${count}`));
    this.#counts.set(stem, count);
    return `${stem}_${count}`;
  }
}

function sources(list: unknown): CallSource[] {
  if (!Array.isArray(list)) return [];
  return list.map((entry: unknown) => (typeof entry === 'object' && entry !== null ? entry : {}));
}

/** `written` is what the model wrote for arguments, as far as it is known. */
function plan(
  source: CallSource,
  invalid: boolean,
  ids: CallIds,
  tools: ReadonlyMap<string, unknown>,
  written: unknown = source.args,
): PlannedCall {
  const name = typeof source.name === 'string' ? source.name : '';
  const args = !invalid && isArguments(source.args) ? source.args : {};
  const refusal = refusalOf(written, source.error, name, invalid);
  return {
    id: ids.claim(source.id),
    name,
    // The host has told its provider of a tool, under whatever name.
    shownName: tools.has(name) && name.trim() !== '' ? name : legalName(name),
    args,
    source,
    invalid,
    ...(refusal !== undefined && { refusal }),
  };
}

function legalName(name: string): string {
  const legal = name.slice(0, MAX_NAME_CHARS).replace(notInNames, '_');
  return /[A-Za-z0-9]/.test(legal) ? legal : UNNAMED;
}

function refusalOf(args: unknown, error: unknown, name: string, invalid: boolean): string | undefined {
  if (invalid) {
    const reason = typeof error === 'string' && error !== '' ? ` (${quote(error)})` : '';
    return `The arguments are not valid JSON${reason}. You wrote: ${quote(args)}. Call the tool again with valid JSON.`;
  }
  if (name.trim() === '') return 'The call names no tool. Call a tool by its name.';
  if (args === undefined || args === null || isArguments(args)) return undefined;
  return `The arguments must be a JSON object, not ${describeValue(args)}.`;
}

function quote(value: unknown): string {
  if (typeof value !== 'string') return describeValue(value);
  return value.length <= MAX_QUOTED_CHARS ? value : `${cutText(value, MAX_QUOTED_CHARS)}…`;
}

function isArguments(args: unknown): args is Record<string, unknown> {
  return typeof args === 'object' && args !== null && !Array.isArray(args);
}
