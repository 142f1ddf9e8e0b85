/** What a tool may be called, and the errors for a name that cannot be taken. */

import { cutText, describeValue, HoldfastError } from '@holdfast/kernel';

/**
 * The names that the large model providers accept: 1 to 64 ASCII letters, digits, `_` and `-`. Gemini also wants a letter or
 * `_` first, which `toGeminiTools` checks.
 */
export const TOOL_NAME_PATTERN: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool name that a provider would refuse, and with it the whole request. */
export class InvalidToolNameError extends HoldfastError {
  override readonly name = 'InvalidToolNameError';
  readonly code = 'ERR_HOLDFAST_TOOL_NAME';
  /** The refused name, as it came. */
  readonly toolName: unknown;

  constructor(toolName: unknown) {
    super(
      `A tool name has 1 to 64 characters out of a-z, A-Z, 0-9, "_" and "-"; got ${quoteName(toolName)}. ` +
        'toToolName(text) derives a legal name from any text.',
    );
    this.toolName = toolName;
  }
}

/** Two tools want the same name and neither may shadow the other. */
export class ToolNameCollisionError extends HoldfastError {
  override readonly name = 'ToolNameCollisionError';
  readonly code = 'ERR_HOLDFAST_TOOL_NAME_COLLISION';
  /** The name that is taken. */
  readonly toolName: string;
  /** Where the second tool came from, in the words of the caller. */
  readonly context: string;

  /** @param context - where the second tool came from, for example `register` or `MCP server "files"` */
  constructor(toolName: string, context: string) {
    super(
      `The tool name ${quoteName(toolName)} is already taken (${cutText(context, 200)}). ` +
        'Rename one of the two tools, leave one out, or call replace(tool) to take the place of the first.',
    );
    this.toolName = toolName;
    this.context = context;
  }
}

/**
 * Checks that a name can go to a model provider as it is.
 *
 * @throws {InvalidToolNameError} `ERR_HOLDFAST_TOOL_NAME`
 */
export function assertToolName(name: string): void {
  if (!isToolName(name)) throw new InvalidToolNameError(name);
}

/** Tells whether a value is a legal tool name. */
export function isToolName(name: unknown): boolean {
  return typeof name === 'string' && TOOL_NAME_PATTERN.test(name);
}

function quoteName(name: unknown): string {
  if (typeof name !== 'string') return describeValue(name);
  return name.length <= 100
    ? JSON.stringify(name)
    : `${JSON.stringify(cutText(name, 100))}… (${name.length} characters)`;
}
