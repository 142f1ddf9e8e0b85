/** Asking the model until its calls are whole, a bounded number of times. */

import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { brokenAnswer } from '../internal/answers.js';
import { errorMessage } from '../internal/tool-result.js';
import type { ReplyOptions } from '../options.js';
import { type JudgedCall, judgeReply } from './judge-reply.js';
import { rebuildReply } from './rebuild-reply.js';

const DEFAULT_MAX_RETRIES = 2;

/**
 * Calls the model with `messages`. A reply with broken calls is shown to the model again with what broke in it, and
 * none of its calls run. After the last retry the reply is given back with its broken calls marked: they are answered
 * as errors, and its whole calls run.
 *
 * @param history The run's messages, whose ids, and whose calls' ids, are taken.
 * @param ask Sends messages to the model. What it gives that is no reply passes through.
 */
export async function checkedModelCall<T>(
  messages: BaseMessage[],
  history: readonly BaseMessage[],
  options: ReplyOptions,
  ask: (messages: BaseMessage[]) => T | Promise<T>,
): Promise<T | AIMessage> {
  const maxRetries = options.maxRetries ?? DEFAULT_MAX_RETRIES;
  const usedIds = callIds(history);
  const messageIds = new Set(history.map(({ id }) => id));
  let asked = messages;
  for (let retry = 0; ; retry += 1) {
    const reply = await ask(asked);
    if (!AIMessage.isInstance(reply)) return reply;
    const { calls, broken, asIs } = judgeReply(reply, usedIds);
    // LangGraph takes a message with a known id for a new version of that message, and would lose the earlier reply.
    const keepsId = reply.id !== undefined && !messageIds.has(reply.id);
    if (asIs && (keepsId || reply.id === undefined)) return reply;
    const rebuilt = rebuildReply(reply, calls, keepsId ? reply.id : undefined);
    if (broken.length === 0) return rebuilt;
    const willRetry = retry < maxRetries;
    options.onBrokenReply?.({ retry, willRetry, calls: broken });
    if (!willRetry) return rebuilt;
    // Only the newest broken reply is shown: each may be as long as the limit allows.
    asked = [...messages, rebuilt, ...calls.map(correction)];
  }
}

function correction(call: JudgedCall): ToolMessage {
  return errorMessage(
    call,
    call.broken
      ? brokenAnswer(call.name, call.broken.reason)
      : `${call.name} was not run, because another call of this reply is broken. Send it again.`,
  );
}

function callIds(history: readonly BaseMessage[]): Set<string> {
  const ids = new Set<string>();
  for (const message of history) {
    if (AIMessage.isInstance(message)) for (const { id } of message.tool_calls ?? []) if (id) ids.add(id);
    if (ToolMessage.isInstance(message)) ids.add(message.tool_call_id);
  }
  return ids;
}
