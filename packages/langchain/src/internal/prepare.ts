/** Whether a call may run: its tool is known and allowed, and its arguments fit. Nothing is claimed before. */

import { invalidAnswer, isUnknownToolAnswer } from './answers.js';
import { CallRefused, type PlacedCall, type ReadyCall, type RunResult } from './call.js';
import { isCommand } from './graph-control.js';
import { prepareRegistryCall } from './registry-call.js';
import { argumentProblem } from './validate-arguments.js';

/** A call that may run, or what the model is told instead. */
export type Preparation =
  | { readonly kind: 'ready'; readonly run: ReadyCall['run'] }
  | { readonly kind: 'refused'; readonly answer: string; readonly reason: string };

/**
 * Prepares a call with its resolved arguments. The agent's own tools are checked against their schema; other names
 * belong to the registry; without one, whoever is further in (another middleware, LangChain itself) answers.
 */
export async function prepareCall(call: PlacedCall, args: Record<string, unknown>): Promise<Preparation> {
  if (call.tool === undefined && call.options.tools !== undefined) {
    return prepareRegistryCall(call, args, call.options.tools);
  }
  const problem = await argumentProblem(call.tool, args);
  if (problem !== undefined) {
    return { kind: 'refused', answer: invalidAnswer(call.toolName, problem), reason: `invalid arguments: ${problem}` };
  }
  return { kind: 'ready', run: () => runAgentTool(call, args) };
}

/** Whether a name without a tool is another middleware's or nobody's is known only from the answer. */
async function runAgentTool(call: PlacedCall, args: Record<string, unknown>): Promise<RunResult> {
  const outcome = await call.execute(args);
  if (call.tool === undefined && !isCommand(outcome) && isUnknownToolAnswer(call.toolName, outcome.content)) {
    throw new CallRefused(String(outcome.content), 'there is no such tool');
  }
  return { outcome };
}
