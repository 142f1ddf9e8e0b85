import {
  createMemoryFlushMarkers,
  FLUSH_SYSTEM_PROMPT,
  type FlushMarkerStore,
  type MemoryFlushParams,
  runMemoryFlush,
} from '@holdfast/flush-loop';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { describe, expect, it, vi } from 'vitest';
import { append, okTool, plainTool, type Reply, scriptedModel } from './support/scripted.js';
import { transcriptFaults } from './support/transcript.js';

const history = [new HumanMessage('I only drink tea.')];
const calling = (...ids: string[]) => ({ tool_calls: ids.map((id) => append({ id }, id)) });
const failing = () => plainTool('memory_append', async () => '{"ok":false,"error":"disk full"}');
const mark = (store: FlushMarkerStore, leaseMs?: number) => ({
  store,
  conversationId: 'c',
  cycle: 0,
  ...(leaseMs && { leaseMs }),
});

function flush(replies: readonly Reply[], params: Partial<MemoryFlushParams> = {}) {
  return runMemoryFlush({ model: scriptedModel(replies), tools: [okTool()], history, ...params });
}

describe('runMemoryFlush', () => {
  it('asks with the history as data and reports what was written', async () => {
    const model = scriptedModel([calling('a', 'b'), 'NO_REPLY']);
    const outcome = await flush([], { model });
    expect(outcome).toMatchObject({ kind: 'flushed', result: { appendsSucceeded: 2, stopReason: 'silent' } });
    const [system, task] = model.requests[0] ?? [];
    expect(system).toBeInstanceOf(SystemMessage);
    expect(system?.content).toBe(FLUSH_SYSTEM_PROMPT);
    expect(task?.content).toContain('{"role":"user","text":"I only drink tea."}');
    expect(model.requests[0]).toHaveLength(2);
    if (outcome.kind === 'flushed') expect(transcriptFaults(outcome.result.messages)).toEqual([]);
  });

  it('takes prompts, rendering and message classes of the host', async () => {
    const model = scriptedModel(['NO_REPLY']);
    const made: string[] = [];
    class Note extends HumanMessage {
      constructor(fields: { content: string }) {
        super(fields);
        made.push(fields.content);
      }
    }
    await flush([], {
      model,
      systemPrompt: 'Note it.',
      taskPrompt: ({ text }) => `DATA ${text}`,
      render: { redact: (text) => text.replace('tea', '***') },
      messageClasses: { SystemMessage: Note, HumanMessage: Note, ToolMessage: Note as never },
    });
    expect(made).toEqual(['Note it.', 'DATA {"role":"user","text":"I only drink ***."}']);
  });

  it('binds the tools to a model that takes them', async () => {
    const bound: unknown[] = [];
    const inner = scriptedModel(['NO_REPLY']);
    const bindTools = (tools: unknown[]) => {
      bound.push(...tools);
      return inner;
    };
    const model = { ...inner, bindTools };
    const tools = [okTool()];
    await flush([], { model, tools });
    expect(bound).toEqual(tools);
  });

  it.each<[string, readonly Reply[], Partial<MemoryFlushParams>, string]>([
    ['nothing to save', ['NO_REPLY'], {}, 'flushed'],
    ['one of two notes written', [calling('a'), calling('b'), 'done'], { tools: [everySecond()] }, 'flushed'],
    ['the cap after a note', [calling('a')], { maxIterations: 2 }, 'flushed'],
    ['no note written', [calling('a'), 'done'], { tools: [failing()] }, 'None of 1 notes was written: disk full'],
    [
      'the cap before a note',
      [{ tool_calls: [{ name: 'memory_read', args: {}, id: 'a' }] }],
      { tools: [okTool(), okTool('memory_read')], maxIterations: 2 },
      'The limit of the loop was reached before the first note.',
    ],
    [
      'a model that repeats itself',
      [calling('a')],
      { maxIdenticalCalls: 1 },
      'The model made the same call again and again.',
    ],
    [
      'a model that never hits the name of a tool',
      [{ tool_calls: [{ name: 'functions.memory_append', args: {}, id: 'a' }] }, 'NO_REPLY'],
      {},
      'No note was written: There is no tool "functions.memory_append". The tools are: memory_append.',
    ],
    [
      'a look that fails, and nothing to save',
      [{ tool_calls: [{ name: 'memory_read', args: {}, id: 'a' }] }, 'NO_REPLY'],
      { tools: [okTool(), plainTool('memory_read', async () => '{"ok":false}')] },
      'flushed',
    ],
    ['a failing model', [calling('a'), new Error('503')], {}, '503'],
  ])('%s', async (_name, replies, params, expected) => {
    const outcome = await flush(replies, params);
    expect(outcome.kind === 'failed' ? outcome.reason : outcome.kind).toBe(expected);
  });

  it('reports an abort as failed', async () => {
    const controller = new AbortController();
    controller.abort();
    const outcome = await flush(['NO_REPLY'], { signal: controller.signal });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'The flush was stopped before its end.' });
  });
});

describe('with a mark', () => {
  it('flushes once in a cycle', async () => {
    const store = createMemoryFlushMarkers(() => 0);
    expect((await flush([calling('a'), 'NO_REPLY'], { mark: mark(store) })).kind).toBe('flushed');
    const model = scriptedModel(['never asked']);
    expect(await flush([], { model, mark: mark(store) })).toEqual({ kind: 'already-flushed' });
    expect(model.requests).toEqual([]);
    expect((await flush(['NO_REPLY'], { mark: { ...mark(store), cycle: 1 } })).kind).toBe('flushed');
  });

  it('tries a failed flush again, and gives up after three with the reason', async () => {
    const store = createMemoryFlushMarkers(() => 0);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect((await flush([new Error(`outage ${attempt}`)], { mark: mark(store) })).kind).toBe('failed');
    }
    expect(await flush(['NO_REPLY'], { mark: mark(store) })).toEqual({
      kind: 'given-up',
      attempts: 3,
      reason: 'outage 3',
    });
  });

  it('is kept out while another attempt runs', async () => {
    const store = createMemoryFlushMarkers(() => 0);
    const inside = plainTool('memory_append', async () => {
      expect(await flush(['NO_REPLY'], { mark: mark(store) })).toEqual({ kind: 'busy', remainingMs: 300_000 });
      return '{"ok":true}';
    });
    expect((await flush([calling('a'), 'NO_REPLY'], { tools: [inside], mark: mark(store) })).kind).toBe('flushed');
  });

  it('stops the loop when the lease ends, since another attempt may then run', async () => {
    const store = createMemoryFlushMarkers(() => 0);
    const model = { invoke: () => new Promise<never>(() => {}) };
    const outcome = await flush([], { model, mark: mark(store, 1) });
    expect(outcome).toMatchObject({ kind: 'failed', result: { stopReason: 'aborted' } });
  });

  it('heeds the signal of the host as well', async () => {
    const controller = new AbortController();
    const model = {
      invoke: () => {
        controller.abort();
        return new Promise<never>(() => {});
      },
    };
    const outcome = await flush([], {
      model,
      signal: controller.signal,
      mark: mark(createMemoryFlushMarkers(() => 0)),
    });
    expect(outcome).toMatchObject({ kind: 'failed', result: { stopReason: 'aborted' } });
  });

  it('records what the host itself throws, and throws it', async () => {
    const store = createMemoryFlushMarkers(() => 0);
    const onIteration = () => {
      throw new Error('host bug');
    };
    for (let attempt = 1; attempt <= 3; attempt++) {
      await expect(flush(['NO_REPLY'], { onIteration, mark: mark(store) })).rejects.toThrow('host bug');
    }
    expect(await flush([], { mark: mark(store) })).toMatchObject({ kind: 'given-up', reason: 'host bug' });
  });

  it('reports the run when the mark cannot be set', async () => {
    const store = createMemoryFlushMarkers(() => 0);
    const down = { ...store, done: () => Promise.reject(new Error('store down')) };
    const outcome = await flush([calling('a'), 'NO_REPLY'], { mark: mark(down) });
    expect(outcome).toMatchObject({
      kind: 'flushed',
      result: { appendsSucceeded: 1 },
      markError: { message: 'store down' },
    });
  });

  it('gives the error of the host, also with a store that throws at once', async () => {
    const failed = () => {
      throw new Error('store bug');
    };
    const store = { ...createMemoryFlushMarkers(() => 0), failed };
    const onIteration = () => {
      throw new Error('host bug');
    };
    await expect(flush(['NO_REPLY'], { onIteration, mark: mark(store) })).rejects.toThrow('host bug');
  });

  it('gives the error of a claim that failed, and runs nothing', async () => {
    const model = scriptedModel(['NO_REPLY']);
    const store = { ...createMemoryFlushMarkers(() => 0), claim: () => Promise.reject(new Error('store down')) };
    await expect(flush([], { model, mark: mark(store) })).rejects.toThrow('store down');
    expect(model.requests).toEqual([]);
  });

  it('spends no attempt on a signal that has fired before', async () => {
    const store = createMemoryFlushMarkers(() => 0);
    for (let time = 0; time < 5; time++) {
      const outcome = await flush(['NO_REPLY'], { signal: AbortSignal.abort(), mark: mark(store) });
      expect(outcome).toMatchObject({ kind: 'failed', result: { stopReason: 'aborted', iterations: 0 } });
    }
    expect(await store.claim({ conversationId: 'c', cycle: 0 }, 1)).toEqual({ kind: 'granted', attempt: 1 });
  });

  it('leaves no timer and no listener behind', async () => {
    vi.useFakeTimers();
    try {
      const { signal } = new AbortController();
      const added = vi.spyOn(signal, 'addEventListener');
      const removed = vi.spyOn(signal, 'removeEventListener');
      await flush([calling('a'), 'NO_REPLY'], { signal, mark: mark(createMemoryFlushMarkers(() => 0)) });
      expect(vi.getTimerCount()).toBe(0);
      expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    } finally {
      vi.useRealTimers();
    }
  });

  it('claims nothing for options that cannot be', async () => {
    let claims = 0;
    const claim = async () => {
      claims += 1;
      return { kind: 'done' } as const;
    };
    const store = { ...createMemoryFlushMarkers(() => 0), claim };
    const bad: Partial<MemoryFlushParams>[] = [
      { maxIterations: 0 },
      { history: 'text' as never },
      { render: { maxChars: -1 } },
      { taskPrompt: (() => 7) as never },
      { taskPrompt: 'Save it.' as never },
      { systemPrompt: 7 as never },
      { render: { redact: 'secret' as never } },
      { history: [undefined as never] },
      { mark: { ...mark(store), conversationId: '' } },
      { mark: { ...mark(store), cycle: -1 } },
      { mark: { ...mark(store), leaseMs: 0 } },
      { mark: { ...mark(store), leaseMs: 86_400_001 } },
      { mark: { ...mark(store), store: {} as never } },
      { mark: { ...mark(store), store: { ...store, done: undefined } as never } },
      { mark: { ...mark(store), store: { ...store, failed: undefined } as never } },
      { appendTools: ['save_note'] },
      { tools: [] },
    ];
    for (const params of bad) {
      await expect(flush([], { mark: mark(store), ...params })).rejects.toMatchObject({
        code: 'ERR_HOLDFAST_FLUSH_LOOP_OPTION',
      });
    }
    expect(claims).toBe(0);
  });
});

function everySecond() {
  let calls = 0;
  return plainTool('memory_append', async () => (calls++ % 2 === 0 ? '{"ok":false}' : '{"ok":true}'));
}
