/** Output for a terminal: one screen that is redrawn in place, at most every frame. */
import type { DemoView } from '../supervisor/run-demo.js';
import type { Paint } from './paint.js';
import { type Ending, type Heading, headingLines, type Screen } from './screen.js';
import { columnsFor, headLine, rowLine } from './table.js';

const FRAME_MS = 33;
/** Hides the cursor, and cuts lines at the edge instead of wrapping them, which would upset the count of lines. */
const TAKE_OVER = '\x1b[?25l\x1b[?7l';
const GIVE_BACK = '\x1b[?25h\x1b[?7h';

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

export class LiveScreen implements Screen {
  readonly #terminal: Terminal;
  readonly #heading: Heading;
  readonly #paint: Paint;
  #drawn = 0;
  #view: DemoView | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal, heading: Heading, paint: Paint) {
    this.#terminal = terminal;
    this.#heading = heading;
    this.#paint = paint;
  }

  start(): void {
    this.#terminal.write(TAKE_OVER);
    process.once('exit', () => this.#terminal.write(GIVE_BACK));
    this.#draw([...this.#top(), '', this.#paint('dim', ' process #1 is starting')]);
  }

  change(view: DemoView): void {
    this.#view = view;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#view) this.#draw(this.#frame(this.#view, [this.#progress(this.#view)], this.#room(2)));
    }, FRAME_MS);
  }

  finish(view: DemoView, ending: Ending): void {
    clearTimeout(this.#timer);
    const short = this.#frame(view, ending.proof, view.rows.length);
    const long = this.#frame(view, [...ending.byKill, '', ...ending.proof], view.rows.length);
    // The last picture is not drawn over, so its lines may wrap.
    this.#terminal.write(GIVE_BACK);
    this.#draw(long.length < this.#terminal.rows ? long : short);
  }

  #top(): string[] {
    return headingLines(this.#heading, this.#width(), this.#paint);
  }

  #frame(view: DemoView, below: readonly string[], maxRows: number): string[] {
    const columns = columnsFor(this.#width());
    const hidden = Math.max(0, view.rows.length - maxRows);
    const rows = view.rows.slice(hidden).map((row) => rowLine(row, columns, this.#paint));
    if (hidden > 0) rows[0] = this.#paint('dim', `        ${hidden + 1} earlier calls`);
    return [...this.#top(), headLine(columns, this.#paint), ...rows, '', ...below];
  }

  #progress({ kills, plannedKills, worker, rows }: DemoView): string {
    const doing = rows.some((row) => row.worker === worker) ? 'is at work' : 'is starting';
    const bar =
      this.#paint('red', '▰'.repeat(kills.length)) + this.#paint('dim', '▱'.repeat(plannedKills - kills.length));
    return ` ${bar}  ${kills.length} of ${plannedKills} kills · process #${worker} ${doing}`;
  }

  // One line is left free so that the terminal never scrolls while it is redrawn.
  #room(below: number): number {
    return Math.max(3, this.#terminal.rows - this.#top().length - 3 - below);
  }

  #width(): number {
    return Math.max(40, Math.min(140, this.#terminal.columns));
  }

  #draw(lines: readonly string[]): void {
    const up = this.#drawn > 0 ? `\x1b[${this.#drawn}A` : '';
    const text = lines.map((line) => `\x1b[2K${line}\n`).join('');
    this.#terminal.write(`${up}\r${text}\x1b[0J`);
    this.#drawn = lines.length;
  }
}
