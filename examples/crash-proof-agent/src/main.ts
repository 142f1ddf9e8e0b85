/** `node dist/main.js`: checks the command line and the input, runs the demo, shows it, and answers with an exit code. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkInput } from './input-file.js';
import { helpText, parseOptions } from './options.js';
import { endingFor } from './screen/ending.js';
import { LiveScreen } from './screen/live-screen.js';
import { canRedraw, createPaint } from './screen/paint.js';
import { PlainScreen } from './screen/plain-screen.js';
import type { Heading, Screen } from './screen/screen.js';
import { prove } from './supervisor/proof.js';
import { runDemo } from './supervisor/run-demo.js';
import { prepareDirectory } from './work-directory.js';

const EXIT = { ok: 0, proofFails: 1, usage: 2 } as const;

// Leaving by way of `exit` gives the terminal its cursor back, and a worker ends with its supervisor.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

// A reader that leaves early, such as `head`, does not change how the run ends.
process.stdout.on('error', () => {});

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const parsed = parseOptions(argv);
  if (parsed.kind === 'help') {
    process.stdout.write(helpText);
    return EXIT.ok;
  }
  if (parsed.kind === 'error') return refuse(`${parsed.message}. Try --help.`);
  const { options } = parsed;
  if (options.model === 'openai' && !process.env['OPENAI_API_KEY']) {
    return refuse('--model openai needs the environment variable OPENAI_API_KEY.');
  }
  const checked = checkInput(options.input ?? defaultInput());
  if (!checked.ok) return refuse(checked.message);
  const prepared = prepareDirectory(options.directory);
  if (!prepared.ok) return refuse(prepared.message);
  return show({ options, input: checked.file, directory: prepared.path });
}

async function show(heading: Heading): Promise<number> {
  const { options, input } = heading;
  const live = canRedraw(process.stdout.isTTY === true, process.env);
  const paint = createPaint(live);
  const screen: Screen = live
    ? new LiveScreen(process.stdout, heading, paint)
    : new PlainScreen((text) => process.stdout.write(text), heading, paint);
  screen.start();
  const outcome = await runDemo({ ...heading, paceMs: live ? 4 : 0 }, screen);
  const proof = prove(outcome, input, options);
  screen.finish(outcome, endingFor(proof, options, outcome.error, paint));
  if (options.without) return proof.repeats > 0 && outcome.error === undefined ? EXIT.ok : EXIT.proofFails;
  return proof.holds ? EXIT.ok : EXIT.proofFails;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return EXIT.usage;
}

// This file is examples/crash-proof-agent/dist/main.js.
function defaultInput(): string {
  return join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'README.md');
}
