/** `node dist/main.js`: starts the servers, takes queries, lines or a task, and ends every process that it started. */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createSearchTool, ToolRegistry } from '@holdfast/tool-registry';
import { CallLog } from './agent/call-log.js';
import { CatalogueError, readCatalogue, registerCatalogue } from './catalogue.js';
import { type Options, readOptions, USAGE, UsageError } from './options.js';
import { count, number, screenOn } from './screen.js';
import { type FleetReport, ServerFleet } from './server-fleet.js';
import { HELP, Shell, serverLines } from './shell.js';
import { wireTokens, wireTokensWith } from './wire.js';

const screen = screenOn(process.stdout);
const ENDED_BY_SIGNAL = 130;

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) process.stdout.write(USAGE);
  else process.exitCode = await main(options);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof CatalogueError)) throw error;
  process.stderr.write(`${error.message}\n${error instanceof UsageError ? USAGE : ''}`);
  process.exitCode = 2;
}

async function main(options: Options): Promise<number> {
  const catalogues = await Promise.all(options.catalogues.map(readCatalogue));
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'thousand-tools-')));
  const fleet = new ServerFleet({ folder, limitMs: options.startLimitMs });
  const stop = stopOnSignals();
  try {
    return await Promise.race([work(options, fleet, catalogues, stop.signal), signalled(stop.signal)]);
  } finally {
    await fleet.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function work(
  options: Options,
  fleet: ServerFleet,
  catalogues: readonly (readonly unknown[])[],
  signal: AbortSignal,
): Promise<number> {
  const log = new CallLog();
  const registry = new ToolRegistry({ telemetry: log });
  registry.register(createSearchTool(registry, { limit: options.limit }));
  const report = await fleet.start(registry, options.servers);
  if (signal.aborted) return ENDED_BY_SIGNAL;
  for (const [index, tools] of catalogues.entries()) load(registry, options.catalogues[index] ?? '', tools);
  welcome(registry, report);
  if (registry.listNames().length === 1) return 1;
  if (options.agent !== undefined) {
    // LangChain takes half a second to load, and the prompt does without it.
    const { agentCommand } = await import('./agent/agent-command.js');
    return agentCommand({ ...options, registry, log, screen, task: options.agent, signal });
  }
  const shell = new Shell({ registry, screen, report, limit: options.limit });
  if (options.queries.length === 0) await prompt(shell, signal);
  for (const query of options.queries) {
    screen('', `› ${query}`);
    shell.search(query);
  }
  return 0;
}

function load(registry: ToolRegistry, file: string, tools: readonly unknown[]): void {
  const { added, refused } = registerCatalogue(registry, tools);
  screen(`  ${file}: ${count(added, 'tool')}, only described`);
  for (const { name, reason } of refused.slice(0, 3)) screen(`  left out ${name}: ${reason}`);
  if (refused.length > 3) screen(`  and ${number(refused.length - 3)} more that were left out`);
}

function welcome(registry: ToolRegistry, report: FleetReport): void {
  const names = registry.listNames();
  const all = number(wireTokensWith(registry, names));
  const now = number(wireTokens(registry));
  screen(...serverLines(report));
  screen(`${count(names.length - 1, 'tool')}, all deferred.`);
  screen(`Tokens on the wire: ${all} with all of them, ${now} with search_tools alone (4 characters a token).`);
}

/** Line by line, also when they come all at once from a file. */
async function prompt(shell: Shell, signal: AbortSignal): Promise<void> {
  const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const lines = createInterface({ input: process.stdin, ...(terminal && { output: process.stdout }), prompt: '› ' });
  signal.addEventListener('abort', () => lines.close());
  if (terminal) {
    screen(...HELP);
    lines.prompt();
  }
  for await (const line of lines) {
    if (!terminal) screen('', `› ${line}`);
    if ((await shell.take(line)) === 'quit') break;
    if (terminal) lines.prompt();
  }
  if (terminal) screen('');
  lines.close();
}

function stopOnSignals(): AbortController {
  const stop = new AbortController();
  // A reader that has seen enough, as `head` has, is told to us as an error.
  process.stdout.on('error', () => stop.abort());
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  return stop;
}

/** The exit code, as soon as the run is told to end. */
function signalled(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(ENDED_BY_SIGNAL)));
}
