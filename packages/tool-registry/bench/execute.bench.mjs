/**
 * What the registry costs a call: checks, private copies and the run around the tool, against the bare work that no host
 * can leave out (parse the input, await the tool), and against the tool calls of LangChain and the AI SDK.
 *
 * Not measured: the tool itself (it returns at once), the network, the model.
 */

import { ToolRegistry } from '@holdfast/tool-registry';
import { tool as langchainTool } from '@langchain/core/tools';
import { z } from 'zod';
import { compare } from '../../../scripts/bench.mjs';

const inputs = {
  small: { to: 'ann@example.com', text: 'Hi' },
  order: {
    customer: { id: 'c-1', name: 'Ann', tags: ['new', 'priority'] },
    lines: Array.from({ length: 10 }, (_, index) => ({ sku: `sku-${index}`, count: index + 1, note: 'as agreed' })),
    deliver: true,
  },
  page: { path: 'report.md', text: 'All work and no play makes a long text. '.repeat(500) },
};

const schemas = {
  small: z.object({ to: z.string(), text: z.string() }),
  order: z.object({
    customer: z.object({ id: z.string(), name: z.string(), tags: z.array(z.string()) }),
    lines: z.array(z.object({ sku: z.string(), count: z.number().int(), note: z.string() })),
    deliver: z.boolean(),
  }),
  page: z.object({ path: z.string(), text: z.string() }),
};

for (const [name, input] of Object.entries(inputs)) {
  const schema = schemas[name];
  const answer = { success: true, output: 'ok' };
  const handler = async () => answer;
  const registry = new ToolRegistry();
  registry.register({ name: 'work', description: 'Works.', inputSchema: schema, execute: handler });
  const context = { allowedTools: ['work'] };
  const chain = langchainTool(async () => 'ok', { name: 'work', description: 'Works.', schema });

  await compare(`A call with the input "${name}"`, {
    'schema.parse and the call': async () => handler(schema.parse(input)),
    'registry.execute': () => registry.execute('work', input, context),
    'registry.prepare + executePrepared': () => {
      const checked = registry.prepareExecution('work', input, context);
      return registry.executePrepared(checked.prepared, context);
    },
    'LangChain tool.invoke': () => chain.invoke(input),
  });
}
