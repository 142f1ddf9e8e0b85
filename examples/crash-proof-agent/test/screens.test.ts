import { describe, expect, it } from 'vitest';
import { killPlan } from '../src/kill-plan.js';
import type { DemoOptions } from '../src/options.js';
import { LiveScreen } from '../src/screen/live-screen.js';
import { createPaint } from '../src/screen/paint.js';
import { PlainScreen } from '../src/screen/plain-screen.js';
import { headingLines } from '../src/screen/screen.js';
import type { DemoView } from '../src/supervisor/run-demo.js';
import { input, row } from './support/rows.js';

const options: DemoOptions = {
  input: undefined,
  without: false,
  model: 'scripted',
  directory: undefined,
  reconcile: true,
};
const heading = { options, input, directory: '/out' };
const paint = createPaint(false);
const ending = { proof: [' proof'], byKill: [' kill 1', ' kill 2'] };
const [kill] = killPlan(true);

function view(rows: DemoView['rows']): DemoView {
  return { rows, kills: kill ? [kill] : [], plannedKills: 7, worker: 2 };
}

describe('the heading', () => {
  it('shortens the input before it would cut the directory', () => {
    const long = {
      ...heading,
      input: { ...input, path: `/very${'/long'.repeat(20)}/notes.md` },
      directory: '/out/here',
    };
    expect(headingLines(long, 100, paint)[1]).toBe(' reads notes.md · 4 bytes · writes below /out/here');
    expect(headingLines(heading, 100, paint)[1]).toBe(' reads /texts/notes.md · 4 bytes · writes below /out');
  });

  it('says which agent and which model run', () => {
    expect(headingLines(heading, 100, paint)[0]).toMatch(/an agent with Holdfast, killed .* scripted model$/);
    const other = { ...heading, options: { ...options, without: true, model: 'openai' } } as const;
    expect(headingLines(other, 100, paint)[0]).toMatch(/a plain agent, killed .* real model$/);
  });
});

describe('PlainScreen', () => {
  it('prints a line for each decision and each kill, and no control codes', () => {
    let out = '';
    const screen = new PlainScreen((text) => (out += text), heading, paint);
    screen.start();
    const open = row({ state: 'running', tool: 'still_open' });
    const done = row({ tool: 'decided' });
    const dead = row({ state: 'killed', tool: 'struck', kill });
    screen.change(view([open]), open, 'call');
    screen.change(view([open, done]), done, 'call');
    screen.change(view([open, done, dead]), dead, 'kill');
    screen.finish(view([open, done, dead]), ending);
    expect(out).toContain('/texts/notes.md · 4 bytes · writes below /out');
    expect(out).not.toContain('still_open');
    expect(out.match(/decided/g)).toHaveLength(1);
    expect(out).toMatch(/struck.*✗ killed.*✗ parts 1, 2 out/);
    expect(out.endsWith(' kill 1\n kill 2\n\n proof\n')).toBe(true);
    expect(out).not.toContain('\x1b');
    expect(out).not.toMatch(/ \n/);
  });
});

describe('LiveScreen', () => {
  /** What a terminal shows after the codes that the screen uses. */
  function shown(out: string): string[] {
    const lines: string[] = [];
    let at = 0;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are what is read here
    for (const [, up, text, below] of out.matchAll(/\x1b\[(\d+)A|\x1b\[2K([^\n]*)\n|(\x1b\[0J)/g)) {
      if (up !== undefined) at -= Number(up);
      else if (below !== undefined) lines.length = at;
      else lines[at++] = text ?? '';
    }
    return lines;
  }

  function terminal(rows: number) {
    return {
      columns: 100,
      rows,
      out: '',
      write(text: string) {
        this.out += text;
      },
    };
  }

  it('ends as one screen, drawn in place, without the per-kill table where it does not fit', () => {
    const small = terminal(9);
    const screen = new LiveScreen(small, heading, paint);
    screen.start();
    const rows = [row({ tool: 'first' }), row({ tool: 'second' })];
    screen.change(view(rows));
    screen.finish(view(rows), ending);
    expect(shown(small.out).map((line) => line.trim().split(/\s+/)[0])).toEqual([
      'crash-proof-agent',
      'reads',
      'time',
      '1.2',
      '1.2',
      '',
      'proof',
    ]);
    expect(small.out.startsWith('\x1b[?25l\x1b[?7l')).toBe(true);
    const [, last] = small.out.split('\x1b[?25h\x1b[?7h');
    expect(last).toContain(' proof\n'); // drawn after the terminal wraps again, so that no word of it is cut off
  });

  it('adds the per-kill table on a tall terminal', () => {
    const tall = terminal(40);
    const screen = new LiveScreen(tall, heading, paint);
    screen.start();
    screen.finish(view([row()]), ending);
    expect(shown(tall.out)).toEqual(expect.arrayContaining([' kill 1', ' kill 2', ' proof']));
  });

  it('keeps the newest calls on a small terminal while it runs', async () => {
    const small = terminal(10);
    const screen = new LiveScreen(small, heading, paint);
    screen.start();
    const drawn = new Promise<void>((resolve) => {
      const write = small.write;
      small.write = (text) => {
        write.call(small, text);
        resolve();
      };
    });
    screen.change(view(Array.from({ length: 20 }, (_, index) => row({ tool: `call_${index}` }))));
    await drawn;
    const lines = shown(small.out);
    expect(lines.length).toBeLessThan(small.rows);
    expect(lines.join('\n')).toContain('call_19');
    expect(lines.join('\n')).not.toContain('call_15');
    expect(lines.join('\n')).toContain('18 earlier calls');
    expect(lines.at(-1)).toContain('1 of 7 kills · process #2');
  });
});
