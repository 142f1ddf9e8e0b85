import type { HoldfastOptions } from '@holdfast/langchain';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { describe, expect, it } from 'vitest';
import { answers, calls, counted, createAgent, go, observed, scripted, type Turn, thread } from './support/harness.js';

/** An agent with a tool that asks another agent, both with the same store and the same outputs. */
function family(inner: readonly Turn[], innerTools: readonly ReturnType<typeof counted>[]) {
  const store = createMemoryReceiptStore();
  const registry = new ToolOutputReferenceRegistry();
  const options: HoldfastOptions = {
    receipts: { store, tenantId: 't', allowVolatile: true, effects: { delegate: 'resumable' } },
    references: { registry },
  };
  const child = observed(options);
  const delegate = counted('delegate', async () => {
    const model = scripted(...inner).model;
    const agent = createAgent({ model, tools: innerTools.map((each) => each.tool), middleware: [child.middleware] });
    const { messages } = await agent.invoke(go());
    return answers(messages).join();
  });
  return { options, child, delegate };
}

describe('an agent inside a tool', () => {
  it('shares neither outputs nor identical calls with its caller, nor with another call of the same tool', async () => {
    const send = counted('send', (_input, n) => `sent ${n}`);
    const { options, child, delegate } = family(
      [[['send', {}]], [['send', { text: '{{tool0turn0}}' }]], 'done'],
      [send],
    );
    const parent = observed(options);
    const { model } = scripted([['send', {}]], [['delegate', { text: 'x' }]], [['delegate', { text: 'y' }]], 'done');
    const agent = createAgent({ model, tools: [send.tool, delegate.tool], middleware: [parent.middleware] });
    const { messages } = await agent.invoke(go(), thread('a'));
    expect(answers(messages)).toEqual(['sent 1', 'sent 2,sent 3', 'sent 4,sent 5']);
    expect(send.runs.map(({ text }) => text)).toEqual([undefined, undefined, 'sent 2', undefined, 'sent 4']);
    expect(child.kinds()).toEqual(Array(4).fill('send:executed'));
  });

  it('does not repeat its calls when its caller’s call is taken up again', async () => {
    const send = counted('send');
    const { options, child, delegate } = family([[['send', {}]], 'done'], [send]);
    let crash = true;
    const fragile = counted('delegate', async (input) => {
      const answer = await delegate.tool.invoke(input);
      if (crash) throw new Error('crash');
      return answer;
    });
    const parent = observed(options);
    const { model } = scripted(
      [['delegate', {}]],
      () => {
        crash = false;
        return calls(['delegate', {}]);
      },
      'done',
    );
    await createAgent({ model, tools: [fragile.tool], middleware: [parent.middleware] }).invoke(go(), thread('a'));
    expect(parent.kinds()).toEqual(['delegate:failed', 'delegate:executed']);
    expect(child.kinds()).toEqual(['send:executed', 'send:replayed']);
    expect(send.runs).toHaveLength(1);
  });
});

describe('agents that share a thread and not its messages', () => {
  it('repeat each other’s calls, unless each is a run of its own', async () => {
    const send = counted('send');
    const receipts = { store: createMemoryReceiptStore(), tenantId: 't', allowVolatile: true };
    const kinds: string[] = [];
    for (const runId of [() => undefined, () => undefined, () => 'a/reviewer']) {
      const watch = observed({ receipts, ...(runId() !== undefined && { runId }) });
      const { model } = scripted([['send', {}]], 'done');
      await createAgent({ model, tools: [send.tool], middleware: [watch.middleware] }).invoke(go(), thread('a'));
      kinds.push(...watch.kinds());
    }
    expect(kinds).toEqual(['send:executed', 'send:replayed', 'send:executed']);
  });
});
