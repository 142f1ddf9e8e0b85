/** `receipts resolve` */

import type { ReceiptDetail, ReceiptStore, ReceiptVerdict, ToolCallReceiptKey } from '@holdfast/receipts';
import { type Arguments, wholeNumber } from '../arguments.js';
import { EXIT, type ExitCode, usageError } from '../exit.js';
import { confirms, isInteractive, output } from '../output.js';
import { receiptJson } from '../receipt-json.js';
import { keyWords, parseKey } from '../receipt-key.js';
import { receiptText } from '../receipt-text.js';
import { visibleWithin } from '../visible.js';

const NOTHING = { result: false, steps: false };

/** What came of it, as `--json` says it. */
type Outcome = 'resolved' | 'absent' | 'moved-on' | 'not-confirmed';

export async function resolve(store: ReceiptStore, args: Arguments): Promise<ExitCode> {
  const { key, attempt, verdict } = requestOf(args);
  const asks = !args.flag('yes');
  if (asks && !isInteractive()) {
    throw usageError('There is no terminal to ask on. Pass --yes, once you are sure of the verdict.');
  }
  const before = await store.read(key);
  if (before === undefined) return report(args, 'absent', key, undefined);
  if (!isOpen(before, attempt)) return report(args, 'moved-on', key, before);
  output.say(`${receiptText(before, NOTHING)}\n${planOf(verdict, attempt)}\n`);
  if (asks && !(await confirms('Is that so?'))) return report(args, 'not-confirmed', key, before);
  const { kind } = await store.resolve(key, attempt, verdict);
  const after = await store.read(key);
  return report(args, kind === 'ok' ? 'resolved' : 'moved-on', key, after);
}

/** Whether a verdict on this attempt would count now. The store decides again when it writes. */
function isOpen({ status, attempt }: ReceiptDetail, named: number): boolean {
  return attempt === named && (status === 'ambiguous' || status === 'expired');
}

function requestOf(args: Arguments) {
  const key = parseKey(args.words.slice(0, -1));
  const attempt = args.text('attempt');
  if (attempt === undefined) {
    throw usageError('--attempt N says which attempt the verdict is about: the one that show prints.');
  }
  return { key, attempt: wholeNumber('attempt', attempt, 1, 2 ** 31), verdict: verdictOf(args) };
}

function verdictOf(args: Arguments): ReceiptVerdict {
  const kind = args.words.at(-1);
  const [result, error] = [args.text('result'), args.text('error')];
  if (kind !== 'happened' && result !== undefined) throw usageError('Only the verdict happened has a --result.');
  if (kind !== 'give-up' && error !== undefined) throw usageError('Only the verdict give-up has an --error.');
  switch (kind) {
    case 'happened':
      if (result === undefined || !isJson(result)) {
        throw usageError(
          'happened needs --result with JSON, which later calls are answered with; null if there is none.',
        );
      }
      return { kind, result };
    case 'did-not-happen':
      return { kind };
    case 'give-up':
      if (error === undefined || error.trim() === '')
        throw usageError('give-up needs --error with what later calls are told.');
      return { kind, error };
    default:
      throw usageError('The verdict comes last: happened, did-not-happen or give-up.');
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function planOf(verdict: ReceiptVerdict, attempt: number): string {
  switch (verdict.kind) {
    case 'happened':
      return `You say that attempt ${attempt} happened. Later calls do not run; they get ${visibleWithin(verdict.result, 200)}`;
    case 'did-not-happen':
      return `You say that attempt ${attempt} did not happen. The next call runs the effect, if it may make another attempt.`;
    case 'give-up':
      return `You give the call up after attempt ${attempt}. Later calls are rejected: ${visibleWithin(verdict.error, 200)}`;
  }
}

function report(
  args: Arguments,
  outcome: Outcome,
  key: ToolCallReceiptKey,
  receipt: ReceiptDetail | undefined,
): ExitCode {
  const code = outcome === 'resolved' ? EXIT.ok : EXIT.finding;
  if (args.flag('json')) {
    output.json({ outcome, receipt: receipt === undefined ? null : receiptJson(receipt) });
    return code;
  }
  const now =
    receipt === undefined ? 'There is no receipt any more.' : `The receipt is now:\n\n${receiptText(receipt, NOTHING)}`;
  const said: Readonly<Record<Outcome, string>> = {
    resolved: `Resolved. ${now}`,
    absent: `There is no receipt of ${keyWords(key)}. Nothing was changed.`,
    'moved-on': `Refused: this verdict is not about what the receipt is by now. Nothing was changed. ${now}`,
    'not-confirmed': 'Nothing was changed.',
  };
  const print = outcome === 'resolved' ? output.print : output.say;
  print(`${said[outcome].trimEnd()}\n`);
  return code;
}
