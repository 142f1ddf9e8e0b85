import { describe, expect, it } from 'vitest';
import { killPlan } from '../src/kill-plan.js';
import { canRedraw, createPaint } from '../src/screen/paint.js';
import { columnsFor, headLine, noteOf, rowLine } from '../src/screen/table.js';
import { displayWidth, fit, group, oneLine } from '../src/screen/text.js';
import { row } from './support/rows.js';

const plain = createPaint(false);
const columns = columnsFor(100);
const [firstKill] = killPlan(true);

describe('the table as plain text', () => {
  it('puts every cell under its heading', () => {
    const lines = [
      headLine(columns, plain),
      rowLine(row({ state: 'replayed', note: 'recorded result' }), columns, plain),
      rowLine(
        row({
          startedAt: 31.04,
          worker: 12,
          tool: 'write_report',
          about: '4 parts',
          outside: '1·1·0·0',
          kill: firstKill,
          state: 'killed',
        }),
        columns,
        plain,
      ),
    ];
    expect(lines.join('\n')).toBe(
      [
        '  time  process     call                         decision      outside',
        '   1.2  #1 4711     send_email team@example.com  ↺ replayed    1        recorded result',
        '  31.0  #12 4711    write_report 4 parts         ✗ killed      1·1·0·0  ✗ parts 1, 2 out, 3 not yet',
      ].join('\n'),
    );
  });

  it.each([70, 80, 95, 96, 100, 140])('fits %i columns, whatever the cells hold', (width) => {
    const long = row({ about: '世界'.repeat(90), note: 'n'.repeat(200), outside: '1·1·1·1', pid: 4_194_304 });
    const shared = columnsFor(width);
    expect(displayWidth(rowLine(long, shared, plain))).toBeLessThanOrEqual(width);
    expect(displayWidth(headLine(shared, plain))).toBeLessThanOrEqual(width);
  });

  it('goes without the process id on a narrow terminal', () => {
    expect(rowLine(row(), columnsFor(80), plain)).toMatch(/ #1 {3}send_email /);
  });

  it('has room at 100 columns for each planned kill', () => {
    for (const kill of killPlan(true))
      expect(displayWidth(noteOf(row({ kill }), columns.note))).toBeLessThanOrEqual(columns.note);
  });

  it('shows the kill first and what else is known where there is room', () => {
    const killed = row({ kill: firstKill, note: 'asked outside' });
    expect(noteOf(killed, 80)).toBe('✗ parts 1, 2 out, 3 not yet · asked outside');
    expect(noteOf(killed, 28)).toBe('✗ parts 1, 2 out, 3 not yet');
  });

  it('colours only what is asked for', () => {
    expect(rowLine(row(), columns, createPaint(true))).toContain('\x1b[32m● executed');
    expect(canRedraw(true, {})).toBe(true);
    expect(canRedraw(false, {})).toBe(false);
    for (const env of [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }]) expect(canRedraw(true, env)).toBe(false);
  });
});

describe('text for a terminal', () => {
  it('counts wide characters twice and marks and colours not at all', () => {
    expect(displayWidth('a世👋é\x1b[31mb\x1b[0m')).toBe(7);
    expect(displayWidth('e\u0301')).toBe(1);
  });

  it('fills up and cuts to exactly the width', () => {
    expect(fit('ab', 4)).toBe('ab  ');
    expect(fit('abcdef', 4)).toBe('abc…');
    expect(fit('世界世界', 6)).toBe('世界… ');
    expect(fit('👋👋', 3)).toBe('👋…');
  });

  it('leaves no character that moves the cursor', () => {
    expect(oneLine('a\nb\x1b[2Jc\u202ed\u2028e')).toBe('a b [2Jc d e');
    expect(fit('a\r\nb', 5)).toBe('a b  ');
  });

  it('groups digits', () => {
    expect([0, 999, 1_000, 1_234_567].map(group)).toEqual(['0', '999', '1,000', '1,234,567']);
  });
});
