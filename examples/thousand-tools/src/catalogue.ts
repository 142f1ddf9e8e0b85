/** Tools from a JSON file: to be searched and loaded, not to be called. */

import { readFile, stat } from 'node:fs/promises';
import { HoldfastError, type ToolDefinition, type ToolRegistry, toToolName } from '@holdfast/tool-registry';
import { jsonSchema } from '@holdfast/tool-registry/json-schema';

/** The largest file that is read, in bytes, and the most tools that are taken from it. */
const MAX_BYTES = 100_000_000;
const MAX_TOOLS = 50_000;

/** The file cannot be used at all; the message is for the person who named it. */
export class CatalogueError extends Error {}

export interface CatalogueReport {
  readonly added: number;
  /** Tools that were left out, and why. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Reads a list of tools, bare or as the `tools` of an object.
 *
 * @throws {CatalogueError} for a file that is missing, too large, no JSON, or holds no list
 */
export async function readCatalogue(file: string): Promise<readonly unknown[]> {
  const tools = listIn(await parse(file));
  if (tools === undefined) throw new CatalogueError(`${file}: expected a list of tools, or an object with "tools".`);
  if (tools.length > MAX_TOOLS) throw new CatalogueError(`${file}: ${tools.length} tools; at most ${MAX_TOOLS} fit.`);
  return tools;
}

/** Registers each tool that can be taken as deferred. Names become `server__name`, made legal where they have to be. */
export function registerCatalogue(registry: ToolRegistry, tools: readonly unknown[]): CatalogueReport {
  const refused: { name: string; reason: string }[] = [];
  for (const [index, tool] of tools.entries()) {
    try {
      registry.register(definition(tool), 'deferred');
    } catch (error) {
      if (!(error instanceof CatalogueError || HoldfastError.isInstance(error))) throw error;
      refused.push({ name: nameOf(tool) ?? `tool ${index + 1}`, reason: error.message });
    }
  }
  return { added: tools.length - refused.length, refused };
}

async function parse(file: string): Promise<unknown> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes; at most ${MAX_BYTES} are read`);
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CatalogueError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function listIn(value: unknown): readonly unknown[] | undefined {
  const list = field(value, 'tools') ?? value;
  return Array.isArray(list) ? list : undefined;
}

function definition(tool: unknown): ToolDefinition {
  const name = nameOf(tool);
  if (name === undefined) throw new CatalogueError('It has no name.');
  const server = field(tool, 'server');
  const description = field(tool, 'description');
  const schema = field(tool, 'inputSchema') ?? { type: 'object' };
  if (typeof schema !== 'object') throw new CatalogueError('Its inputSchema is no object.');
  const prefix = typeof server === 'string' && server !== '' ? `${server}__` : '';
  return {
    name: toToolName(name.startsWith(prefix) ? name : `${prefix}${name}`),
    description: typeof description === 'string' && description !== '' ? description : name,
    inputSchema: jsonSchema(schema, { costly: 'skip' }),
    ...(prefix !== '' && { provenance: { server: server as string } }),
    execute: async () => ({ success: false, output: 'This tool is only described here: no server is behind it.' }),
  };
}

function nameOf(tool: unknown): string | undefined {
  const name = field(tool, 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
