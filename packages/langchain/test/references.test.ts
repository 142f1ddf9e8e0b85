import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { answers, counted, createAgent, go, observed, scripted, thread } from './support/harness.js';

const references = (options = {}) => ({
  references: { registry: new ToolOutputReferenceRegistry(), ...options },
});

describe('outputs by reference', () => {
  it('puts an earlier output into the arguments, and leaves the reply in the state as the model wrote it', async () => {
    const read = counted('read', () => 'the whole file');
    const send = counted('send');
    const { middleware } = observed({ receipts: undefined as never, ...references() });
    const { model } = scripted([['read', {}]], [['send', { text: 'Report: {{tool0turn0}}!' }]], 'done');
    const agent = createAgent({ model, tools: [read.tool, send.tool], middleware: [middleware] });
    const { messages } = await agent.invoke(go(), thread('a'));
    expect(send.runs).toEqual([{ text: 'Report: the whole file!' }]);
    expect(JSON.stringify(messages.map((message) => message.toJSON()))).toContain('Report: {{tool0turn0}}!');
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

  it('numbers the calls of one reply by their place in it, and does not let them see each other', async () => {
    const read = counted('read', ({ text }) => `out ${text}`);
    const { middleware, decisions } = observed(references());
    const { model } = scripted(
      [['read', { text: 'a' }], ['read', { text: '{{tool0turn0}}' }]],
      [['read', { text: '{{tool0turn0}}+{{tool1turn0}}' }], ['read', { text: '{{tool0turn1}}' }]],
      [['read', { text: '{{tool0turn1}}' }]],
      'done',
    );
    const agent = createAgent({ model, tools: [read.tool], middleware: [middleware] });
    await agent.invoke(go(), thread('a'));
    // The second call of the first two replies names a sibling, or its own reply, and is refused.
    expect(decisions.map(({ decision }) => decision)).toEqual(['refused', 'untracked', 'refused', 'refused', 'untracked']);
    expect(read.runs.map(({ text }) => text)).toEqual(['a']);
  });
});
