/** The end of a call that ran: its output is kept whole beside the message, and the model sees what it can read. */

import { isPlainObject } from '@holdfast/kernel';
import { ToolMessage } from '@langchain/core/messages';
import type { Command } from '@langchain/langgraph';
import { type PlacedCall, remember } from './call.js';
import { isCommand, type ToolOutcome } from './graph-control.js';
import type { CallRecord } from './metadata.js';
import { outputText, shownOutput, storeOutput } from './references.js';

/**
 * Puts what a tool returned into the form that the history keeps; of a command, its message that answers the call. A
 * successful text output gets its key; an error gets none, since there is nothing to refer to.
 */
export function keepOutput(
  call: PlacedCall,
  outcome: ToolOutcome,
  record: CallRecord,
  unresolved: readonly string[],
): ToolOutcome {
  const keep = (message: ToolMessage) => keepMessage(call, message, record, unresolved);
  return isCommand(outcome) ? keepInCommand(call, outcome, keep) : keep(outcome);
}

function keepMessage(
  call: PlacedCall,
  message: ToolMessage,
  record: CallRecord,
  unresolved: readonly string[],
): ToolMessage {
  const annotation = unresolved.length > 0 ? { _unresolvedRefs: [...unresolved] } : {};
  const { references } = call.options;
  const output = message.status === 'error' ? undefined : outputText(message);
  if (references === undefined || call.run === undefined || call.referenceKey === undefined || output === undefined) {
    return remember(call, message, record, { annotation });
  }
  const scope = call.run.outputScope;
  const kept = storeOutput(call, references, scope, call.referenceKey, output);
  return remember(
    call,
    message,
    { ...record, ref: call.referenceKey, scope, output: kept },
    {
      content: shownOutput(references, output, kept),
      annotation: { ...annotation, _refKey: call.referenceKey, _refScope: scope },
    },
  );
}

function keepInCommand(call: PlacedCall, command: Command, keep: (message: ToolMessage) => ToolMessage): Command {
  const update: unknown = command.update;
  if (!isPlainObject(update) || !Array.isArray(update['messages'])) return command;
  const messages = update['messages'].map((message: unknown) =>
    ToolMessage.isInstance(message) && message.tool_call_id === call.call.id ? keep(message) : message,
  );
  const copy = Object.create(Object.getPrototypeOf(command) as object, Object.getOwnPropertyDescriptors(command));
  return Object.assign(copy as Command, { update: { ...update, messages } });
}
