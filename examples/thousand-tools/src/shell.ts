/** The prompt: a person types what they need, loads a tool, calls it. */

import type { ToolExecutionResult, ToolRegistry } from '@holdfast/tool-registry';
import { clipped, number, type Screen } from './screen.js';
import { searchLines } from './search-lines.js';
import type { FleetReport } from './server-fleet.js';
import { tokensOf, wireTokens, wireTokensWith } from './wire.js';

/** The longest result that is shown, in characters. */
const MAX_SHOWN = 4_000;
const NAMELESS = 'Which tool? Its name is missing.';

export const HELP: readonly string[] = [
  '  words               tools that do this, and why they were found',
  '  ? words             the same for words that begin like a command',
  '  load NAME…          put tools on the wire',
  '  show NAME           what a model is shown of a tool',
  '  call NAME {json}    run a loaded tool on its server',
  '  wire                what a model is sent now, and what it costs',
  '  servers             processes and their tools',
  '  quit',
];

export interface ShellOptions {
  readonly registry: ToolRegistry;
  readonly screen: Screen;
  readonly report: FleetReport;
  /** How many hits a search shows in full. */
  readonly limit: number;
}

/** Takes lines one after another. */
export class Shell {
  readonly #options: ShellOptions;

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  /** Does what a line says. Gives `quit` when there is nothing more to do. */
  async take(line: string): Promise<'next' | 'quit'> {
    const [word, rest] = firstWord(line.trim());
    if (word === 'quit' || word === 'exit') return 'quit';
    const { screen } = this.#options;
    if (word === '?') this.search(rest);
    else if (word === 'load') this.#load(rest.split(/[\s,]+/).filter(Boolean));
    else if (word === 'show') this.#show(rest);
    else if (word === 'call') screen(...(await this.#call(rest)));
    else if (word === 'wire' && rest === '') this.#wire();
    else if (word === 'servers' && rest === '') screen(...serverLines(this.#options.report));
    else if (word === 'help' && rest === '') screen(...HELP);
    else if (word !== '') this.search(line);
    return 'next';
  }

  search(query: string): void {
    const { registry, screen, limit } = this.#options;
    screen(...searchLines(registry, query, limit));
  }

  #load(asked: readonly string[]): void {
    const { registry, screen } = this.#options;
    const names = asked.map((name) => this.#resolve(name));
    if (names.length === 0) screen(NAMELESS);
    if (names.length === 0 || names.includes(undefined)) return;
    const before = wireTokens(registry);
    registry.activate(names as string[]);
    screen(`loaded ${names.join(', ')}`);
    screen(`  tokens on the wire: ${number(before)} before, ${number(wireTokens(registry))} now`);
  }

  #show(asked: string): void {
    const { registry, screen } = this.#options;
    const name = this.#resolve(asked);
    if (name === undefined) return;
    const fork = registry.fork();
    fork.activate([name]);
    const [sent] = fork.toLLMTools([name]);
    screen(clipped(JSON.stringify(sent, null, 2), MAX_SHOWN), `  ${number(tokensOf(sent))} tokens`);
  }

  async #call(rest: string): Promise<string[]> {
    const [asked, json] = firstWord(rest);
    const name = this.#resolve(asked);
    if (name === undefined) return [];
    let input: unknown;
    try {
      input = json === '' ? {} : JSON.parse(json);
    } catch (error) {
      return [`That is no JSON: ${(error as Error).message}`];
    }
    return resultLines(await this.#options.registry.execute(name, input, {}));
  }

  #wire(): void {
    const { registry, screen } = this.#options;
    const tools = registry.toLLMTools();
    for (const tool of tools) screen(`  ${tool.function.name}  ${number(tokensOf(tool))} tokens`);
    const names = registry.listNames();
    const all = number(wireTokensWith(registry, names));
    screen(`  together ${number(tokensOf(tools))}; with all ${number(names.length - 1)} tools loaded: ${all}`);
  }

  /** The one tool that is meant: by its whole name, or without its server where only one has the name. */
  #resolve(asked: string): string | undefined {
    const { registry, screen } = this.#options;
    if (registry.has(asked)) return asked;
    if (asked === '') {
      screen(NAMELESS);
      return undefined;
    }
    const hits = registry.searchHits(asked, { limit: 6 });
    const named = hits.filter((hit) => hit.named).map(({ tool }) => tool.name);
    if (named.length === 1) return named[0];
    const near = (named.length > 1 ? named : hits.map(({ tool }) => tool.name)).join(', ');
    if (named.length > 1) screen(`Several tools are named ${asked}: ${near}`);
    else screen(`No tool is named ${JSON.stringify(asked)}.${near && ` Near: ${near}.`} “? words” searches.`);
    return undefined;
  }
}

function firstWord(text: string): readonly [word: string, rest: string] {
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
  return [word, rest];
}

function resultLines({ success, output, code }: ToolExecutionResult): string[] {
  return [`${success ? '✓' : '✗'}${code === undefined ? '' : ` ${code}:`} ${clipped(output, MAX_SHOWN)}`];
}

export function serverLines({ started, failed }: FleetReport): string[] {
  return [
    ...started.flatMap(({ server, pid, tools, refused }) => [
      `  ${server.padEnd(12)} ${String(tools).padStart(4)} tools   pid ${pid}`,
      ...refused.map(({ name, reason }) => `    left out ${name}: ${reason}`),
    ]),
    ...failed.map(({ server, reason }) => `✗ ${server.padEnd(12)} did not start: ${reason}`),
  ];
}
