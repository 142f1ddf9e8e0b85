/** `receipts list` */

import type { ReceiptFilter, ReceiptStatus, ReceiptStore, ReceiptSummary } from '@holdfast/receipts';
import { type Arguments, wholeNumber } from '../arguments.js';
import { EXIT, type ExitCode, usageError } from '../exit.js';
import { output } from '../output.js';
import { receiptJson } from '../receipt-json.js';
import { receiptTable } from '../receipt-text.js';
import { shellWord, visible } from '../visible.js';

/** What needs somebody, the most urgent first: nothing but a person settles an ambiguous receipt. */
const NEEDS_SOMEBODY: readonly Listed[] = ['ambiguous', 'expired'];
const STATUSES: readonly Listed[] = [...NEEDS_SOMEBODY, 'running', 'failed', 'rejected', 'completed', 'gone', 'all'];

/** Receipts shown without `--limit`. */
const LIMIT = 50;
/** Receipts asked for at once with `--all`. */
const PAGE = 500;

type Listed = ReceiptStatus | 'all';

interface Page {
  readonly receipts: readonly ReceiptSummary[];
  readonly next?: string;
}

export async function list(store: ReceiptStore, args: Arguments): Promise<ExitCode> {
  const statuses = statusesOf(args);
  const filter = filterOf(args);
  const after = args.text('after');
  if (args.flag('all') && after !== undefined) throw usageError('--all and --after do not go together.');
  if (args.flag('all')) return listAll(store, statuses, filter, args);
  const limit = wholeNumber('limit', args.text('limit') ?? String(LIMIT), 1, 1_000);
  const page = await readPage(store, statuses, { ...filter, limit }, after);
  if (args.flag('json')) {
    output.json({
      receipts: page.receipts.map((each) => receiptJson(each)),
      ...(page.next !== undefined && { next: page.next }),
    });
  } else {
    printPage(page, args);
  }
  return EXIT.ok;
}

async function listAll(
  store: ReceiptStore,
  statuses: readonly Listed[],
  filter: ReceiptFilter,
  args: Arguments,
): Promise<ExitCode> {
  let after: string | undefined;
  let first = true;
  do {
    const page: Page = await readPage(store, statuses, { ...filter, limit: PAGE }, after);
    if (args.flag('json')) for (const receipt of page.receipts) output.jsonLine(receiptJson(receipt));
    else if (page.receipts.length > 0) output.print(receiptTable(page.receipts, first));
    else if (first && page.next === undefined) printNone(args);
    first = false;
    after = page.next;
  } while (after !== undefined);
  return EXIT.ok;
}

/** One page over several statuses, one after the other. Its cursor is the status with the store's own cursor. */
async function readPage(
  store: ReceiptStore,
  statuses: readonly Listed[],
  filter: ReceiptFilter & { readonly limit: number },
  after: string | undefined,
): Promise<Page> {
  let { at, cursor } = readCursor(statuses, after);
  const receipts: ReceiptSummary[] = [];
  for (; at < statuses.length; at++) {
    const status = statuses[at] as Listed;
    const limit = filter.limit - receipts.length;
    if (limit === 0) return { receipts, next: `${status}:` };
    const wanted = { ...filter, limit, ...(status !== 'all' && { status }), ...(cursor !== '' && { after: cursor }) };
    const page = await store.list(wanted);
    receipts.push(...page.receipts);
    if (page.next !== undefined) return { receipts, next: `${status}:${page.next}` };
    cursor = '';
  }
  return { receipts };
}

function readCursor(statuses: readonly Listed[], after: string | undefined): { at: number; cursor: string } {
  if (after === undefined) return { at: 0, cursor: '' };
  const colon = after.indexOf(':');
  const at = statuses.indexOf(after.slice(0, colon) as Listed);
  if (at < 0) throw usageError('--after takes the cursor of the page before, together with the same filters.');
  return { at, cursor: after.slice(colon + 1) };
}

function printPage({ receipts, next }: Page, args: Arguments): void {
  if (receipts.length === 0) printNone(args);
  else output.print(receiptTable(receipts, true));
  if (next !== undefined) output.print(`\nThere is more: --after ${shellWord(next)}\n`);
}

function printNone(args: Arguments): void {
  const isDefault = args.texts('status').length === 0;
  output.print(isDefault ? 'Nothing needs you. --status all lists every receipt.\n' : 'No receipts.\n');
}

function statusesOf(args: Arguments): readonly Listed[] {
  const given = args.texts('status');
  if (given.length === 0) return NEEDS_SOMEBODY;
  for (const status of given) {
    if (!STATUSES.includes(status as Listed)) {
      throw usageError(`--status takes ${STATUSES.join(', ')}; not ${visible(status)}.`);
    }
  }
  return given.includes('all') ? ['all'] : [...new Set(given as Listed[])];
}

function filterOf(args: Arguments): ReceiptFilter {
  const [tenantId, runId] = [args.text('tenant'), args.text('run')];
  return { ...(tenantId !== undefined && { tenantId }), ...(runId !== undefined && { runId }) };
}
