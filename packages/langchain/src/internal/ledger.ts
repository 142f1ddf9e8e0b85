/** What a run must not forget when its messages are summarised away: kept in the agent's state, beside the messages. */

import { isPlainObject } from '@holdfast/kernel';
import type { BaseMessage } from '@langchain/core/messages';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { highestTurn, settledEntry } from './history.js';
import { readCallRecord } from './metadata.js';

/** The key in the agent's state. The leading underscore keeps it out of the agent's input and output. */
export const LEDGER_KEY = '_holdfast';

/**
 * Most contents of calls whose occurrences are remembered without their messages. One that is forgotten starts from 0
 * again, so that a repeat of its call is answered with what is recorded, and nothing runs that had run before.
 */
const MAX_SETTLED = 1_000;

/** Counters of a run. Part of the stored format. */
export interface RunLedger {
  /** The turn of the newest reply that called tools. */
  readonly turn: number;
  /** By a call's content, least recently used first: the occurrences that ended with a recorded result. */
  readonly settled: Readonly<Record<string, readonly number[]>>;
  /** Tools that the run has made available. */
  readonly activated: readonly string[];
}

/** Reads the ledger from the agent's state, or `undefined` when there is none of the right shape. */
export function readLedger(state: unknown): RunLedger | undefined {
  const ledger = isPlainObject(state) ? state[LEDGER_KEY] : undefined;
  if (!isPlainObject(ledger) || typeof ledger['turn'] !== 'number') return undefined;
  if (!isPlainObject(ledger['settled']) || !Array.isArray(ledger['activated'])) return undefined;
  // Its shape has just been looked at, which the compiler does not follow through an index signature.
  return ledger as unknown as RunLedger;
}

/** The ledger after a reply: what the messages add to it and, when the reply calls tools, the reply's turn. */
export function advanceLedger(messages: readonly BaseMessage[], ledger: RunLedger | undefined): RunLedger {
  const reply = messages.at(-1);
  const callsTools = reply !== undefined && AIMessage.isInstance(reply) && (reply.tool_calls?.length ?? 0) > 0;
  const turn = Math.max(ledger?.turn ?? -1, highestTurn(messages));
  return {
    turn: callsTools ? turn + 1 : turn,
    settled: foldSettled(messages, ledger?.settled ?? {}),
    activated: activatedTools(messages, ledger),
  };
}

/** The tools that a run has made available, in the order in which it did. */
export function activatedTools(messages: readonly BaseMessage[], ledger: RunLedger | undefined): readonly string[] {
  const names = new Set(ledger?.activated ?? []);
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) for (const name of readCallRecord(message).activated ?? []) names.add(name);
  }
  return [...names];
}

function foldSettled(messages: readonly BaseMessage[], settled: RunLedger['settled']): RunLedger['settled'] {
  const folded = new Map(Object.entries(settled));
  for (const message of messages) {
    const entry = settledEntry(message);
    if (entry === undefined) continue;
    const known = folded.get(entry.name) ?? [];
    // Setting a deleted name puts it last, so the first names are those that were used least recently.
    folded.delete(entry.name);
    folded.set(entry.name, known.includes(entry.occurrence) ? known : [...known, entry.occurrence]);
  }
  return Object.fromEntries([...folded].slice(-MAX_SETTLED));
}
