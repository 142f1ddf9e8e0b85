/** The command line. */

import { parseArgs } from 'node:util';
import { SERVERS, type ServerSpec } from './servers.js';

export const USAGE = `Usage: node dist/main.js [options]           a prompt; without a terminal, lines from the standard input

  --query TEXT       searches, shows the ranked tools, and ends; may be repeated
  --agent TASK       a model searches, loads and calls: words, and for the local model the input as JSON behind them
  --expect NAME      the tool that the task is about
  --model local|openai   openai needs OPENAI_API_KEY; OPENAI_BASE_URL and OPENAI_MODEL are heeded
  --servers LIST     names with commas, or none; default: all
  --catalogue FILE   a JSON list of tools (name, description, inputSchema, server) as well; may be repeated
  --limit N          hits in full, and tools that a search loads: 1 to 20; default: 5
  --start-limit S    seconds that a server may take to start: 1 to 600; default: 30

Servers: ${SERVERS.map(({ server }) => server).join(', ')}
`;

/** The command line asks for something that does not exist. */
export class UsageError extends Error {}

export interface Options {
  readonly help: boolean;
  readonly queries: readonly string[];
  readonly agent: string | undefined;
  readonly expect: string | undefined;
  readonly model: 'local' | 'openai';
  readonly servers: readonly ServerSpec[];
  readonly catalogues: readonly string[];
  readonly limit: number;
  readonly startLimitMs: number;
}

/** @throws {UsageError} */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = parse(args);
  const { agent, expect, model } = values;
  if (model !== 'local' && model !== 'openai') throw new UsageError(`--model is local or openai, not ${model}.`);
  if (model === 'openai' && !env['OPENAI_API_KEY']) throw new UsageError('--model openai needs OPENAI_API_KEY.');
  if (expect !== undefined && agent === undefined) throw new UsageError('--expect goes with --agent.');
  if (agent !== undefined && values.query !== undefined)
    throw new UsageError('--agent and --query do not go together.');
  return {
    help: values.help === true,
    queries: values.query ?? [],
    agent,
    expect,
    model,
    servers: serversNamed(values.servers),
    catalogues: values.catalogue ?? [],
    limit: integer('--limit', values.limit, 20),
    startLimitMs: integer('--start-limit', values['start-limit'], 600) * 1_000,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean' },
        query: { type: 'string', multiple: true },
        agent: { type: 'string' },
        expect: { type: 'string' },
        model: { type: 'string', default: 'local' },
        servers: { type: 'string', default: 'all' },
        catalogue: { type: 'string', multiple: true },
        limit: { type: 'string', default: '5' },
        'start-limit': { type: 'string', default: '30' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function serversNamed(list: string): readonly ServerSpec[] {
  if (list === 'all') return SERVERS;
  if (list === 'none') return [];
  const asked = list.split(',').map((name) => name.trim());
  const unknown = asked.filter((name) => !SERVERS.some(({ server }) => server === name));
  if (unknown.length > 0) throw new UsageError(`No server is named ${unknown.join(', ')}.`);
  return SERVERS.filter(({ server }) => asked.includes(server));
}

function integer(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new UsageError(`${option} takes a whole number from 1 to ${most}, not ${JSON.stringify(text)}.`);
  }
  return value;
}
