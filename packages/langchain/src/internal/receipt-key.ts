/** The receipt key of a call: its content, and which of the run's identical calls it is. */

import {
  sha256Digest,
  type ToolCallReceiptKey,
  toolCallArgsHash,
  toolCallOccurrences,
  withOccurrence,
} from '@holdfast/receipts';
import type { ReceiptOptions } from '../options.js';
import { earlierMessages, type PlacedCall } from './call.js';
import { settledOccurrences } from './history.js';
import { resolveArguments } from './references.js';

/** A call's identity. */
export interface CallIdentity {
  readonly key: ToolCallReceiptKey;
  readonly argsHash: string;
  readonly occurrence: number;
}

/**
 * Identifies a call by its resolved arguments.
 *
 * @throws {CanonicalJsonError} `ERR_HOLDFAST_CANONICAL_JSON` when the arguments have no canonical form.
 */
export async function identifyCall(
  call: PlacedCall,
  runId: string,
  args: Record<string, unknown>,
  options: ReceiptOptions,
): Promise<CallIdentity> {
  const digest = options.digest ?? sha256Digest;
  const { toolName } = call;
  const argsHash = await toolCallArgsHash(args, digest);
  const settled = settledOccurrences(earlierMessages(call), { runId, toolName, argsHash }, call.ledger);
  const occurrence = occurrenceAfter(settled, await twinsBefore(call, argsHash, digest));
  const tenantId = typeof options.tenantId === 'function' ? options.tenantId(call.request) : options.tenantId;
  return { key: { tenantId, runId, toolName, argsHash: withOccurrence(argsHash, occurrence) }, argsHash, occurrence };
}

/** How many identical calls stand before this one in the same reply. */
async function twinsBefore(
  call: PlacedCall,
  argsHash: string,
  digest: (text: string) => Promise<string>,
): Promise<number> {
  let twins = 0;
  for (const other of call.position?.calls.slice(0, call.position.index) ?? []) {
    if (other.name !== call.toolName) continue;
    const resolved = resolveArguments(call, other.args);
    // Arguments without a canonical form are refused, so they are nobody's twin.
    const hash = await toolCallArgsHash(resolved.args, digest).catch(() => undefined);
    if (hash === argsHash) twins += 1;
  }
  return twins;
}

/** The law for numbering twins, given which of their numbers hold a result. */
function occurrenceAfter(settled: ReadonlySet<number>, twins: number): number {
  const content = { toolName: '', argsHash: '' };
  const past = Array.from({ length: Math.max(-1, ...settled) + 1 }, (_, n) => ({
    ...content,
    settled: settled.has(n),
  }));
  const numbers = toolCallOccurrences(
    [past],
    Array.from({ length: twins + 1 }, () => content),
  );
  return numbers[twins] ?? 0;
}
