/** What every example's main file does around its own part: options, the server, the outside world, the exit code. */

import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { parseArgs } from 'node:util';
import type { Account } from './account.js';
import { type OutsideWorld, startOutsideWorld } from './outside-world.js';

/** The server that an example needs. */
export interface NeededServer {
  readonly name: string;
  /** The environment variable that names it. */
  readonly variable: string;
  /** Where it is if the variable is not set. */
  readonly fallback: string;
}

export const POSTGRES: NeededServer = {
  name: 'PostgreSQL',
  variable: 'HOLDFAST_POSTGRES_URL',
  fallback: 'postgres://postgres@127.0.0.1:5432/postgres',
};

export const REDIS: NeededServer = {
  name: 'Redis',
  variable: 'HOLDFAST_REDIS_URL',
  fallback: 'redis://127.0.0.1:6379',
};

export interface Run {
  /** Whether receipts are used; `false` with `--without`. */
  readonly receipts: boolean;
  readonly serverUrl: string;
  readonly world: OutsideWorld;
  /** Names what the run creates on the server. No other run has it; small letters, digits and underscores. */
  readonly name: string;
  /** Aborts when the person or the system ends the example. */
  readonly signal: AbortSignal;
}

const EXIT = { ok: 0, proofFails: 1, nothingRan: 2, interrupted: 130 } as const;

/** Runs `play` and prints its account. Returns the exit code: 0 only if the account holds. */
export async function runExample(server: NeededServer, play: (run: Run) => Promise<Account>): Promise<number> {
  const parsed = parse();
  if (parsed.kind === 'help') {
    process.stdout.write(helpText(server));
    return EXIT.ok;
  }
  if (parsed.kind === 'wrong') return refuse(`${parsed.message} Try --help.`);
  const serverUrl = process.env[server.variable] || server.fallback;
  if (!URL.canParse(serverUrl)) return refuse(`${server.variable} is not a URL.`);
  const address = addressOf(serverUrl);
  const where = `${address.host}:${address.port}`;
  if (!(await answers(address))) {
    return refuse(`No ${server.name} answers at ${where}. Start one, or name another in ${server.variable}.`);
  }
  return perform(server.name, where, { receipts: parsed.receipts, serverUrl }, play);
}

async function perform(
  serverName: string,
  where: string,
  given: Pick<Run, 'receipts' | 'serverUrl'>,
  play: (run: Run) => Promise<Account>,
): Promise<number> {
  const interrupt = new AbortController();
  for (const signalName of ['SIGINT', 'SIGTERM'] as const) process.once(signalName, () => interrupt.abort());
  const world = await startOutsideWorld();
  const name = `holdfast_example_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  process.stdout.write(`${serverName} at ${where}: everything of this run is in ${name}, and removed at the end.\n`);
  try {
    const { text, holds } = await play({ ...given, world, name, signal: interrupt.signal });
    process.stdout.write(text);
    return holds ? EXIT.ok : EXIT.proofFails;
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    process.stderr.write(`The run broke off: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.proofFails;
  } finally {
    await world.close();
  }
}

type Parsed =
  | { readonly kind: 'run'; readonly receipts: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string };

function parse(): Parsed {
  try {
    const { values } = parseArgs({ options: { without: { type: 'boolean' }, help: { type: 'boolean' } } });
    return values.help ? { kind: 'help' } : { kind: 'run', receipts: !values.without };
  } catch (error) {
    return { kind: 'wrong', message: (error as Error).message };
  }
}

function helpText({ name, variable, fallback }: NeededServer): string {
  return `Usage: node dist/main.js [--without]

  --without   the same jobs and the same kill without receipts

Needs ${name}, at the URL in ${variable} or at ${fallback}.
What the run creates there has a name of its own and is removed at the end.
`;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return EXIT.nothingRan;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf(url: string): Address {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  return { host, port: Number(port) || (protocol.startsWith('redis') ? 6379 : 5432) };
}

function answers(address: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    const settle = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.setTimeout(5_000, () => settle(false));
  });
}
