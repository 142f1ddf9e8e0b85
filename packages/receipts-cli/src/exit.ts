/** How the command ends. The codes are part of its contract. */

export const EXIT = {
  /** Done, and nothing to say against it. */
  ok: 0,
  /** A finding, or a refusal: the receipt has moved on, is not there, or somebody said no. */
  finding: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** The store cannot be reached, or is not a store of receipts. */
  unavailable: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message in plain words. */
export class CommandError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}

/** What an error says. The errors of several tried addresses say nothing together, but each for itself. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return [...new Set(error.errors.map(messageOf))].join('; ');
  }
  const { message, code } = (error ?? {}) as { readonly message?: unknown; readonly code?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return typeof code === 'string' ? code : String(error);
}
