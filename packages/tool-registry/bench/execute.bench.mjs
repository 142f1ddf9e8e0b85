/**
 * What the registry costs a call: its checks, its private copies and the run around the tool. The base is the work that
 * no host can leave out, parsing the input and awaiting the tool, with the same schema and handler. Beside it stand the
 * tool of LangChain, and a step of the AI SDK with a model that asks for the tool at once (the step's own work is in
 * that figure). Plain JSON Schema is measured against the bare checker.
 *
 * `with two copies` and `with three copies` are the bare work and as many plain copies, one of three frozen, made without
 * any guard: about what keeping caller, schema, reviewer and tool apart costs at all.
 *
 * Not measured: the tool (it returns at once), the network, a model.
 */

import { Validator } from '@cfworker/json-schema';
import { ToolRegistry } from '@holdfast/tool-registry';
import { jsonSchema } from '@holdfast/tool-registry/json-schema';
import { tool as langchainTool } from '@langchain/core/tools';
import { tool as aiTool, generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { compare } from '../../../scripts/bench.mjs';

const answer = { success: true, output: 'ok' };
const handler = async () => answer;
const context = { allowedTools: ['work'] };

const cases = {
  'two short fields': {
    schema: z.object({ to: z.string(), text: z.string() }),
    input: { to: 'ann@example.com', text: 'Hi' },
  },
  'an order of ten lines': {
    schema: z.object({
      customer: z.object({ id: z.string(), name: z.string(), tags: z.array(z.string()) }),
      lines: z.array(z.object({ sku: z.string(), count: z.number().int(), note: z.string() })),
      deliver: z.boolean(),
    }),
    input: {
      customer: { id: 'c-1', name: 'Ann', tags: ['new', 'priority'] },
      lines: Array.from({ length: 10 }, (_, index) => ({ sku: `sku-${index}`, count: index + 1, note: 'as agreed' })),
      deliver: true,
    },
  },
  'a page of 5,000 characters, checked by a pattern': page(125),
  'a page of 20,000 characters, checked by a pattern': page(500),
};

function page(sentences) {
  return {
    schema: z.object({ path: z.string(), text: z.string().regex(/^[^\0]*$/) }),
    input: { path: 'report.md', text: 'All work and no play makes a long text. '.repeat(sentences) },
  };
}

/** A copy of what JSON can hold, with none of the guards of a copy that can be trusted with any value. */
function plainCopy(value, freeze) {
  if (typeof value !== 'object' || value === null) return value;
  const made = Array.isArray(value) ? [...value] : { ...value };
  for (const key in made) if (typeof made[key] === 'object') made[key] = plainCopy(made[key], freeze);
  return freeze ? Object.freeze(made) : made;
}

async function withCopies({ schema, input }, isPrepared) {
  const value = plainCopy(schema.parse(plainCopy(input)));
  if (isPrepared) plainCopy(value, true);
  return handler(value);
}

function registryOf(inputSchema) {
  const registry = new ToolRegistry();
  registry.register({ name: 'work', description: 'Works.', inputSchema, execute: handler });
  return registry;
}

function prepareAndExecute(registry, input) {
  const { prepared } = registry.prepareExecution('work', input, context);
  return registry.executePrepared(prepared, context);
}

function aiStep(schema, input) {
  const content = [{ type: 'tool-call', toolCallId: 'c', toolName: 'work', input: JSON.stringify(input) }];
  const usage = { inputTokens: {}, outputTokens: {} };
  const finishReason = { unified: 'tool-calls', raw: 'tool_calls' };
  const model = new MockLanguageModelV4({ doGenerate: async () => ({ content, usage, finishReason, warnings: [] }) });
  const tools = { work: aiTool({ description: 'Works.', inputSchema: schema, execute: handler }) };
  return async () => {
    const { toolResults } = await generateText({ model, tools, prompt: 'Work.' });
    if (toolResults[0]?.output !== answer) throw new Error('the AI SDK did not run the tool');
  };
}

for (const [name, call] of Object.entries(cases)) {
  const { schema, input } = call;
  const registry = registryOf(schema);
  const chain = langchainTool(async () => 'ok', { name: 'work', description: 'Works.', schema });
  await compare(`A call with ${name}`, {
    'schema.parse and the call': async () => handler(schema.parse(input)),
    'with two copies': () => withCopies(call, false),
    execute: () => registry.execute('work', input, context),
    'with three copies': () => withCopies(call, true),
    'prepareExecution, executePrepared': () => prepareAndExecute(registry, input),
    'LangChain tool.invoke': () => chain.invoke(input),
    'AI SDK generateText, one step': aiStep(schema, input),
  });
}

const plain = z.toJSONSchema(cases['an order of ten lines'].schema);
const { input } = cases['an order of ten lines'];
const checker = new Validator(plain, '2020-12');
const plainRegistry = registryOf(jsonSchema(plain));
await compare('The order, checked by plain JSON Schema', {
  'validate and the call': async () => checker.validate(input).valid && handler(input),
  execute: () => plainRegistry.execute('work', input, context),
  'prepareExecution, executePrepared': () => prepareAndExecute(plainRegistry, input),
});

const thousand = new ToolRegistry();
thousand.register(
  Array.from({ length: 1_000 }, (_, index) => ({
    name: `tool_${index}`,
    description: 'Works.',
    inputSchema: cases['an order of ten lines'].schema,
    execute: handler,
  })),
);
const rendered = z.toJSONSchema(cases['an order of ten lines'].schema);
await compare('The wire of 1,000 unchanged tools', {
  'an array of ready objects': () => Array.from({ length: 1_000 }, () => rendered),
  toLLMTools: () => thousand.toLLMTools(),
  toAnthropicTools: () => thousand.toAnthropicTools(),
});
