/** The table of calls and decisions as lines of text. */
import type { CallRow } from '../supervisor/call-table.js';
import type { Colour, Paint } from './paint.js';
import { displayWidth, fit } from './text.js';

type State = CallRow['state'];

const STATES: Readonly<Record<State, readonly [mark: string, word: string, colour: Colour]>> = {
  streaming: ['…', 'writing', 'dim'],
  running: ['◌', 'running', 'dim'],
  waiting: ['◷', 'waiting', 'yellow'],
  executed: ['●', 'executed', 'green'],
  replayed: ['↺', 'replayed', 'cyan'],
  reconciled: ['◆', 'reconciled', 'blue'],
  ambiguous: ['?', 'ambiguous', 'yellow'],
  refused: ['⊘', 'refused', 'yellow'],
  failed: ['!', 'failed', 'red'],
  killed: ['✗', 'killed', 'red'],
};

export interface Columns {
  readonly process: number;
  readonly call: number;
  readonly note: number;
}

const FIXED = { time: 5, decision: 12, outside: 7 } as const;
const GAPS = 2 * 5 + 1;

/** Shares out a terminal's columns. A narrow one goes without the process id, a wide one gives more room to the call. */
export function columnsFor(width: number): Columns {
  const process = width < 96 ? 3 : 10;
  const free = Math.max(20, width - GAPS - FIXED.time - process - FIXED.decision - FIXED.outside);
  const call = Math.min(44, Math.floor(free / 2));
  return { process, call, note: free - call };
}

export function headLine(columns: Columns, paint: Paint): string {
  return paint(
    'dim',
    line(
      ['time', columns.process < 'process'.length ? '#' : 'process', 'call', 'decision', 'outside', ''],
      columns,
    ).trimEnd(),
  );
}

/** @param time The moment that the first cell shows, in seconds; the call's start when not given. */
export function rowLine(row: CallRow, columns: Columns, paint: Paint, time = row.startedAt): string {
  const [mark, word, colour] = STATES[row.state];
  const cells = cellsOf(row, columns, time, `${mark} ${word}`);
  const [at, process, call, decision, outside, note] = cells as [string, string, string, string, string, string];
  return ` ${[
    paint('dim', at),
    process,
    call,
    paint(colour, decision),
    paint('bold', outside),
    paint(row.kill ? 'red' : 'dim', note.trimEnd()),
  ].join('  ')}`;
}

/** What there is to say about a row beside its decision: the kill, and the rest where there is room. */
export function noteOf(row: CallRow, width: number): string {
  if (!row.kill) return row.note;
  const kill = `✗ ${row.kill.moment}`;
  const both = `${kill} · ${row.note}`;
  return row.note !== '' && displayWidth(both) <= width ? both : kill;
}

function cellsOf(row: CallRow, columns: Columns, time: number, decision: string): string[] {
  const call = row.about === '' ? row.tool : `${row.tool} ${row.about}`;
  const texts = [
    time.toFixed(1),
    columns.process < 'process'.length ? `#${row.worker}` : `#${row.worker} ${row.pid}`,
    call,
    decision,
    row.outside,
    noteOf(row, columns.note),
  ];
  return fitAll(texts, columns);
}

function line(texts: readonly string[], columns: Columns): string {
  return ` ${fitAll(texts, columns).join('  ')}`;
}

function fitAll([time, process, call, decision, outside, note]: readonly string[], columns: Columns): string[] {
  return [
    (time ?? '').padStart(FIXED.time),
    fit(process ?? '', columns.process),
    fit(call ?? '', columns.call),
    fit(decision ?? '', FIXED.decision),
    fit(outside ?? '', FIXED.outside),
    fit(note ?? '', columns.note),
  ];
}
