/** The memory as LangChain tools: `memory_append`, `memory_read`, `memory_list`. */

import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import type { MemoryFiles } from './memory-files.js';

const path = { type: 'string', description: 'A Markdown file of the memory, such as "people/ada.md".' } as const;

/**
 * Gives the three verbs as tools whose results are JSON with `ok`. Pass `memory_read` and `memory_list` as
 * `parallelTools` of the loop.
 */
export function memoryFileTools(memory: MemoryFiles): StructuredToolInterface[] {
  return [
    tool(
      async (input: { path?: unknown; text?: unknown }) => JSON.stringify(await memory.append(input.path, input.text)),
      {
        name: 'memory_append',
        description:
          'Adds one note at the end of a file of the memory. Files and folders are made when they are missing.',
        schema: {
          type: 'object',
          properties: { path, text: { type: 'string', description: 'The note, in Markdown.' } },
          required: ['path', 'text'],
        },
      },
    ),
    tool(
      async (input: { path?: unknown; from?: unknown }) => JSON.stringify(await memory.read(input.path, input.from)),
      {
        name: 'memory_read',
        description: 'Reads a file of the memory. A long file comes in parts: pass "next" of the answer as "from".',
        schema: {
          type: 'object',
          properties: { path, from: { type: 'integer', minimum: 0, description: 'The character to begin with.' } },
          required: ['path'],
        },
      },
    ),
    tool(async () => JSON.stringify(await memory.list()), {
      name: 'memory_list',
      description: 'Lists the files of the memory with their sizes in bytes.',
      schema: { type: 'object', properties: {} },
    }),
  ] as StructuredToolInterface[];
}
