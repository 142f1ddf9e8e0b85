/** The reports as a table for people. */

import type { Identity } from './books.js';
import type { Report } from './stage.js';

const COLUMNS = [
  'scenario',
  'store',
  'faults',
  'processes',
  'calls',
  'keys',
  'effects',
  'executed',
  'replayed',
  'busy',
  'ambiguous',
  'other',
  'cut short',
  'twice',
  'lost',
  'false amb.',
  'wrong',
  'identities',
];

/** Sums of which the two sides differ, and the four counts that must be zero. */
export function violationsOf({ books, identities }: Report): readonly Identity[] {
  const { twice, lost, falseAmbiguities, wrong } = books;
  const zeros = {
    'effects twice': twice,
    'results lost': lost,
    'false ambiguities': falseAmbiguities,
    'wrong results': wrong,
  };
  const counted = Object.entries(zeros).map(([name, left]) => ({ name, left, right: 0 }));
  return [...identities, ...counted].filter(({ left, right }) => left !== right);
}

/** Faults that were injected. Duplicate deliveries are what receipts are for, and are not counted. */
export function faultsOf({ faults }: Report): number {
  return Object.entries(faults).reduce((sum, [kind, count]) => sum + (kind === 'duplicate delivery' ? 0 : count), 0);
}

export function tableOf(reports: readonly Report[]): string {
  const rows = [COLUMNS, ...reports.map(rowOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number),
        )
        .join('  '),
    )
    .join('\n');
}

function rowOf(report: Report): string[] {
  const { books, identities } = report;
  const shown = ['executed', 'replayed', 'busy', 'ambiguous'];
  const other = [...books.ended].reduce((sum, [kind, count]) => sum + (shown.includes(kind) ? 0 : count), 0);
  const struck = [...books.struck.values()].reduce((sum, count) => sum + count, 0);
  const closed = identities.filter(({ left, right }) => left === right).length;
  const numbers = [faultsOf(report), report.processes, books.calls, books.keys, books.effects];
  const ended = shown.map((kind) => books.ended.get(kind) ?? 0);
  const zeros = [books.twice, books.lost, books.falseAmbiguities, books.wrong];
  const counts = [...numbers, ...ended, other, struck, ...zeros].map(String);
  return [report.scenario, report.store, ...counts, `${closed}/${identities.length}`];
}
