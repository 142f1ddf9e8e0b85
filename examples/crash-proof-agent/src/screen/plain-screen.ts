/** Output for pipes, logs and CI: a line for each decision and each kill. */
import type { CallRow } from '../supervisor/call-table.js';
import type { DemoView } from '../supervisor/run-demo.js';
import type { Paint } from './paint.js';
import { type Ending, type Heading, headingLines, type Screen } from './screen.js';
import { columnsFor, headLine, rowLine } from './table.js';

const WIDTH = 120;

export class PlainScreen implements Screen {
  readonly #write: (text: string) => void;
  readonly #heading: Heading;
  readonly #paint: Paint;
  readonly #columns = columnsFor(WIDTH);

  constructor(write: (text: string) => void, heading: Heading, paint: Paint) {
    this.#write = write;
    this.#heading = heading;
    this.#paint = paint;
  }

  start(): void {
    this.#print([...headingLines(this.#heading, WIDTH, this.#paint), '', headLine(this.#columns, this.#paint)]);
  }

  change(_view: DemoView, row: CallRow, what: 'call' | 'kill'): void {
    if (what === 'call' && (row.state === 'streaming' || row.state === 'running')) return;
    this.#print([rowLine(row, this.#columns, this.#paint, row.changedAt)]);
  }

  finish(_view: DemoView, ending: Ending): void {
    this.#print(['', ...ending.byKill, '', ...ending.proof]);
  }

  #print(lines: readonly string[]): void {
    this.#write(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  }
}
