import { type HoldfastOptions, HoldfastToolNode, holdfastModelCall } from '@holdfast/langchain';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import type { BaseMessage } from '@langchain/core/messages';
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { describe, expect, it } from 'vitest';
import { answers, type CallDecision, calls, counted, go, scripted, type Turn, thread } from './support/harness.js';

function graphOf(turns: readonly Turn[], tools: readonly ReturnType<typeof counted>[], options: HoldfastOptions) {
  const { model, seen } = scripted(...turns);
  const decisions: CallDecision[] = [];
  const holdfast = { ...options, onDecision: (decision: CallDecision) => decisions.push(decision) };
  const ask = async (messages: BaseMessage[]) => model.invoke(messages);
  const node = new HoldfastToolNode(
    tools.map((each) => each.tool),
    holdfast,
  );
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }, config) => ({
      messages: await holdfastModelCall(holdfast, messages, config, ask),
    }))
    .addNode('tools', node)
    .addEdge('__start__', 'agent')
    .addConditionalEdges('agent', toolsCondition, ['tools', '__end__'])
    .addEdge('tools', 'agent')
    .compile({ checkpointer: new MemorySaver() });
  return { graph, seen, kinds: () => decisions.map(({ toolName, decision }) => `${toolName}:${decision}`) };
}

const receipts = () => ({ store: createMemoryReceiptStore(), tenantId: 't', allowVolatile: true });

describe('a plain graph', () => {
  it('answers a call of a tool that there is not, and leaves nothing in doubt', async () => {
    const send = counted('send');
    const store = createMemoryReceiptStore();
    const { graph, kinds } = graphOf([[['sned', {}]], 'done'], [send], { receipts: { ...receipts(), store } });
    const { messages } = await graph.invoke(go(), thread('a'));
    expect(answers(messages)).toEqual(['Error: sned is not a valid tool, try one of [send].']);
    expect(kinds()).toEqual(['sned:refused']);
  });

  it('that resumes after an interrupt does not repeat the finished sibling', async () => {
    const send = counted('send');
    const ask = counted('ask', () => `you said ${interrupt('sure?')}`);
    const turns = [calls(['send', {}], ['ask', {}]), 'done'];
    const { graph, kinds } = graphOf(turns, [send, ask], { receipts: receipts() });
    expect(await graph.invoke(go(), thread('a'))).toHaveProperty('__interrupt__');
    const { messages } = await graph.invoke(new Command({ resume: 'yes' }), thread('a'));
    expect(send.runs).toHaveLength(1);
    expect(answers(messages)).toEqual(['done', 'you said yes']);
    expect(kinds()).toEqual(['send:executed', 'send:replayed', 'ask:executed']);
  });

  it('passes outputs by reference and answers what its tools throw', async () => {
    const read = counted('read', () => 'the text');
    const send = counted('send', () => {
      throw new Error('no route');
    });
    const { graph, seen, kinds } = graphOf(
      [calls(['read', {}]), calls(['send', { text: '<{{tool0turn0}}>' }]), calls(['read', {}]), 'done'],
      [read, send],
      { references: { registry: new ToolOutputReferenceRegistry() } },
    );
    const { messages } = await graph.invoke(go(), thread('a'));
    expect(send.runs).toEqual([{ text: '<the text>' }]);
    expect(answers(seen(1))).toEqual(['[ref: tool0turn0]\nthe text']);
    expect(answers(messages)[1]).toBe('send failed: no route');
    expect(kinds()).toEqual(['read:untracked', 'send:failed', 'read:untracked']);
    expect(answers(seen(3))[2]).toBe('[ref: tool0turn1]\nthe text');
  });

  it('checks its model’s replies', async () => {
    const send = counted('send');
    const { graph } = graphOf([calls(['send', {}, 'x']), calls(['send', {}, 'x']), 'done'], [send], {});
    const { messages } = await graph.invoke(go(), thread('a'));
    expect(send.runs).toHaveLength(2);
    expect(answers(messages)).toHaveLength(2);
  });
});
