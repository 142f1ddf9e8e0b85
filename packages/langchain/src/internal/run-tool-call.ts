/** One tool call from the model's arguments to the message in the history. The order of the steps is a law. */

import type { HoldfastOptions } from '../options.js';
import { brokenAnswer, unresolvedAnswer } from './answers.js';
import { type IncomingCall, placeCall, refuse } from './call.js';
import { effectPolicy } from './effect-policy.js';
import type { ToolOutcome } from './graph-control.js';
import { brokenCallReason } from './metadata.js';
import { prepareCall } from './prepare.js';
import { refusesUnresolved, resolveArguments } from './references.js';
import { runUntracked } from './untracked.js';
import { runWithReceipt } from './with-receipt.js';

/** Resolve, prepare, receipt, execute, store, annotate. */
export async function runToolCall(incoming: IncomingCall, options: HoldfastOptions): Promise<ToolOutcome> {
  const call = placeCall(incoming, options);
  const broken = call.position && brokenCallReason(call.position.reply, call.call.id);
  if (broken !== undefined) return refuse(call, brokenAnswer(call.toolName, broken), broken);

  const policy = effectPolicy(call);
  const { args, unresolved } = resolveArguments(call, call.call.args);
  if (unresolved.length > 0 && refusesUnresolved(call, policy)) {
    return refuse(call, unresolvedAnswer(call.toolName, unresolved), `unresolved references: ${unresolved.join(', ')}`);
  }
  const prepared = await prepareCall(call, args);
  if (prepared.kind === 'refused') return refuse(call, prepared.answer, prepared.reason);
  const ready = { ...prepared, args, unresolved };
  return options.receipts === undefined || policy.effect === 'none'
    ? runUntracked(call, ready)
    : runWithReceipt(call, ready, options.receipts, { ...policy, effect: policy.effect });
}
