/** Small tools for the tests. */

import type { JsonSchema, ToolDefinition, ToolInputSchema } from '@holdfast/tool-registry';

/** A schema that takes everything and shows the given JSON Schema. */
export function anySchema(shown: unknown = { type: 'object' }): ToolInputSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => shown as JsonSchema },
    },
  };
}

/** A tool that answers with its name. */
export function tool(name: string, parts: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: anySchema(),
    execute: () => ({ success: true, output: name }),
    ...parts,
  };
}

export function names(tools: readonly { readonly name: string }[]): string[] {
  return tools.map(({ name }) => name);
}

/** The names on the wire. */
export function wireNames(tools: readonly { readonly function: { readonly name: string } }[]): string[] {
  return tools.map((entry) => entry.function.name);
}

/** What a function throws; fails when it does not. */
export function thrownBy(action: () => unknown): Record<string, unknown> {
  try {
    action();
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('expected a throw');
}
