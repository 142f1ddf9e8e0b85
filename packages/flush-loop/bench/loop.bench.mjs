/**
 * The cost of one iteration (a reply with one tool call, and its answer) with a model and a tool that do nothing:
 * `runFlushLoop` and LangChain's `createAgent` as ratios to two loops written by hand. `bare` keeps the messages, runs
 * the tool and answers the call, and checks nothing. `by hand` also counts appends by what the tool says, answers a tool
 * that throws or that it does not know, gives the tool arguments of its own as `runFlushLoop` does, and stops at the
 * silent token. The copy, by `structuredClone`, is a third of its time: without it, it takes as long as `bare` and a
 * third more, and `runFlushLoop` twice that. Model time, which dwarfs all of them, is not measured.
 *
 *     pnpm build && node bench/loop.bench.mjs
 */

import { runFlushLoop } from '@holdfast/flush-loop';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import { compare } from '../../../scripts/bench.mjs';

const ITERATIONS = 8;

/** Fresh messages each time, as a provider's client makes them; made before the clock starts. */
function replies() {
  const calls = Array.from({ length: ITERATIONS - 1 }, (_, index) => {
    const call = { name: 'memory_append', args: { path: 'a.md', text: `note ${index}` }, id: `call_${index}` };
    return new AIMessage({ content: '', tool_calls: [call] });
  });
  return [...calls, new AIMessage('NO_REPLY')];
}

const opening = () => [new SystemMessage('Keep notes.'), new HumanMessage('Save what matters.')];
const result = '{"ok":true}';
const plainTool = { name: 'memory_append', invoke: async () => result };
const langchainTool = tool(async () => result, {
  name: 'memory_append',
  description: 'Writes a note.',
  schema: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
});

function plainModel() {
  const script = replies();
  let next = 0;
  return { invoke: async () => script[next++] };
}

class ScriptedChatModel extends BaseChatModel {
  script = replies();
  next = 0;
  _llmType() {
    return 'scripted';
  }
  bindTools() {
    return this;
  }
  async _generate() {
    return { generations: [{ text: '', message: this.script[this.next++] }] };
  }
}

async function bare(model, tools) {
  const messages = opening();
  for (let i = 0; i < ITERATIONS; i++) {
    const ai = await model.invoke([...messages]);
    messages.push(ai);
    if (ai.tool_calls.length === 0) break;
    for (const { name, args, id } of ai.tool_calls) {
      const content = await tools.get(name).invoke(args);
      messages.push(new ToolMessage({ content, tool_call_id: id, name, status: 'success' }));
    }
  }
  return messages;
}

async function byHand(model, tools) {
  const messages = opening();
  const report = { messages, iterations: 0, attempted: 0, succeeded: 0, errors: [], finalText: '', silent: false };
  while (report.iterations < ITERATIONS) {
    const ai = await model.invoke([...messages]);
    report.iterations += 1;
    messages.push(ai);
    report.finalText = textOf(ai.content);
    report.silent = report.finalText.trim() === 'NO_REPLY';
    if (!ai.tool_calls?.length) break;
    for (const { name, args, id } of ai.tool_calls) {
      const isAppend = name === 'memory_append';
      if (isAppend) report.attempted += 1;
      const { content, error } = await runByHand(tools, name, structuredClone(args));
      if (error !== undefined) report.errors.push({ iteration: report.iterations, name, id, args, error });
      else if (isAppend) report.succeeded += 1;
      messages.push(
        new ToolMessage({ content, tool_call_id: id, name, status: error === undefined ? 'success' : 'error' }),
      );
    }
  }
  return report;
}

async function runByHand(tools, name, args) {
  try {
    const tool = tools.get(name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    const raw = await tool.invoke(args);
    const content = typeof raw === 'string' ? raw : JSON.stringify(raw);
    const parsed = parsedOrUndefined(content);
    return parsed?.ok === false ? { content, error: parsed.error ?? content } : { content };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    return { content: JSON.stringify({ ok: false, error }), error };
  }
}

function parsedOrUndefined(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

const agents = new WeakMap();
async function byAgent(model) {
  if (!agents.has(model)) agents.set(model, createAgent({ model, tools: [langchainTool] }));
  return (await agents.get(model).invoke({ messages: opening() })).messages;
}

const tools = (one) => new Map([[one.name, one]]);
const holdfast = (model, one) => runFlushLoop({ model, tools: [one], initialMessages: opening() });

for (const [name, run] of Object.entries({
  bare: () => bare(plainModel(), tools(plainTool)),
  hand: async () => (await byHand(plainModel(), tools(plainTool))).messages,
  holdfast: async () => (await holdfast(plainModel(), plainTool)).messages,
  createAgent: () => byAgent(new ScriptedChatModel({})),
})) {
  const messages = await run();
  if (messages.filter((message) => message.getType() === 'tool').length !== ITERATIONS - 1) throw new Error(name);
}

const options = { base: 'by hand', rounds: 9, roundMs: 100 };
await compare(
  `${ITERATIONS} iterations, plain model and tool`,
  {
    bare: { run: () => bare(plainModel(), tools(plainTool)), calls: ITERATIONS },
    'by hand': { run: () => byHand(plainModel(), tools(plainTool)), calls: ITERATIONS },
    runFlushLoop: { run: () => holdfast(plainModel(), plainTool), calls: ITERATIONS },
  },
  options,
);

const agentModel = new ScriptedChatModel({});
await compare(
  `${ITERATIONS} iterations, LangChain model and tool`,
  {
    bare: { run: () => bare(new ScriptedChatModel({}), tools(langchainTool)), calls: ITERATIONS },
    'by hand': { run: () => byHand(new ScriptedChatModel({}), tools(langchainTool)), calls: ITERATIONS },
    runFlushLoop: { run: () => holdfast(new ScriptedChatModel({}), langchainTool), calls: ITERATIONS },
    createAgent: {
      run: () => {
        agentModel.script = replies();
        agentModel.next = 0;
        return byAgent(agentModel);
      },
      calls: ITERATIONS,
    },
  },
  options,
);
