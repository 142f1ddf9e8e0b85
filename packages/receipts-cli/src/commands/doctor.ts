/** `receipts doctor` */

import type { ReceiptStatus, ReceiptStore, ReceiptSummary } from '@holdfast/receipts';
import type { Arguments } from '../arguments.js';
import type { Connection, Finding, Level } from '../connection.js';
import { inWords } from '../duration.js';
import { EXIT, type ExitCode, messageOf } from '../exit.js';
import { output } from '../output.js';
import { keyWords } from '../receipt-key.js';
import { table } from '../table.js';
import { visible } from '../visible.js';

/** Receipts that are counted one by one; more are said to be more. */
const COUNTED = 10_000;
const PAGE = 1_000;
/** Since when an expired attempt should have been taken over, and a running one is worth a look. */
const LATE_MS = 600_000;
const LONG_MS = 3_600_000;

const SEVERITY: readonly Level[] = ['ok', 'note', 'warning', 'problem'];

interface Tally {
  readonly count: number;
  readonly isWhole: boolean;
  readonly byStatus: Readonly<Partial<Record<ReceiptStatus, number>>>;
  readonly oldest?: ReceiptSummary;
}

export async function doctor(connection: Connection, args: Arguments): Promise<ExitCode> {
  const findings = [...(await connection.inspect())];
  let counts: Tally['byStatus'] | undefined;
  // Which of the two is not allowed, or not there, is what a doctor is asked for.
  let topic = 'schema';
  try {
    const store = await connection.open();
    findings.push({ level: 'ok', topic, text: 'up to date' });
    topic = 'receipts';
    const { found, all } = await countReceipts(store);
    findings.push(...found);
    if (all.isWhole) counts = all.byStatus;
  } catch (error) {
    findings.push({ level: 'problem', topic, text: visible(messageOf(error)) });
  }
  const worst = SEVERITY[Math.max(...findings.map(({ level }) => SEVERITY.indexOf(level)))] as Level;
  if (args.flag('json')) output.json({ worst, findings, ...(counts !== undefined && { counts }) });
  else print(findings);
  return worst === 'ok' || worst === 'note' ? EXIT.ok : EXIT.finding;
}

async function countReceipts(store: ReceiptStore): Promise<{ found: readonly Finding[]; all: Tally }> {
  const open = {
    ambiguous: await tally(store, 'ambiguous'),
    expired: await tally(store, 'expired'),
    running: await tally(store, 'running'),
  };
  const all = await tally(store);
  return { found: [...openFindings(open), countFinding(all)], all };
}

async function tally(store: ReceiptStore, status?: ReceiptStatus): Promise<Tally> {
  const byStatus: Partial<Record<ReceiptStatus, number>> = {};
  let [count, after]: [number, string | undefined] = [0, undefined];
  let oldest: ReceiptSummary | undefined;
  do {
    const page: Awaited<ReturnType<ReceiptStore['list']>> = await store.list({
      limit: PAGE,
      ...(status !== undefined && { status }),
      ...(after !== undefined && { after }),
    });
    for (const receipt of page.receipts) {
      count++;
      byStatus[receipt.status] = (byStatus[receipt.status] ?? 0) + 1;
      if (oldest === undefined || receipt.sinceChangeMs > oldest.sinceChangeMs) oldest = receipt;
    }
    after = page.next;
  } while (after !== undefined && count < COUNTED);
  return { count, isWhole: after === undefined, byStatus, ...(oldest !== undefined && { oldest }) };
}

function openFindings({
  ambiguous,
  expired,
  running,
}: Readonly<Record<'ambiguous' | 'expired' | 'running', Tally>>): readonly Finding[] {
  return [
    openFinding(
      'ambiguous',
      ambiguous,
      'warning',
      'Find out whether it happened (receipts show), and say so: receipts resolve.',
    ),
    openFinding(
      'expired',
      expired,
      (expired.oldest?.sinceChangeMs ?? 0) > LATE_MS ? 'warning' : 'note',
      'The next worker that is given the call takes it over. If none is, the queue has lost it.',
    ),
    openFinding(
      'running',
      running,
      (running.oldest?.sinceChangeMs ?? 0) > LONG_MS ? 'note' : 'ok',
      'It renews its lease, so its worker lives; see whether the effect hangs.',
    ),
  ];
}

function openFinding(topic: string, { count, isWhole, oldest }: Tally, level: Level, advice: string): Finding {
  if (oldest === undefined) return { level: 'ok', topic, text: 'none' };
  const number = isWhole ? String(count) : `${COUNTED} or more`;
  const text = `${number}; the oldest since ${inWords(oldest.sinceChangeMs)}: ${keyWords(oldest.key)}`;
  return { level, topic, text, ...(level !== 'ok' && { advice }) };
}

function countFinding({ count, isWhole, byStatus }: Tally): Finding {
  const parts = Object.entries(byStatus).map(([status, number]) => `${number} ${status}`);
  const text = isWhole ? ['none', parts.join(', ')][Math.min(count, 1)] : `more than ${count}`;
  return { level: 'ok', topic: 'receipts', text: text as string };
}

function print(findings: readonly Finding[]): void {
  const rows = findings.flatMap(({ level, topic, text, advice }) => [
    [level, topic, text],
    ...(advice === undefined ? [] : [['', '', `→ ${advice}`]]),
  ]);
  output.print(table([], rows));
}
