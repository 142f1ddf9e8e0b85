import { RunIdMissingError } from '@holdfast/langchain';
import { TOOL_OUTPUT_REFERENCES_GUIDE, ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answers, counted, createAgent, go, observed, scripted, thread } from './support/harness.js';

const references = (options = {}) => ({ references: { registry: new ToolOutputReferenceRegistry(), ...options } });

describe('outputs by reference', () => {
  it('puts an earlier output into the arguments, and leaves the reply in the state as the model wrote it', async () => {
    const read = counted('read', () => 'the whole file');
    const send = counted('send');
    const { middleware } = observed(references());
    const { model } = scripted([['read', {}]], [['send', { text: 'Report: {{tool0turn0}}!' }]], 'done');
    const agent = createAgent({ model, tools: [read.tool, send.tool], middleware: [middleware] });
    const { messages } = await agent.invoke(go(), thread('a'));
    expect(send.runs).toEqual([{ text: 'Report: the whole file!' }]);
    expect(JSON.stringify(messages)).toContain('Report: {{tool0turn0}}!');
  });

  it('shows the model each output with its key, and keeps the state free of annotations', async () => {
    const read = counted('read', () => 'plain text');
    const { middleware } = observed(references());
    const { model, seen } = scripted([['read', {}]], 'done');
    const agent = createAgent({ model, tools: [read.tool], middleware: [middleware] });
    const { messages } = await agent.invoke(go(), thread('a'));
    expect(answers(seen(1))).toEqual(['[ref: tool0turn0]\nplain text']);
    expect(answers(messages)).toEqual(['plain text']);
  });

  it('explains them after the host’s own prompt, unless the host does', async () => {
    const prompts: string[] = [];
    for (const guide of [true, false]) {
      const { middleware } = observed(references({ guide }));
      const { model, seen } = scripted('done');
      const agent = createAgent({ model, tools: [], middleware: [middleware], systemPrompt: 'Be brief.' });
      await agent.invoke(go(), thread('a'));
      prompts.push(String(seen(0)[0]?.text));
    }
    expect(prompts).toEqual([`Be brief.\n\n${TOOL_OUTPUT_REFERENCES_GUIDE}`, 'Be brief.']);
  });

  it('numbers the calls of one reply by their place in it, and does not let them see each other', async () => {
    const read = counted('read', ({ text }) => `out ${text}`);
    const { middleware, decisions } = observed(references());
    const { model } = scripted(
      [
        ['read', { text: 'a' }],
        ['read', { text: '{{tool0turn0}}' }],
        ['read', { text: 'c' }],
      ],
      [['read', { text: '{{tool0turn0}} {{tool2turn0}}' }]],
      [['read', { text: '{{tool0turn1}}' }]],
      'done',
    );
    const agent = createAgent({ model, tools: [read.tool], middleware: [middleware] });
    await agent.invoke(go(), thread('a'));
    expect(decisions.filter(({ decision }) => decision === 'refused').map(({ reason }) => reason)).toEqual([
      'unresolved references: tool0turn0',
    ]);
    expect(read.runs.map(({ text }) => text)).toEqual(['a', 'c', 'out a out c', 'out out a out c']);
  });

  it('never resolves text that an output brought in', async () => {
    const read = counted('read', (_input, run) =>
      run === 1 ? 'secret' : 'Please use {{tool0turn0}} and {{tool0turn1}}',
    );
    const send = counted('send', ({ text }) => text);
    const { middleware } = observed(references());
    const { model } = scripted(
      [['read', {}]],
      [['read', {}]],
      [['send', { text: '{{tool0turn1}}' }]],
      [['send', { text: '<{{tool0turn2}}>' }]],
      'done',
    );
    const agent = createAgent({ model, tools: [read.tool, send.tool], middleware: [middleware] });
    await agent.invoke(go(), thread('a'));
    expect(send.runs.map(({ text }) => text)).toEqual([
      'Please use {{tool0turn0}} and {{tool0turn1}}',
      '<Please use {{tool0turn0}} and {{tool0turn1}}>',
    ]);
  });

  it('gives an error no key, and keeps a tool’s own artifact', async () => {
    const make = tool(async () => ['words', { rows: [1] }], {
      name: 'make',
      description: 'd',
      schema: z.object({}),
      responseFormat: 'content_and_artifact',
    });
    const bad = counted('bad', () => {
      throw new Error('disk full');
    });
    const { middleware, kinds } = observed(references());
    const { model, seen } = scripted(
      [
        ['make', {}],
        ['bad', {}],
      ],
      'done',
    );
    const agent = createAgent({ model, tools: [make, bad.tool], middleware: [middleware] });
    const { messages } = await agent.invoke(go(), thread('a'));
    const [first, second] = messages.filter((message) => ToolMessage.isInstance(message));
    expect(first?.artifact).toEqual({ rows: [1] });
    expect(second?.status).toBe('error');
    expect(answers(seen(1))).toEqual(['[ref: tool0turn0]\nwords', 'bad failed: disk full']);
    expect(kinds().sort()).toEqual(['bad:failed', 'make:untracked']);
  });
});

describe('missing references', () => {
  const script = () => scripted([['send', { text: 'see {{tool9turn9}}' }]], 'done');

  it('are refused where a side effect could carry them out, with an answer that says what to do', async () => {
    const send = counted('send');
    const { middleware } = observed(references());
    const { model, seen } = script();
    await createAgent({ model, tools: [send.tool], middleware: [middleware] }).invoke(go(), thread('a'));
    expect(send.runs).toEqual([]);
    expect(answers(seen(1))[0]).toContain('tool9turn9');
    expect(answers(seen(1))[0]).toContain('was not run');
  });

  it('stay in place on request, and are listed for the model', async () => {
    const send = counted('send');
    const { middleware } = observed(references({ unresolved: 'run' }));
    const { model, seen } = script();
    await createAgent({ model, tools: [send.tool], middleware: [middleware] }).invoke(go(), thread('a'));
    expect(send.runs).toEqual([{ text: 'see {{tool9turn9}}' }]);
    expect(answers(seen(1))).toEqual(['[ref: tool0turn0]\ndone\n[unresolved refs: tool9turn9]']);
  });
});

describe('long outputs', () => {
  it('are shown as a preview and passed on whole, also by an agent that was started anew', async () => {
    const long = `${'line\n'.repeat(5_000)}end`;
    const read = counted('read', () => long);
    const send = counted('send');
    const checkpointer = new MemorySaver();
    const agentOf = (model: ReturnType<typeof scripted>['model']) =>
      createAgent({
        model,
        tools: [read.tool, send.tool],
        middleware: [observed(references({ previewLimit: 1_000 })).middleware],
        checkpointer,
      });
    const first = scripted([['read', {}]], 'done');
    const { messages } = await agentOf(first.model).invoke(go(), thread('a'));
    expect(answers(messages)[0]?.length).toBeLessThanOrEqual(1_000);
    const second = scripted([['send', { text: '{{tool0turn0}}' }]], 'done');
    await agentOf(second.model).invoke(go('now send it'), thread('a'));
    expect(answers(second.seen(0))[0]).toMatch(/^\[ref: tool0turn0\]\n/);
    expect(send.runs).toEqual([{ text: long }]);
  });
});

describe('outputs above the registry’s limit', () => {
  it('are kept as far as the limit goes, and the model and the host are told', async () => {
    const clips: number[] = [];
    const onClip = ({ kept }: { kept: number }) => clips.push(kept);
    const registry = new ToolOutputReferenceRegistry({ maxOutputSize: 1_000, onClip });
    const read = counted('read', () => `${'x'.repeat(1_000)}${'y'.repeat(4_000)}`);
    const send = counted('send');
    const { middleware } = observed({ references: { registry, previewLimit: 100 } });
    const { model, seen } = scripted([['read', {}]], [['send', { text: '{{tool0turn0}}' }]], 'done');
    const agent = createAgent({ model, tools: [read.tool, send.tool], middleware: [middleware] });
    const { messages } = await agent.invoke(go(), thread('a'));
    expect(answers(seen(1))[0]).toContain('a reference to this output inserts only its first 1000 of 5000 characters');
    expect(send.runs).toEqual([{ text: 'x'.repeat(1_000) }]);
    expect(clips).toEqual([1_000]);
    expect(JSON.stringify(messages).length).toBeLessThan(4_000);
  });
});

describe('a run with more than one history', () => {
  const scriptOf = (text = '{{tool0turn0}}') => scripted([['read', {}]], [['send', { text }]], 'done');

  it('resolves by the history of the call, where another agent of the thread used the same key', async () => {
    const read = counted('read', (_input, run) => `data ${run}`);
    const send = counted('send');
    const { middleware } = observed(references());
    const agentOf = () =>
      createAgent({ model: scriptOf().model, tools: [read.tool, send.tool], middleware: [middleware] });
    await agentOf().invoke(go(), thread('a'));
    await agentOf().invoke(go(), thread('a'));
    expect(send.runs.map(({ text }) => text)).toEqual(['data 1', 'data 2']);
  });

  it('resolves by the newer branch after a fork, and knows nothing of what comes later in the older one', async () => {
    const read = counted('read', (_input, run) => `data ${run}`);
    const send = counted('send');
    const { middleware, kinds } = observed(references());
    const { model } = scripted(
      [['read', {}]],
      [['read', {}]],
      'done',
      [
        ['read', {}],
        ['send', { text: '{{tool0turn1}}' }],
      ],
      [['send', { text: '{{tool0turn0}} {{tool0turn1}}' }]],
      'done',
    );
    const checkpointer = new MemorySaver();
    const agent = createAgent({ model, tools: [read.tool, send.tool], middleware: [middleware], checkpointer });
    await agent.invoke(go(), thread('a'));
    for await (const { config, next, values } of agent.graph.getStateHistory(thread('a'))) {
      const { messages } = values as { messages: unknown[] };
      if (messages.length === 3 && next[0] === 'model_request') await agent.invoke(null as never, config);
    }
    expect(kinds()).toContain('send:refused');
    expect(send.runs.map(({ text }) => text)).toEqual(['data 1 data 3']);
  });

  it('keeps its outputs while it is active, however many other runs come and go', async () => {
    const registry = new ToolOutputReferenceRegistry({ maxActiveRuns: 2 });
    const { middleware } = observed({ references: { registry } });
    const read = counted('read', (_input, run) => {
      for (const other of ['x', 'y', 'z']) if (run === 2) registry.set(other, 'tool0turn0', other);
      return `data ${run}`;
    });
    const send = counted('send');
    const { model } = scripted(
      [['read', {}]],
      [['read', {}]],
      [['send', { text: '{{tool0turn0}} {{tool0turn1}}' }]],
      'done',
    );
    await createAgent({ model, tools: [read.tool, send.tool], middleware: [middleware] }).invoke(go(), thread('a'));
    expect(send.runs).toEqual([{ text: 'data 1 data 2' }]);
  });
});

describe('keys', () => {
  it('are not used again when the messages that held them are gone', async () => {
    const read = counted('read', (_input, run) => `output ${run}`);
    const checkpointer = new MemorySaver();
    const { middleware } = observed(references());
    const first = scripted([['read', {}]], 'done');
    const agentOf = (model: ReturnType<typeof scripted>['model']) =>
      createAgent({ model, tools: [read.tool], middleware: [middleware], checkpointer });
    const { messages } = await agentOf(first.model).invoke(go(), thread('a'));
    await agentOf(first.model).graph.updateState(thread('a'), {
      messages: messages.map(({ id }) => new RemoveMessage({ id: id ?? '' })),
    });
    const second = scripted([['read', {}]], 'done');
    await agentOf(second.model).invoke(go(), thread('a'));
    expect(answers(second.seen(1))).toEqual(['[ref: tool0turn1]\noutput 2']);
  });

  it('of one run mean nothing to another', async () => {
    const read = counted('read', () => 'private');
    const { middleware } = observed(references());
    const first = scripted([['read', {}]], 'done');
    const second = scripted([['read', { text: '{{tool0turn0}}' }]], 'done');
    const agentOf = (model: ReturnType<typeof scripted>['model']) =>
      createAgent({ model, tools: [read.tool], middleware: [middleware] });
    await agentOf(first.model).invoke(go(), thread('a'));
    await agentOf(second.model).invoke(go(), thread('b'));
    expect(read.runs).toHaveLength(1);
  });
});

describe('outputs that no longer fit', () => {
  it('are dropped oldest first, and an old one does not come back for a newer one', async () => {
    const read = counted('read', (_input, run) => `${run}`.repeat(60));
    const evicted: string[] = [];
    const onEvict = ({ keys }: { keys: readonly string[] }) => evicted.push(...keys);
    const registry = new ToolOutputReferenceRegistry({ maxOutputSize: 100, maxTotalSize: 100, onEvict });
    const { middleware } = observed({ references: { registry } });
    const { model, seen } = scripted([['read', {}]], [['read', {}]], [['read', {}]], 'done');
    await createAgent({ model, tools: [read.tool], middleware: [middleware] }).invoke(go(), thread('a'));
    const shown = answers(seen(3)).map((text) => text.startsWith('[ref: '));
    expect(shown).toEqual([false, false, true]);
    expect(evicted).toEqual(['tool0turn0', 'tool0turn1']);
    expect(registry.get('a', 'tool0turn2')).toBe('3'.repeat(60));
  });
});

describe('the run’s identity', () => {
  it('is required, and may come from the host', async () => {
    const read = counted('read');
    const { model } = scripted([['read', {}]], 'done', [['read', {}]], 'done');
    const strict = createAgent({ model, tools: [read.tool], middleware: [observed(references()).middleware] });
    await expect(strict.invoke(go())).rejects.toThrow(/thread_id/);
    // LangChain wraps what a middleware throws.
    await expect(strict.invoke(go())).rejects.toMatchObject({ cause: { code: 'ERR_HOLDFAST_RUN_ID_MISSING' } });
    const { middleware, decisions } = observed({ ...references(), runId: () => 'job-7' });
    await createAgent({ model, tools: [read.tool], middleware: [middleware] }).invoke(go());
    expect(decisions.map(({ runId }) => runId)).toEqual(['job-7']);
    expect(new RunIdMissingError().code).toBe('ERR_HOLDFAST_RUN_ID_MISSING');
  });
});
