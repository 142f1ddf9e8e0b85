/** Receipts as programs read them. The fields are documented in the README and stay. */

import {
  type ReceiptDetail,
  type ReceiptEvidence,
  type ReceiptSummary,
  toolCallReceiptKeyString,
} from '@holdfast/receipts';

/** What of a receipt was asked for, beyond its summary. */
export interface Asked {
  readonly result: boolean;
  readonly steps: boolean;
}

const NOTHING: Asked = { result: false, steps: false };

/** The late result of an attempt is a result, and shown when results are; a late error is shown like any other. */
function evidenceJson({ attempt, kind, text }: ReceiptEvidence, asked: Asked) {
  const shown = (kind === 'failed' || asked.result) && { text };
  return { attempt, kind, chars: text.length, ...shown };
}

export function receiptJson(receipt: ReceiptSummary | ReceiptDetail, asked: Asked = NOTHING) {
  const { key, status, attempt, effect, remainingMs, ageMs, sinceChangeMs, error, evidence } = receipt;
  const detail = 'steps' in receipt ? detailJson(receipt, asked) : {};
  return {
    key,
    keyString: toolCallReceiptKeyString(key),
    status,
    attempt,
    effect,
    ...(remainingMs !== undefined && { remainingMs }),
    ageMs,
    sinceChangeMs,
    ...(error !== undefined && { error }),
    ...(evidence !== undefined && { evidence: evidenceJson(evidence, asked) }),
    ...detail,
  };
}

function detailJson({ result, steps }: ReceiptDetail, asked: Asked) {
  return {
    ...(result !== undefined && { resultChars: result.length, ...(asked.result && { result }) }),
    stepCount: steps.size,
    ...(asked.steps && { steps: [...steps].map(([name, text]) => ({ name, result: text })) }),
  };
}
