/** What both kinds of output have in common. */
import type { InputFile } from '../input-file.js';
import type { DemoOptions } from '../options.js';
import type { CallRow } from '../supervisor/call-table.js';
import type { DemoView } from '../supervisor/run-demo.js';
import type { Paint } from './paint.js';
import { displayWidth, group, oneLine } from './text.js';

/** Shows a run: on a terminal one screen that changes in place, elsewhere line after line. */
export interface Screen {
  start(): void;
  change(view: DemoView, row: CallRow, what: 'call' | 'kill'): void;
  /** Ends the show with these lines below the table. */
  finish(view: DemoView, ending: Ending): void;
}

/** The last lines, shortest form first: what always fits, and what is added where there is room. */
export interface Ending {
  readonly proof: readonly string[];
  readonly byKill: readonly string[];
}

export interface Heading {
  readonly options: DemoOptions;
  readonly input: InputFile;
  readonly directory: string;
}

/** Who is killed, what is read, and where the run writes. The directory comes out whole, the input's path if it fits. */
export function headingLines({ options, input, directory }: Heading, width: number, paint: Paint): string[] {
  const who = options.without ? 'a plain agent' : 'an agent with Holdfast';
  const title = `${who}, killed at the worst moments`;
  const model = options.model === 'openai' ? 'real model' : 'scripted model';
  const pad = width - 2 - 'crash-proof-agent'.length - 3 - title.length - model.length;
  const reads = (name: string): string =>
    `reads ${oneLine(name)} · ${group(input.bytes)} bytes · writes below ${oneLine(directory)}`;
  const files = displayWidth(reads(input.path)) < width ? reads(input.path) : reads(input.name);
  return [
    ` ${paint('bold', 'crash-proof-agent')} · ${title}${pad > 0 ? ' '.repeat(pad) + paint('dim', model) : ''}`,
    paint('dim', ` ${files}`),
  ];
}
