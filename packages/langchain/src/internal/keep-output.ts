/** The end of a call that ran: its output is kept whole beside the message, and the model sees what it can read. */

import type { ToolMessage } from '@langchain/core/messages';
import { type PlacedCall, remember } from './call.js';
import type { CallRecord } from './metadata.js';
import { outputText, previewOf } from './references.js';

/**
 * Puts a tool's message into the form that the history keeps. A successful text output gets its key; an error gets
 * none, since there is nothing to refer to.
 */
export function keepOutput(
  call: PlacedCall,
  message: ToolMessage,
  record: CallRecord,
  unresolved: readonly string[],
): ToolMessage {
  const annotation = unresolved.length > 0 ? { _unresolvedRefs: [...unresolved] } : {};
  const output = message.status === 'error' ? undefined : outputText(message);
  if (call.referenceKey === undefined || output === undefined) return remember(call, message, record, { annotation });
  return remember(
    call,
    message,
    { ...record, ref: call.referenceKey, output },
    {
      content: previewOf(call, output),
      annotation: { ...annotation, _refKey: call.referenceKey, _refScope: call.runId },
    },
  );
}
