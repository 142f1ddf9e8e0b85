/** Receipts as people read them. */

import type { ReceiptDetail, ReceiptStatus, ReceiptSummary } from '@holdfast/receipts';
import { inWords } from './duration.js';
import type { Asked } from './receipt-json.js';
import { keyWords } from './receipt-key.js';
import { table } from './table.js';
import { visibleWithin } from './visible.js';

/** Characters of one text of a tool that are printed; `--json` prints all. */
const TEXT_CHARS = 2_000;
/** The same, in a list. */
const NOTE_CHARS = 60;

const MEANING: Readonly<Record<ReceiptStatus, string>> = {
  running: 'an attempt is at work',
  expired: 'its attempt stopped reporting; the next worker takes it over',
  ambiguous: 'the effect may or may not have happened; a person has to find out',
  completed: 'the effect has happened, and its result is kept',
  gone: 'the effect has happened; retention has dropped its result',
  failed: 'the effect did not happen; the next call runs it, if it may make another attempt',
  rejected: 'nobody shall try again',
};

export function receiptTable(receipts: readonly ReceiptSummary[], headings: boolean): string {
  const rows = receipts.map((receipt) => [
    receipt.status,
    String(receipt.attempt),
    inWords(receipt.sinceChangeMs),
    keyWords(receipt.key),
    ...(receipt.error === undefined ? [] : [`# ${visibleWithin(receipt.error, NOTE_CHARS)}`]),
  ]);
  return table(headings ? ['STATUS', 'ATTEMPT', 'SINCE', 'KEY: TENANT RUN TOOL ARGS_HASH'] : [], rows);
}

export function receiptText(receipt: ReceiptDetail, asked: Asked): string {
  const { status, attempt, effect, ageMs, sinceChangeMs, remainingMs, error, evidence, result, steps } = receipt;
  const rows: string[][] = [
    ['key', keyWords(receipt.key)],
    ['status', `${status}: ${MEANING[status]}`],
    ['attempt', String(attempt)],
    ['effect', effect],
    ['claimed', `${inWords(ageMs)} ago`],
    ['changed', `${inWords(sinceChangeMs)} ago`],
  ];
  if (remainingMs !== undefined) rows.push(['lease', remainingMs > 0 ? `${inWords(remainingMs)} left` : 'run out']);
  if (error !== undefined) rows.push(['error', visibleWithin(error, TEXT_CHARS)]);
  if (evidence !== undefined) {
    const { attempt: late, kind, text } = evidence;
    const shown = kind === 'failed' || asked.result;
    const said = shown ? visibleWithin(text, TEXT_CHARS) : sizeOf(text, '--result');
    rows.push(['evidence', `attempt ${late} reported late that it ${kind}: ${said}`]);
  }
  if (result !== undefined)
    rows.push(['result', asked.result ? visibleWithin(result, TEXT_CHARS) : sizeOf(result, '--result')]);
  if (steps.size > 0) rows.push(['steps', asked.steps ? String(steps.size) : `${steps.size}; --steps shows them`]);
  const entries = asked.steps
    ? [...steps].map(([name, text]) => [visibleWithin(name, NOTE_CHARS), visibleWithin(text, TEXT_CHARS)])
    : [];
  return table([], rows) + table([], entries, '  ');
}

function sizeOf(text: string, option: string): string {
  return `${text.length} characters; ${option} shows them`;
}
