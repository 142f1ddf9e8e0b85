import {
  FlushLoopOptionError,
  type FlushLoopParams,
  ModelReplyError,
  ModelTimeoutError,
  runFlushLoop,
} from '@holdfast/flush-loop';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answers, append, okTool, opening, plainTool, run, scriptedModel } from './support/scripted.js';
import { transcriptFaults } from './support/transcript.js';

const calling = (...ids: string[]) => ({ tool_calls: ids.map((id) => append({ id }, id)) });
const forever = () => new Promise<never>(() => {});

describe('onCap', () => {
  it('asks once more for words, on the model without tools', async () => {
    const model = scriptedModel([calling('a'), calling('b')]);
    const unboundModel = scriptedModel(['Two notes saved.']);
    const params = { model, unboundModel, tools: [okTool()], initialMessages: opening(), maxIterations: 2 };
    const result = await runFlushLoop({ ...params, onCap: 'final-answer' });
    expect(result).toMatchObject({
      iterations: 3,
      finalText: 'Two notes saved.',
      hitIterationCap: true,
      stopReason: 'iteration_cap',
    });
    expect(model.requests).toHaveLength(2);
    expect(unboundModel.requests[0]?.at(-1)).toBeInstanceOf(HumanMessage);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('answers calls of the final reply as not run', async () => {
    let runs = 0;
    const tools = [plainTool('memory_append', async () => `{"ok":true,"n":${++runs}}`)];
    const result = await run([calling('a'), { content: 'More!', ...calling('b', 'c') }], {
      tools,
      maxIterations: 1,
      onCap: 'final-answer',
    });
    expect(runs).toBe(1);
    expect(result).toMatchObject({ iterations: 2, appendsAttempted: 3, appendsSucceeded: 1, finalText: 'More!' });
    expect(result.toolErrors.map(({ iteration, toolCallId }) => [iteration, toolCallId])).toEqual([
      [1, 'b'],
      [1, 'c'],
    ]);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('is not used when the model ends by itself', async () => {
    const result = await run([calling('a'), 'done'], { maxIterations: 2, onCap: 'final-answer' });
    expect(result).toMatchObject({ iterations: 2, hitIterationCap: false, stopReason: 'completed' });
  });

  it('reports a model that fails at the final answer', async () => {
    const result = await run([calling('a'), new Error('503')], { maxIterations: 1, onCap: 'final-answer' });
    expect(result).toMatchObject({ stopReason: 'model_error', hitIterationCap: true, iterations: 2 });
    expect(transcriptFaults(result.messages)).toEqual([]);
  });
});

describe('signal', () => {
  it('calls nothing when it has fired before', async () => {
    const model = scriptedModel(['x']);
    const result = await runFlushLoop({ model, tools: [], initialMessages: opening(), signal: AbortSignal.abort() });
    expect(result).toMatchObject({ stopReason: 'aborted', iterations: 0, finalText: '', hitIterationCap: false });
    expect(model.requests).toHaveLength(0);
    expect(result.messages).toHaveLength(2);
  });

  it('does not wait for a model that does not come back, and tells it', async () => {
    const controller = new AbortController();
    let told: AbortSignal | undefined;
    const model = {
      invoke: (_messages: unknown, options: { signal: AbortSignal }) => {
        told = options.signal;
        queueMicrotask(() => controller.abort(new Error('enough')));
        return forever();
      },
    };
    const result = await runFlushLoop({ model, tools: [], initialMessages: opening(), signal: controller.signal });
    expect(result).toMatchObject({ stopReason: 'aborted', iterations: 1 });
    expect(result).not.toHaveProperty('error');
    expect(told?.aborted).toBe(true);
    expect(told?.reason).toEqual(new Error('enough'));
  });

  it('answers the running call as uncertain and the rest as not run', async () => {
    const controller = new AbortController();
    const started: unknown[] = [];
    const tool = plainTool('memory_append', ({ id }, config) => {
      started.push(id);
      if (id !== 'b') return '{"ok":true}';
      queueMicrotask(() => controller.abort());
      return new Promise((_, reject) => config?.signal?.addEventListener('abort', () => reject(new Error('late'))));
    });
    const result = await run([calling('a', 'b', 'c')], { tools: [tool], signal: controller.signal });
    expect(started).toEqual(['a', 'b']);
    expect(result).toMatchObject({ stopReason: 'aborted', iterations: 1, appendsAttempted: 3, appendsSucceeded: 1 });
    const texts = answers(result.messages).map(({ text }) => text);
    expect(texts[1]).toContain('may still have had its effect');
    expect(texts[2]).toContain('Not run');
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('is reported also when it fires in the last call of the last reply', async () => {
    const controller = new AbortController();
    const tool = plainTool('memory_append', async () => {
      await null;
      controller.abort();
      return '{"ok":true}';
    });
    const result = await run([calling('a')], {
      tools: [tool],
      signal: controller.signal,
      maxIterations: 1,
      onCap: 'final-answer',
    });
    expect(result).toMatchObject({ stopReason: 'aborted', hitIterationCap: false, iterations: 1 });
  });

  it('keeps no listener on a signal that outlives the run', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await run([calling('a', 'b'), 'ok'], { signal });
    expect(added).toHaveBeenCalledTimes(4);
    expect(removed).toHaveBeenCalledTimes(4);
  });
});

describe('time limits', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('a tool that never settles is answered as uncertain and the loop goes on', async () => {
    let told: AbortSignal | undefined;
    const tool = plainTool('memory_append', (_args, config) => {
      told = config?.signal;
      return forever();
    });
    const running = run([calling('a'), 'ok'], { tools: [tool], toolTimeoutMs: 500 });
    await vi.advanceTimersByTimeAsync(500);
    const result = await running;
    expect(result).toMatchObject({ stopReason: 'completed', iterations: 2, appendsSucceeded: 0 });
    expect(result.toolErrors[0]?.error).toMatch(/did not finish within 500 ms.*may still have had its effect/);
    expect(told?.aborted).toBe(true);
  });

  it('a model that never settles ends the loop', async () => {
    const running = runFlushLoop({
      model: { invoke: forever },
      tools: [],
      initialMessages: opening(),
      modelTimeoutMs: 900,
    });
    await vi.advanceTimersByTimeAsync(900);
    const result = await running;
    expect(result).toMatchObject({ stopReason: 'model_error', iterations: 1 });
    expect(result.error).toBeInstanceOf(ModelTimeoutError);
    expect(result.error).toMatchObject({ code: 'ERR_HOLDFAST_MODEL_TIMEOUT', timeoutMs: 900 });
  });

  it('leaves no timer behind when all settle in time', async () => {
    await run([calling('a'), 'ok'], { toolTimeoutMs: 500, modelTimeoutMs: 500 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops what comes late', async () => {
    const tool = plainTool('memory_append', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      throw new Error('late');
    });
    const running = run([calling('a'), 'ok'], { tools: [tool], toolTimeoutMs: 500 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await running).toolErrors).toHaveLength(1);
  });
});

describe('size limits', () => {
  it('cuts a long result, says so, and judges it whole', async () => {
    const long = JSON.stringify({ ok: false, text: 'x'.repeat(500), error: 'disk full' });
    const tool = plainTool('memory_append', () => long);
    const result = await run([calling('a'), 'ok'], { tools: [tool], maxToolResultChars: 100 });
    expect(answers(result.messages)[0]?.text).toBe(
      `${long.slice(0, 100)}\n[${long.length - 100} more characters left out]`,
    );
    expect(result).toMatchObject({ clippedResults: 1, appendsSucceeded: 0 });
    expect(result.toolErrors[0]?.error).toBe('disk full');
  });

  it('cuts at 100,000 characters by default, never inside a surrogate pair', async () => {
    const whole = 'x'.repeat(100_000);
    const tool = plainTool('memory_append', ({ id }) => (id === 'a' ? whole : `${whole.slice(1)}😀`));
    const result = await run([calling('a', 'b'), 'ok'], { tools: [tool] });
    const texts = answers(result.messages).map(({ text }) => text);
    expect(texts[0]).toBe(whole);
    expect(texts[1]).toBe(`${whole.slice(1)}\n[2 more characters left out]`);
    expect(result.clippedResults).toBe(1);
  });

  it('ends when the same call is made too often, after the other calls of the reply', async () => {
    const ran: unknown[] = [];
    const tool = plainTool('memory_append', (args) => {
      ran.push(args);
      return '{"ok":false,"error":"no"}';
    });
    const script = [
      { tool_calls: [append({ x: 1, y: { b: 1, a: 2 } }, 'a'), append({ x: 2 }, 'b')] },
      { tool_calls: [append({ y: { a: 2, b: 1 }, x: 1 }, 'c')] },
      { tool_calls: [append({ x: 1, y: { a: 2, b: 1 } }, 'd'), append({ x: 3 }, 'e')] },
      'never asked',
    ];
    const result = await run(script, { tools: [tool], maxIdenticalCalls: 2 });
    expect(result).toMatchObject({ stopReason: 'identical_calls', iterations: 3, hitIterationCap: false });
    expect(ran).toHaveLength(4);
    expect(result.toolErrors.find(({ toolCallId }) => toolCallId === 'd')?.error).toMatch(/^Not run/);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('refuses an append that would pass the limit, so that the model can write less', async () => {
    const written: unknown[] = [];
    const tool = plainTool('memory_append', ({ text }) => {
      written.push(text);
      return '{"ok":true}';
    });
    const text = (length: number) => 'x'.repeat(length - JSON.stringify({ text: '' }).length);
    const calls = [append({ text: text(60) }, 'a'), append({ text: text(41) }, 'b'), append({ text: text(40) }, 'c')];
    const result = await run([{ tool_calls: calls }, 'ok'], { tools: [tool], maxAppendedChars: 100 });
    expect(written).toEqual([text(60), text(40)]);
    expect(result.toolErrors).toMatchObject([{ toolCallId: 'b', error: expect.stringContaining('40 of 100') }]);
    expect(result).toMatchObject({ appendsAttempted: 3, appendsSucceeded: 2, stopReason: 'completed' });
  });

  it('gives the room of a refused append back, and keeps that of an uncertain one', async () => {
    const tool = plainTool('memory_append', ({ how }) => {
      if (how === 'throw') throw new Error('lost');
      return { ok: how !== 'refuse' };
    });
    const one = (how: string, id: string) => ({ tool_calls: [append({ how, pad: 'x'.repeat(40) }, id)] });
    const script = [one('refuse', 'a'), one('throw', 'b'), one('write', 'c'), 'ok'];
    const result = await run(script, { tools: [tool], maxAppendedChars: 100 });
    expect(result.toolErrors.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b', 'c']);
    expect(result.toolErrors[1]?.error).toBe('lost');
    expect(result.toolErrors[2]?.error).toMatch(/^Not run/);
  });

  it('does not measure tools that append nothing', async () => {
    const read = plainTool('memory_read', () => 'text');
    const call = { name: 'memory_read', args: { pad: 'x'.repeat(500) }, id: 'a' };
    const result = await run([{ tool_calls: [call] }, 'ok'], { tools: [read], maxAppendedChars: 10 });
    expect(result.toolErrors).toEqual([]);
  });
});

describe('options that cannot be', () => {
  const tool = okTool();
  const cases: [string, Record<string, unknown>][] = [
    ['model', { model: {} }],
    ['model', { model: null }],
    ['unboundModel', { unboundModel: {} }],
    ['tools', { tools: null }],
    ['tools', { tools: [{ name: 'x' }] }],
    ['tools', { tools: [tool, okTool()] }],
    ['initialMessages', { initialMessages: 'hello' }],
    ['onCap', { onCap: 'retry' }],
    ['signal', { signal: new AbortController() }],
    ['signal', { signal: null }],
    ['appendTools', { appendTools: 'memory_append' }],
    ['parallelTools', { parallelTools: 'memory_read' }],
    ['maxToolResultChars', { maxToolResultChars: 0 }],
    ['maxIdenticalCalls', { maxIdenticalCalls: 0.5 }],
    ['maxAppendedChars', { maxAppendedChars: -1 }],
    ['toolTimeoutMs', { toolTimeoutMs: 0 }],
    ['toolTimeoutMs', { toolTimeoutMs: 2 ** 31 }],
    ['modelTimeoutMs', { modelTimeoutMs: Number.NaN }],
  ];
  it.each(cases)('%s is refused before any call', async (option, wrong) => {
    const model = scriptedModel(['x']);
    const params = { model, tools: [tool], initialMessages: opening(), ...wrong } as unknown as FlushLoopParams;
    const refused = await runFlushLoop(params).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FlushLoopOptionError);
    expect(refused).toMatchObject({ option, message: expect.stringContaining(`${option} must be`) });
    expect(model.requests).toHaveLength(0);
  });
});

it('takes the longest delay that a timer can have', async () => {
  const longest = 2 ** 31 - 1;
  const result = await run(['ok'], { toolTimeoutMs: longest, modelTimeoutMs: longest });
  expect(result.stopReason).toBe('completed');
});

describe('replies that are no message', () => {
  it.each([
    undefined,
    null,
    'text',
    7,
    [],
    {},
    new Error('rate limit'),
    { choices: [{ message: { role: 'assistant', content: 'a raw body' } }] },
  ])('%s ends the loop as a model error', async (reply) => {
    const model = { invoke: async () => reply as unknown as AIMessage };
    const result = await runFlushLoop({ model, tools: [], initialMessages: [] });
    expect(result).toMatchObject({ stopReason: 'model_error', iterations: 1, messages: [] });
    expect(result.error).toBeInstanceOf(ModelReplyError);
    expect(result.error).toMatchObject({ code: 'ERR_HOLDFAST_MODEL_REPLY', reply });
  });
});

describe('messageClasses', () => {
  it('makes all messages with the classes of the host', async () => {
    class Note {
      readonly type = 'note';
      constructor(readonly fields: object) {}
    }
    const messageClasses = { ToolMessage: Note, HumanMessage: Note } as unknown as NonNullable<
      FlushLoopParams['messageClasses']
    >;
    const result = await run([calling('a'), 'ok'], { messageClasses, maxIterations: 1, onCap: 'final-answer' });
    expect(result.messages.filter((message) => (message as unknown) instanceof Note)).toEqual([
      { type: 'note', fields: { content: '{"ok":true}', tool_call_id: 'a', status: 'success', name: 'memory_append' } },
      { type: 'note', fields: { content: expect.any(String) } },
    ]);
    expect(result.messages.at(-1)).toBeInstanceOf(AIMessage);
  });
});

describe('parallelTools', () => {
  /** A tool whose calls end only when `width` of them run at a time. */
  function meeting(name: string, width: number) {
    let inside = 0;
    let release = () => {};
    const full = new Promise<void>((resolve) => {
      release = resolve;
    });
    return plainTool(name, async ({ id }) => {
      if (++inside === width) release();
      await full;
      return `read ${String(id)}`;
    });
  }
  const read = (id: string) => ({ name: 'memory_read', args: { id }, id });

  it('runs neighbouring calls of safe tools together and answers them in order', async () => {
    const result = await run([{ tool_calls: [read('a'), read('b'), read('c')] }, 'done'], {
      tools: [meeting('memory_read', 3)],
      parallelTools: ['memory_read'],
    });
    expect(answers(result.messages)).toEqual(['a', 'b', 'c'].map((id) => ({ id, text: `read ${id}` })));
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('runs all other calls alone, before and after the safe ones', async () => {
    const log: string[] = [];
    const logged = (name: string) =>
      plainTool(name, async ({ id }) => {
        log.push(`+${String(id)}`);
        await null;
        log.push(`-${String(id)}`);
        return 'ok';
      });
    await run(
      [{ tool_calls: [append({ id: 'a' }), read('b'), read('c'), append({ id: 'd' }), append({ id: 'e' })] }, 'done'],
      {
        tools: [logged('memory_append'), logged('memory_read')],
        parallelTools: ['memory_read'],
      },
    );
    expect(log).toEqual(['+a', '-a', '+b', '+c', '-b', '-c', '+d', '-d', '+e', '-e']);
  });

  it('runs at most eight at a time', async () => {
    let inside = 0;
    let most = 0;
    const tool = plainTool('memory_read', async () => {
      most = Math.max(most, ++inside);
      await null;
      inside -= 1;
      return 'ok';
    });
    const calls = Array.from({ length: 20 }, (_, index) => read(`call-${index}`));
    const result = await run([{ tool_calls: calls }, 'done'], { tools: [tool], parallelTools: ['memory_read'] });
    expect(most).toBe(8);
    expect(answers(result.messages)).toHaveLength(20);
  });

  it('must be a list', async () => {
    await expect(run(['x'], { parallelTools: 'memory_read' as never })).rejects.toMatchObject({
      option: 'parallelTools',
    });
  });
});
