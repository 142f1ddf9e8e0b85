/** Reading one receipt whole. */

import type { ReceiptDetail, ToolCallReceiptKey } from '@holdfast/receipts';
import { decodeStoredText, detailReceipt } from '@holdfast/receipts/store';
import { namesOf } from './key-names.js';
import { listOf, numberOf, rowOf, textOf } from './replies.js';
import { type ScriptRunner, scriptOf } from './script-runner.js';
import { READ_WHOLE } from './scripts/shelf.js';

const READ_WHOLE_SCRIPT = scriptOf(READ_WHOLE);
const STEP = 'step:';

export async function readReceipt(
  runner: ScriptRunner,
  prefix: string,
  key: ToolCallReceiptKey,
): Promise<ReceiptDetail | undefined> {
  const [time, ...pairs] = listOf(await runner.run(READ_WHOLE_SCRIPT, [namesOf(prefix, key).receipt], []));
  if (pairs.length === 0) return undefined;
  const now = numberOf(time);
  const fields = new Map(pairs.flatMap((name, at) => (at % 2 === 0 ? [[textOf(name), pairs[at + 1]] as const] : [])));
  const named = (name: string) => fields.get(name);
  const row = rowOf(['status', 'attempt', 'effect', 'token', 'lease', 'text', 'evidence', 'resolved'].map(named));
  const createdAt = numberOf(fields.get('created'));
  // A receipt that is still in its first attempt has not changed.
  const changedAt = fields.has('changed') ? numberOf(fields.get('changed')) : createdAt;
  const steps = [...fields]
    .filter(([name]) => name.startsWith(STEP))
    .map(([name, text]) => [decodeStoredText(name.slice(STEP.length)), decodeStoredText(textOf(text))] as const);
  const { tenantId, runId, toolName, argsHash } = key;
  const ages = { ageMs: now - createdAt, sinceChangeMs: now - changedAt };
  return detailReceipt({ tenantId, runId, toolName, argsHash }, row, now, ages, new Map(steps));
}
