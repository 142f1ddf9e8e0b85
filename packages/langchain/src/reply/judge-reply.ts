/** Whether the calls of a reply are whole: the verdict on each, and an id for each. */

import { isPlainObject } from '@holdfast/kernel';
import { StreamingToolCallBuffer, type ToolCallVerdict } from '@holdfast/stream-buffer';
import type { AIMessage } from '@langchain/core/messages';
import type { BrokenCall } from '../options.js';
import { type ReplyCall, replyCalls } from './reply-calls.js';
import { uniqueIds } from './unique-ids.js';

/** A call with an id of its own. */
export interface JudgedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments; of a broken call what could be closed, fit for a history and not for running. */
  readonly args: Record<string, unknown>;
  readonly broken?: BrokenCall;
}

/** What a reply turned out to be. */
export interface ReplyJudgement {
  readonly calls: readonly JudgedCall[];
  readonly broken: readonly BrokenCall[];
  /** Whether the reply as LangChain has it says the same, ids included. */
  readonly asIs: boolean;
}

/** Judges a reply. `usedIds` are the ids of the run's earlier calls. */
export function judgeReply(reply: AIMessage, usedIds: Iterable<string>): ReplyJudgement {
  const found = replyCalls(reply);
  const reason = finishReason(reply);
  const ids = uniqueIds(
    found.map((call) => call.id),
    usedIds,
  );
  const calls = found.map((call, index) => {
    const { args, broken } = judgeCall(call, index, index === found.length - 1 ? reason : undefined);
    return { id: ids[index] as string, name: call.name || 'unnamed_tool', args, ...(broken && { broken }) };
  });
  const broken = calls.flatMap((call) => call.broken ?? []);
  const given = reply.tool_calls ?? [];
  const asIs =
    broken.length === 0 &&
    (reply.invalid_tool_calls?.length ?? 0) === 0 &&
    given.length === calls.length &&
    calls.every((call, index) => call.id === given[index]?.id && call.name === given[index]?.name);
  return { calls, broken, asIs };
}

interface CallJudgement {
  readonly args: Record<string, unknown>;
  readonly broken?: BrokenCall;
}

function judgeCall(call: ReplyCall, index: number, reason: string | undefined): CallJudgement {
  const toolName = call.name;
  const breaks = (kind: BrokenCall['kind'], text: string, args: Record<string, unknown> = {}): CallJudgement => ({
    args,
    broken: { index, toolName, kind, reason: text },
  });
  if (toolName.trim() === '') return breaks('unnamed', 'it names no tool.');
  if (call.raw === undefined) {
    // Without the text, only the finish reason tells, and it speaks of the last call.
    return isCutOff(reason)
      ? breaks('truncated', 'the reply reached its length limit inside this call.', call.args)
      : { args: call.args ?? {} };
  }
  const verdict = judgeText(call.raw, reason);
  if (verdict.kind === 'empty') return { args: {} };
  if (verdict.kind === 'complete') {
    return isPlainObject(verdict.parsed)
      ? { args: verdict.parsed }
      : breaks('invalid', 'its arguments are not a JSON object.');
  }
  return breaks(verdict.kind, problemOf(verdict), objectIn(verdict.closedJson));
}

function judgeText(text: string, reason: string | undefined): ToolCallVerdict {
  const buffer = new StreamingToolCallBuffer({ duplicates: 'keep', maxCharactersPerCall: Number.MAX_SAFE_INTEGER });
  buffer.append('call', text);
  return buffer.finish('call', reason) ?? { kind: 'empty', parsed: {}, closedJson: '{}' };
}

function problemOf(verdict: Extract<ToolCallVerdict, { kind: 'truncated' | 'invalid' }>): string {
  const field = verdict.salvage.open?.name;
  const place = field === undefined ? '' : ` inside the field ${JSON.stringify(field)}`;
  return verdict.kind === 'truncated'
    ? `its arguments were cut off after ${verdict.position} characters${place}.`
    : `its arguments are not valid JSON: ${verdict.problem.replaceAll('_', ' ')} at character ${verdict.position}${place}.`;
}

function objectIn(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return isPlainObject(value) ? value : {};
}

function finishReason(reply: AIMessage): string | undefined {
  const metadata = reply.response_metadata ?? {};
  for (const name of ['finish_reason', 'stop_reason', 'finishReason', 'stopReason']) {
    if (typeof metadata[name] === 'string') return metadata[name];
  }
  return undefined;
}

/** The words with which providers say that a reply reached its length limit. */
function isCutOff(reason: string | undefined): boolean {
  return reason !== undefined && /^(length|max_tokens|max_output_tokens|model_length)$/i.test(reason);
}
