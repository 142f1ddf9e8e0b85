import { type HoldfastOptions, toToolDefinition } from '@holdfast/langchain';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { type ToolDefinition, ToolRegistry } from '@holdfast/tool-registry';
import { RemoveMessage } from '@langchain/core/messages';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isGraphControlFlow } from '../src/internal/graph-control.js';
import { answers, counted, createAgent, go, observed, scripted, type Turn, thread } from './support/harness.js';

/** A registry with an active `note` and a deferred `send_email`, both of which count their runs. */
function mailRegistry(work?: Parameters<typeof counted>[1], extras: Partial<ToolDefinition> = {}) {
  const note = counted('note');
  const send = counted('send_email', work);
  const registry = new ToolRegistry();
  registry.register(toToolDefinition(note.tool));
  registry.register(toToolDefinition(send.tool, { description: 'Sends an email to somebody.', ...extras }), 'deferred');
  return { registry, note, send };
}

async function run(turns: readonly Turn[], options: HoldfastOptions, own: readonly unknown[] = []) {
  const { model, bound, seen } = scripted(...turns);
  const watch = observed(options);
  const agent = createAgent({ model, tools: own as never[], middleware: [watch.middleware] });
  const { messages } = await agent.invoke(go(), thread('a'));
  return { ...watch, bound, seen, messages };
}

describe('registered tools', () => {
  it('are offered beside the agent’s own, found by search, and called', async () => {
    const { registry, send } = mailRegistry(() => 'sent');
    const read = counted('read');
    const turns: Turn[] = [
      [['search_tools', { query: 'send an email' }]],
      [['send_email', { text: 'hi' }]],
      [['read', {}]],
      'done',
    ];
    const { bound, messages, kinds } = await run(turns, { tools: { registry } }, [read.tool]);
    expect(bound[0]).toEqual(['read', 'note', 'search_tools']);
    expect(bound[1]).toEqual(['read', 'note', 'send_email', 'search_tools']);
    expect(send.runs).toEqual([{ text: 'hi' }]);
    expect(answers(messages)[1]).toBe('sent');
    expect(kinds()).toEqual(['search_tools:untracked', 'send_email:untracked', 'read:untracked']);
  });

  it('may be objects of a class', async () => {
    class Lookup implements ToolDefinition {
      readonly name = 'lookup';
      readonly #answer = 'found';
      get description() {
        return 'Looks things up.';
      }
      get inputSchema() {
        return toToolDefinition(counted('lookup').tool).inputSchema;
      }
      get effect() {
        return 'none' as const;
      }
      isReadOnly() {
        return this.description !== '';
      }
      async execute() {
        return { success: true, output: this.#answer };
      }
    }
    const registry = new ToolRegistry();
    registry.register(new Lookup());
    const tools = { registry, context: () => ({ permissionContext: { mode: 'plan' as const } }) };
    const { messages, kinds } = await run([[['lookup', {}]], 'done'], { tools });
    expect(kinds()).toEqual(['lookup:untracked']);
    expect(answers(messages)).toEqual(['found']);
  });

  it('are refused before they are found, with the way to load them', async () => {
    const { registry, send } = mailRegistry();
    const { messages, kinds } = await run([[['send_email', {}]], 'done'], { tools: { registry } });
    expect(send.runs).toEqual([]);
    expect(kinds()).toEqual(['send_email:refused']);
    expect(answers(messages)[0]).toContain('search_tools');
  });

  it('stay found in their run after a restart, and are not found in another', async () => {
    const { registry } = mailRegistry();
    const checkpointer = new MemorySaver();
    const agentOf = (model: ReturnType<typeof scripted>['model']) =>
      createAgent({ model, tools: [], middleware: [observed({ tools: { registry } }).middleware], checkpointer });
    await agentOf(scripted([['search_tools', { query: 'send_email' }]], 'done').model).invoke(go(), thread('a'));
    const resumed = scripted('done');
    await agentOf(resumed.model).invoke(go(), thread('a'));
    const other = scripted('done');
    await agentOf(other.model).invoke(go(), thread('b'));
    expect(resumed.bound).toEqual([['note', 'send_email', 'search_tools']]);
    expect(other.bound).toEqual([['note', 'search_tools']]);
    expect(registry.getAvailability('send_email')).toBe('deferred');
  });

  it('stay found when the messages of the search are gone', async () => {
    const { registry } = mailRegistry();
    const checkpointer = new MemorySaver();
    const agentOf = (model: ReturnType<typeof scripted>['model']) =>
      createAgent({ model, tools: [], middleware: [observed({ tools: { registry } }).middleware], checkpointer });
    const first = agentOf(scripted([['search_tools', { query: 'send_email' }]], 'done').model);
    const { messages } = await first.invoke(go(), thread('a'));
    const forgotten = messages.map(({ id }) => new RemoveMessage({ id: id ?? '' }));
    await first.graph.updateState(thread('a'), { messages: forgotten });
    const resumed = scripted('done');
    await agentOf(resumed.model).invoke(go(), thread('a'));
    expect(resumed.bound).toEqual([['note', 'send_email', 'search_tools']]);
  });

  it('are listed in the system prompt unless the host writes its own', async () => {
    const { registry } = mailRegistry();
    const first = await run(['done'], { tools: { registry } });
    const second = await run(['done'], { tools: { registry, guide: false } });
    expect(String(first.seen(0)[0]?.text)).toMatch(/^<tool_runtime_contract>.*<deferred_tools>/s);
    expect(JSON.stringify(second.seen(0))).not.toContain('deferred_tools');
  });

  it('may be forbidden to a run: not shown, not found, not run, and not claimed', async () => {
    const { registry, note } = mailRegistry();
    const store = createMemoryReceiptStore();
    const { bound, kinds } = await run([[['note', {}]], 'done'], {
      tools: { registry, context: () => ({ allowedTools: ['search_tools'] }) },
      receipts: { store, tenantId: 't', allowVolatile: true },
    });
    expect(bound[0]).toEqual(['search_tools']);
    expect(note.runs).toEqual([]);
    expect(kinds()).toEqual(['note:refused']);
    expect((await store.list()).receipts).toEqual([]);
  });

  it('may not share a name with the agent’s own', async () => {
    const { registry } = mailRegistry();
    await expect(run(['done'], { tools: { registry } }, [counted('note').tool])).rejects.toThrow(/both have "note"/);
  });

  it('are unknown under another name, and near names are told', async () => {
    const { registry } = mailRegistry();
    const { messages } = await run([[['notes', {}]], 'done'], { tools: { registry } });
    expect(answers(messages)[0]).toMatch(/"notes".*\bnote\b/s);
  });
});

describe('receipts of registered tools', () => {
  const receipts = () => ({ store: createMemoryReceiptStore(), tenantId: 't', allowVolatile: true });

  it('hold what the tool returned, and follow the definition’s effect', async () => {
    const { registry, send, note } = mailRegistry((_input, n) => `sent ${n}`, { effect: 'opaque', pinned: true });
    registry.replace({ ...toToolDefinition(note.tool), effect: 'none' });
    const options = { tools: { registry }, receipts: receipts() };
    const turns: Turn[] = [
      [
        ['send_email', {}],
        ['note', {}],
      ],
      'done',
    ];
    const first = await run(turns, options);
    const again = await run(turns, options);
    expect(send.runs).toHaveLength(1);
    expect(note.runs).toHaveLength(2);
    expect(first.kinds().sort()).toEqual(['note:untracked', 'send_email:executed']);
    expect(again.kinds().sort()).toEqual(['note:untracked', 'send_email:replayed']);
    expect(answers(again.messages)).toContain('sent 1');
  });

  it('know a thrown error from a returned one', async () => {
    const { registry, send } = mailRegistry(
      () => {
        throw new Error('timeout');
      },
      { pinned: true },
    );
    const turns: Turn[] = [[['send_email', {}]], [['send_email', {}]], 'done'];
    const { kinds } = await run(turns, { tools: { registry }, receipts: receipts() });
    expect(send.runs).toHaveLength(1);
    expect(kinds()).toEqual(['send_email:failed', 'send_email:ambiguous']);
  });

  it('let an interrupt through', async () => {
    const { registry } = mailRegistry(() => `answer ${interrupt('sure?')}`, { pinned: true });
    const watch = observed({ tools: { registry }, receipts: receipts() });
    const { model } = scripted([['send_email', {}]], 'done');
    const agent = createAgent({ model, tools: [], middleware: [watch.middleware], checkpointer: new MemorySaver() });
    expect(await agent.invoke(go(), thread('a'))).toHaveProperty('__interrupt__');
    const { messages } = await agent.invoke(new Command({ resume: 'yes' }), thread('a'));
    expect(answers(messages)).toEqual(['answer yes']);
    expect(watch.kinds()).toEqual(['send_email:executed']);
  });
});

describe('a definition made of a LangChain tool', () => {
  it('checks its input by the tool’s schema, and keeps content, artifact and status', async () => {
    const make = tool(async ({ n }: { n: number }) => [`made ${n}`, { n }], {
      name: 'make',
      description: 'Makes things.',
      schema: z.object({ n: z.number() }),
      responseFormat: 'content_and_artifact',
    });
    const registry = new ToolRegistry();
    registry.register(toToolDefinition(make, { searchTerms: ['build'] }));
    expect(registry.toLLMTools()[0]?.function.parameters).toMatchObject({ properties: { n: { type: 'number' } } });
    expect(await registry.execute('make', { n: 1 }, {})).toMatchObject({
      success: true,
      output: 'made 1',
      data: { n: 1 },
    });
    expect(await registry.execute('make', { n: 'x' }, {})).toMatchObject({ success: false, code: 'invalid_input' });
  });

  it('refuses a command, which a registry cannot pass on', async () => {
    const go = tool(async () => new Command({ goto: 'x' }), { name: 'go', description: 'd', schema: z.object({}) });
    await expect(toToolDefinition(go).execute({}, {}, {} as never)).rejects.toThrow(
      /must return text or a ToolMessage/,
    );
  });
});

it('control flow of the graph is told from failures', () => {
  const paused = Object.assign(new Error('pause'), { is_bubble_up: true });
  expect([paused, new Error('no'), undefined, 'text'].map(isGraphControlFlow)).toEqual([true, false, false, false]);
});
