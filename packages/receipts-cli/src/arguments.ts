/** The command line: what may be said, and what was. */

import { parseArgs } from 'node:util';
import { messageOf, usageError } from './exit.js';
import { visible } from './visible.js';

const COMMON = {
  store: { type: 'string' },
  schema: { type: 'string' },
  prefix: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const OWN = {
  list: {
    tenant: { type: 'string' },
    run: { type: 'string' },
    status: { type: 'string', multiple: true },
    limit: { type: 'string' },
    after: { type: 'string' },
    all: { type: 'boolean' },
  },
  show: { result: { type: 'boolean' }, steps: { type: 'boolean' } },
  resolve: {
    attempt: { type: 'string' },
    result: { type: 'string' },
    error: { type: 'string' },
    yes: { type: 'boolean', short: 'y' },
  },
  gc: {
    'drop-results-after': { type: 'string' },
    'keep-keys-for': { type: 'string' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
  },
  doctor: {},
} as const;

export type CommandName = keyof typeof OWN;

/** Others refuse words: `--keep-keys-for 1d 12h` without quotes would keep keys for a day, and lose the rest unsaid. */
const TAKES_WORDS: ReadonlySet<CommandName> = new Set(['show', 'resolve']);

/** What was said to a command, by option. */
export interface Arguments {
  readonly words: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
}

export const HELP = `receipts: looks at the receipts of tool calls, and settles those that need a person

  receipts list [--tenant T] [--run R] [--status S]… [--limit N] [--after CURSOR | --all]
  receipts show KEY [--result] [--steps]
  receipts resolve KEY --attempt N happened --result JSON | did-not-happen | give-up --error TEXT   [--yes]
  receipts gc --drop-results-after 30d --keep-keys-for 90d [--dry-run] [--yes]
  receipts doctor

  KEY       TENANT RUN TOOL ARGS_HASH, as list prints it; or a key string; or the key of --json
  --store   postgres://…, redis://…, rediss://…, sqlite:PATH or a path; or HOLDFAST_RECEIPTS_STORE
  --schema  PostgreSQL: the schema of the tables (holdfast)
  --prefix  Redis: what the keys begin with (holdfast:receipts)
  --json    for programs

  list shows what needs somebody, ambiguous receipts first and then expired ones; --status all shows everything.

  exit code 0: done · 1: a finding or a refusal · 2: this help was needed · 3: no store there
`;

export function isCommand(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(OWN, name);
}

export function readArguments(command: CommandName, args: readonly string[]): Arguments {
  let parsed: { readonly values: object; readonly positionals: readonly string[] };
  try {
    parsed = parseArgs({ args: [...args], options: { ...COMMON, ...OWN[command] }, allowPositionals: true });
  } catch (error) {
    throw usageError(messageOf(error));
  }
  const [word] = parsed.positionals;
  if (word !== undefined && !TAKES_WORDS.has(command)) {
    throw usageError(`${command} takes options only, and not ${visible(word)}. A time of two words needs quotes.`);
  }
  const values = parsed.values as Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  return {
    words: parsed.positionals,
    text: (option) => values[option] as string | undefined,
    texts: (option) => (values[option] as readonly string[] | undefined) ?? [],
    flag: (option) => values[option] === true,
  };
}

/** A whole number that an option was given. */
export function wholeNumber(option: string, text: string, lowest: number, highest: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= lowest && number <= highest)) {
    throw usageError(`--${option} takes a whole number from ${lowest} to ${highest}.`);
  }
  return number;
}
