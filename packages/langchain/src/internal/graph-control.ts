/** LangGraph's control flow, which travels as thrown values and as `Command` results. */

import { isPlainObject } from '@holdfast/kernel';
import type { ToolMessage } from '@langchain/core/messages';
import type { Command } from '@langchain/langgraph';

/** What a tool's execution gives: its message, or a command to the graph. */
export type ToolOutcome = ToolMessage | Command;

/** Tells a command from a message, whichever copy of LangGraph made it. */
export function isCommand(outcome: ToolOutcome): outcome is Command {
  return (outcome as { lg_name?: unknown }).lg_name === 'Command';
}

/** Tells whether a thrown value steers the graph (an interrupt, a drain, a command to a parent) and is no failure. */
export function isGraphControlFlow(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { is_bubble_up?: unknown }).is_bubble_up === true;
}

/** Tells whether a thrown value pauses the tool, which starts from its beginning when the graph resumes. */
export function isPause(error: unknown): boolean {
  const name: unknown = isGraphControlFlow(error) ? (error as { name?: unknown }).name : undefined;
  return name === 'GraphInterrupt' || name === 'NodeInterrupt' || name === 'GraphDrained';
}

/** How many of the call's interrupts have been answered before this attempt, as far as LangGraph says. */
export function resumesOf(configurable: Readonly<Record<string, unknown>> | undefined): number {
  const scratchpad = configurable?.['__pregel_scratchpad'];
  const answers = isPlainObject(scratchpad) ? scratchpad['resume'] : undefined;
  return Array.isArray(answers) ? answers.length : 0;
}
