/** The command line. */
import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** The input file as the user named it; the repository's README when not given. */
  readonly input: string | undefined;
  /** Run the same script on a plain agent. */
  readonly without: boolean;
  readonly model: 'scripted' | 'openai';
  /** Where the run writes; a fresh folder below the system's temporary directory when not given. */
  readonly directory: string | undefined;
  /** Settle an interrupted e-mail by asking the outside world. */
  readonly reconcile: boolean;
}

export type ParsedOptions =
  | { readonly kind: 'run'; readonly options: DemoOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'error'; readonly message: string };

export const helpText = `A real LangChain agent, killed at the worst moments, that still does everything exactly once.

Usage: npm run demo -- [options]

  --input FILE     the text file to report on (UTF-8; default: the repository's README.md)
  --without        the same script and the same kills on a plain agent, without Holdfast
  --no-reconcile   do not ask the outside world what became of an interrupted e-mail: it ends as "ambiguous"
  --model openai   a real model instead of the scripted one; needs OPENAI_API_KEY,
                   reads OPENAI_BASE_URL and OPENAI_MODEL (default: gpt-4o-mini)
  --dir DIR        write below DIR, which must be empty or new (default: a new temporary folder)
  --help           this text

Exit code: 0 the proof holds (with --without: the repeated effects were shown), 1 it does not, 2 wrong usage or input.
Without a terminal, and with CI or NO_COLOR set, the demo prints plain lines.
`;

export function parseOptions(argv: readonly string[]): ParsedOptions {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(argv);
  } catch (error) {
    return { kind: 'error', message: (error as Error).message.split('. To specify')[0] ?? '' };
  }
  if (values.help === true) return { kind: 'help' };
  const model = values.model ?? 'scripted';
  if (model !== 'scripted' && model !== 'openai') {
    return { kind: 'error', message: `--model takes "scripted" or "openai", not "${model}"` };
  }
  const empty = (['input', 'dir'] as const).find((name) => values[name] === '');
  if (empty !== undefined) return { kind: 'error', message: `--${empty} needs a value` };
  const options = {
    input: values.input,
    without: values.without ?? false,
    model,
    directory: values.dir,
    reconcile: !(values['no-reconcile'] ?? false),
  } as const;
  if (options.without && !options.reconcile) {
    return { kind: 'error', message: '--no-reconcile has no meaning with --without: a plain agent never asks' };
  }
  return { kind: 'run', options };
}

function parse(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      input: { type: 'string' },
      without: { type: 'boolean' },
      'no-reconcile': { type: 'boolean' },
      model: { type: 'string' },
      dir: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  return values;
}
