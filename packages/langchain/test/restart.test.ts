import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdfastMiddleware, type ReceiptOptions } from '@holdfast/langchain';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { MemorySaver } from '@langchain/langgraph';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answers,
  type CallDecision,
  counted,
  createAgent,
  go,
  scripted,
  type Turn,
  thread,
} from './support/harness.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-langchain-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Stands for one process: a connection, a registry and an agent of its own. Only files and checkpoints are shared. */
async function inNewProcess<T>(
  checkpointer: MemorySaver,
  tools: readonly ReturnType<typeof counted>[],
  turns: readonly Turn[],
  work: (agent: ReturnType<typeof createAgent>, seen: ReturnType<typeof scripted>['seen']) => Promise<T>,
  onDecision: (decision: CallDecision) => void = () => undefined,
): Promise<T> {
  const database = new Database(join(folder, 'receipts.db'));
  try {
    const store: ReceiptOptions['store'] = openSqliteReceiptStore(
      // libsql declares the statements of a narrower call than it takes.
      database as unknown as Parameters<typeof openSqliteReceiptStore>[0],
    );
    const { model, seen } = scripted(...turns);
    const middleware = holdfastMiddleware({
      receipts: { store, tenantId: 't', effects: { read: 'none' } },
      references: { registry: new ToolOutputReferenceRegistry(), previewLimit: 200 },
      onDecision,
    });
    const agent = createAgent({ model, tools: tools.map((each) => each.tool), middleware: [middleware], checkpointer });
    return await work(agent as never, seen);
  } finally {
    database.close();
  }
}

describe('a process that dies', () => {
  it('between an effect and its checkpoint does not repeat the effect', async () => {
    const checkpointer = new MemorySaver();
    const send = counted('send', (_input, n) => `sent ${n}`);
    const death = inNewProcess(
      checkpointer,
      [send],
      [[['send', {}]]],
      (agent) => agent.invoke(go(), thread('a')),
      ({ decision }) => {
        if (decision === 'executed') throw new Error('killed');
      },
    );
    await expect(death).rejects.toThrow('killed');
    const kinds: string[] = [];
    const { messages } = await inNewProcess(
      checkpointer,
      [send],
      ['done'],
      (agent) => agent.invoke(null as never, thread('a')),
      ({ decision }) => kinds.push(decision),
    );
    expect(send.runs).toHaveLength(1);
    expect(kinds).toEqual(['replayed']);
    expect(answers(messages)).toEqual(['sent 1']);
  });

  it('after a long output finds it again, whole, under its key', async () => {
    const checkpointer = new MemorySaver();
    const long = `first\n${'x'.repeat(10_000)}\nlast`;
    const read = counted('read', () => long);
    const send = counted('send');
    const death = inNewProcess(
      checkpointer,
      [read, send],
      [[['read', {}]], () => new Error('killed') as never],
      (agent) => agent.invoke(go(), thread('a')),
    );
    await expect(death).rejects.toThrow('killed');
    const turns: Turn[] = [[['send', { text: '{{tool0turn0}}' }]], 'done'];
    const shown = await inNewProcess(checkpointer, [read, send], turns, async (agent, seen) => {
      await agent.invoke(null as never, thread('a'));
      return answers(seen(0));
    });
    expect(read.runs).toHaveLength(1);
    expect(send.runs).toEqual([{ text: long }]);
    expect(shown[0]).toMatch(/^\[ref: tool0turn0\]\nfirst\n/);
    expect(shown[0]?.length).toBeLessThan(300);
  });

  it('leaves the numbering of turns where it was', async () => {
    const checkpointer = new MemorySaver();
    const read = counted('read', (_input, n) => `text ${n}`);
    const send = counted('send');
    const tools = [read, send];
    await inNewProcess(checkpointer, tools, [[['read', {}]], 'done'], (agent) => agent.invoke(go(), thread('a')));
    await inNewProcess(checkpointer, tools, [[['read', {}]], 'done'], (agent) => agent.invoke(go(), thread('a')));
    await inNewProcess(checkpointer, tools, [[['send', { text: '{{tool0turn0}}, {{tool0turn1}}' }]], 'done'], (agent) =>
      agent.invoke(go(), thread('a')),
    );
    expect(send.runs).toEqual([{ text: 'text 1, text 2' }]);
  });
});
