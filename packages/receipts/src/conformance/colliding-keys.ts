/** Keys that a careless store takes for one another. */

import type { ToolCallReceiptKey } from '../receipt-key.js';

/** For each way in which a store might join four texts, keys that would meet. */
export function collidingKeys(): readonly ToolCallReceiptKey[] {
  const of = (tenantId: string, runId: string, toolName: string, argsHash: string) => ({
    tenantId,
    runId,
    toolName,
    argsHash,
  });
  const joints = ['', ':', '/', '|', ',', '-', '_', '.', '#', '\n', '\u0000', '\u001f', '","'];
  const meeting = joints.flatMap((joint, index) => [
    of(`t${index}`, `a${joint}b`, 'c', `d${index}`),
    of(`t${index}`, 'a', `b${joint}c`, `d${index}`),
    of(`t${index}`, 'a', 'b', `c${joint}d${index}`),
    of(`t${index}${joint}a`, 'b', 'c', `d${index}`),
  ]);
  return [...meeting, of('', '', '', ''), of('t', '', 'T', ''), of('T', '', 't', '')];
}
