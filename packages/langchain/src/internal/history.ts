/** What a run's messages say about a call: its place, its turn, and which earlier calls were the same. */

import type { BaseMessage } from '@langchain/core/messages';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { RunLedger } from './ledger.js';
import { readCallRecord } from './metadata.js';

/** Where a call stands in its run. */
export interface CallPosition {
  /** The reply that asked for the call. */
  readonly reply: AIMessage;
  /** All calls of the reply, in its order. */
  readonly calls: readonly ToolCall[];
  /** The call's position in its reply, from 0. */
  readonly index: number;
  /** The messages before the reply. */
  readonly before: readonly BaseMessage[];
}

/** Finds the newest reply that asked for the call. The object itself wins over its id, which may be missing or repeated. */
export function locateCall(messages: readonly BaseMessage[], call: ToolCall): CallPosition | undefined {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const reply = messages[at];
    if (reply === undefined || !AIMessage.isInstance(reply)) continue;
    const calls = reply.tool_calls ?? [];
    const index = indexOfCall(calls, call);
    if (index >= 0) return { reply, calls, index, before: messages.slice(0, at) };
  }
  return undefined;
}

function indexOfCall(calls: readonly ToolCall[], call: ToolCall): number {
  const same = calls.indexOf(call);
  if (same >= 0 || !call.id) return same;
  return calls.findIndex((other) => other.id === call.id);
}

/**
 * The turn of a reply: the ledger's, and always more than the highest turn whose output the earlier messages hold. All
 * calls of one reply read the same messages and agree.
 */
export function turnOf(before: readonly BaseMessage[], ledger: RunLedger | undefined): number {
  return Math.max(ledger?.turn ?? 0, highestTurn(before) + 1);
}

/** The highest turn among the reference keys of the messages, whichever run they belong to, or -1. */
export function highestTurn(messages: readonly BaseMessage[]): number {
  let highest = -1;
  for (const message of messages) {
    const { ref } = ToolMessage.isInstance(message) ? readCallRecord(message) : {};
    const turn = ref === undefined ? undefined : REFERENCE_KEY.exec(ref)?.[1];
    if (turn !== undefined) highest = Math.max(highest, Number(turn));
  }
  return highest;
}

const REFERENCE_KEY = /^tool\d+turn(\d+)$/;

/** What two identical calls of a run have in common. */
export interface CallContent {
  readonly runId: string;
  readonly toolName: string;
  readonly argsHash: string;
}

/** The occurrences of a call that ended with a recorded result, by the ledger and by the messages. */
export function settledOccurrences(
  before: readonly BaseMessage[],
  content: CallContent,
  ledger: RunLedger | undefined,
): ReadonlySet<number> {
  const name = contentName(content);
  const settled = new Set<number>(ledger && Object.hasOwn(ledger.settled, name) ? ledger.settled[name] : []);
  for (const message of before) {
    const entry = settledEntry(message);
    if (entry?.name === name) settled.add(entry.occurrence);
  }
  return settled;
}

/** The name and number of a call that ended with a recorded result, as its message remembers it. */
export function settledEntry(message: BaseMessage): { readonly name: string; readonly occurrence: number } | undefined {
  if (!ToolMessage.isInstance(message)) return undefined;
  const { run, settled } = readCallRecord(message);
  if (run === undefined || settled === undefined) return undefined;
  const { toolName, argsHash, occurrence } = settled;
  return { name: contentName({ runId: run, toolName, argsHash }), occurrence };
}

/** One text for a call's content. Lengths go first, so that no part can pose as another. Part of the stored format. */
function contentName({ runId, toolName, argsHash }: CallContent): string {
  return `${runId.length}:${runId}${toolName.length}:${toolName}${argsHash}`;
}
