import { DEFAULT_MAX_FLUSH_ITERATIONS, runFlushLoop } from '@holdfast/flush-loop';
import { AIMessage, AIMessageChunk, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { answers, append, okTool, opening, plainTool, run, scriptedModel, toMessage } from './support/scripted.js';
import { transcriptFaults } from './support/transcript.js';

describe('a run from start to end', () => {
  it('asks, runs, answers and asks again until the model calls nothing', async () => {
    const model = scriptedModel([{ content: 'Saving.', tool_calls: [append({ text: 'x' }, 'a')] }, 'Saved.']);
    const written: unknown[] = [];
    const tool = plainTool('memory_append', async (args) => {
      written.push(args);
      return '{"ok":true,"path":"memory/a.md"}';
    });
    const initialMessages = opening();
    const result = await runFlushLoop({ model, tools: [tool], initialMessages });
    expect(result).toMatchObject({
      iterations: 2,
      appendsAttempted: 1,
      appendsSucceeded: 1,
      toolErrors: [],
      silentReply: false,
      hitIterationCap: false,
      finalText: 'Saved.',
      stopReason: 'completed',
      clippedResults: 0,
    });
    expect(result).not.toHaveProperty('error');
    expect(written).toEqual([{ text: 'x' }]);
    expect(result.messages.map((message) => message.getType())).toEqual(['system', 'human', 'ai', 'tool', 'ai']);
    expect(result.messages.slice(0, 2)).toEqual(initialMessages);
    expect(result.messages[3]).toBeInstanceOf(ToolMessage);
    expect(result.messages[3]).toMatchObject({ status: 'success', name: 'memory_append', tool_call_id: 'a' });
    expect(model.requests.map((request) => request.length)).toEqual([2, 4]);
  });

  it('keeps the very messages that it was given where they need no repair', async () => {
    const reply = toMessage({ tool_calls: [append({ text: 'x' }, 'a')] });
    const initialMessages = opening();
    const result = await runFlushLoop({ model: scriptedModel([reply, 'ok']), tools: [okTool()], initialMessages });
    expect(result.messages[0]).toBe(initialMessages[0]);
    expect(result.messages[2]).toBe(reply);
    expect(initialMessages).toHaveLength(2);
  });

  it('gives the model a list of its own on each call', async () => {
    const model = scriptedModel([{ tool_calls: [append({}, 'a')] }, 'ok']);
    const greedy = {
      invoke: async (messages: Parameters<typeof model.invoke>[0]) => {
        const reply = await model.invoke(messages);
        messages.length = 0;
        return reply;
      },
    };
    const result = await runFlushLoop({ model: greedy, tools: [okTool()], initialMessages: opening() });
    expect(result.messages).toHaveLength(5);
  });

  it('calls the model eight times by default', async () => {
    expect(DEFAULT_MAX_FLUSH_ITERATIONS).toBe(8);
    const model = scriptedModel([{ tool_calls: [append({}, 'a')] }]);
    const result = await runFlushLoop({ model, tools: [okTool()], initialMessages: opening() });
    expect(result).toMatchObject({ iterations: 8, hitIterationCap: true, stopReason: 'iteration_cap' });
    expect(model.requests).toHaveLength(8);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('shows each reply to the hook once, before its calls run', async () => {
    const events: unknown[] = [];
    const result = await run([{ content: 'a', tool_calls: [append({ t: 1 }, 'a')] }, 'done'], {
      tools: [plainTool('memory_append', async () => events.push('ran'))],
      onIteration: ({ i, ai, toolCalls }) => events.push({ i, ai, toolCalls }),
    });
    expect(events).toEqual([
      { i: 0, ai: result.messages[2], toolCalls: [append({ t: 1 }, 'a')] },
      'ran',
      { i: 1, ai: result.messages[4], toolCalls: [] },
    ]);
  });

  it('ends with what the hook throws', async () => {
    const onIteration = () => {
      throw new Error('hook');
    };
    await expect(run(['x'], { onIteration })).rejects.toThrow('hook');
  });

  it('ends with what an async hook rejects with, and runs no call beside it', async () => {
    const ran: string[] = [];
    const hook = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ran.push('hook');
      throw new Error('tracing is down');
    };
    const tools = [plainTool('memory_append', () => ran.push('tool'))];
    const failing = run([{ tool_calls: [append({}, 'a')] }, 'ok'], { onIteration: () => hook(), tools });
    await expect(failing).rejects.toThrow('tracing is down');
    expect(ran).toEqual(['hook']);
  });

  it('counts the appends of the tools that it is told', async () => {
    const calls = [append({}, 'a'), { name: 'note', args: {}, id: 'b' }, { name: 'note', args: {}, id: 'c' }];
    const note = plainTool('note', async ({ bad }) => ({ ok: !bad }));
    const result = await run([{ tool_calls: calls }, 'ok'], { tools: [okTool(), note], appendTools: ['note'] });
    expect(result).toMatchObject({ appendsAttempted: 2, appendsSucceeded: 2 });
  });

  it('runs the calls of one reply one after another', async () => {
    const log: string[] = [];
    const tool = plainTool('memory_append', async ({ t }) => {
      log.push(`start ${t}`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`end ${t}`);
      return '{"ok":true}';
    });
    await run([{ tool_calls: [append({ t: 1 }, 'a'), append({ t: 2 }, 'b')] }, 'ok'], { tools: [tool] });
    expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2']);
  });

  it('passes no config to model and tool when there is nothing to signal', async () => {
    const lengths: number[] = [];
    const tool = plainTool('memory_append', async (...received) => {
      lengths.push(received.filter((argument) => argument !== undefined).length);
      return '';
    });
    const model = scriptedModel([{ tool_calls: [append({}, 'a')] }, 'ok']);
    await runFlushLoop({ model, tools: [tool], initialMessages: opening() });
    expect(lengths).toEqual([1]);
    expect(model.options).toEqual([undefined, undefined]);
  });
});

describe('faults from the field', () => {
  it('a normal end on the last allowed call is not capped', async () => {
    const result = await run([{ tool_calls: [append({}, 'a')] }, 'done'], { maxIterations: 2 });
    expect(result).toMatchObject({ hitIterationCap: false, iterations: 2, stopReason: 'completed' });
  });

  it('a limit of 1 makes one call with tools and answers what it called', async () => {
    const result = await run([{ tool_calls: [append({}, 'a')] }], { maxIterations: 1 });
    expect(result).toMatchObject({ iterations: 1, appendsSucceeded: 1, hitIterationCap: true });
    expect(answers(result.messages)).toEqual([{ id: 'a', text: '{"ok":true}' }]);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.5, '3'])(
    'a limit of %s is refused before any call',
    async (limit) => {
      const model = scriptedModel(['x']);
      const params = { model, tools: [], initialMessages: [], maxIterations: limit as number };
      await expect(runFlushLoop(params)).rejects.toMatchObject({
        code: 'ERR_HOLDFAST_FLUSH_LOOP_OPTION',
        name: 'FlushLoopOptionError',
        option: 'maxIterations',
        value: limit,
      });
      expect(model.requests).toHaveLength(0);
    },
  );

  it.each(['memory_apend', 'toString', '__proto__', 'constructor'])(
    'the unknown name %s is answered and the loop goes on',
    async (name) => {
      const result = await run([{ tool_calls: [{ name, args: { t: 1 }, id: 'a' }] }, 'ok']);
      expect(result).toMatchObject({ iterations: 2, finalText: 'ok' });
      expect(result.toolErrors).toEqual([
        { iteration: 0, toolName: name, toolCallId: 'a', error: expect.stringContaining(name), args: { t: 1 } },
      ]);
      const [answer] = answers(result.messages);
      expect(JSON.parse(answer?.text ?? '')).toEqual({ ok: false, error: expect.stringContaining('memory_append') });
      expect(result.messages[3]).toMatchObject({ tool_call_id: 'a', status: 'error' });
    },
  );

  it.each([
    [new Error('disk full'), /^disk full$/],
    [new TypeError('disk full'), /^TypeError: disk full$/],
    ['plain', /^plain$/],
    [undefined, /undefined/],
    [null, /null/],
    [{ code: 7 }, /"code":7/],
    [Symbol('odd'), /odd/],
    [12n, /12/],
    [new Error(''), /no reason/],
  ])('a thrown %s reaches the model as readable JSON without a stack', async (thrown, expected) => {
    const tool = plainTool('memory_append', async () => {
      throw thrown;
    });
    const result = await run([{ tool_calls: [append({ t: 1 }, 'a')] }, 'ok'], { tools: [tool] });
    const [answer] = answers(result.messages);
    const content = JSON.parse(answer?.text ?? '') as { ok: boolean; error: string };
    expect(content.ok).toBe(false);
    expect(content.error).toMatch(expected);
    expect(content.error).not.toMatch(/\.ts:\d+/);
    expect(result.toolErrors).toEqual([
      { iteration: 0, toolName: 'memory_append', toolCallId: 'a', error: content.error, args: { t: 1 } },
    ]);
  });

  it('one call that throws does not keep the others from running', async () => {
    const tool = plainTool('memory_append', ({ t }) => {
      if (t === 2) throw new Error('at once');
      return '{"ok":true}';
    });
    const calls = [append({ t: 1 }, 'a'), append({ t: 2 }, 'b'), append({ t: 3 }, 'c')];
    const result = await run([{ tool_calls: calls }, 'ok'], { tools: [tool] });
    expect(answers(result.messages).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(result).toMatchObject({ appendsAttempted: 3, appendsSucceeded: 2 });
  });

  it('invalid calls are answered and recorded, and the loop goes on', async () => {
    const invalid = {
      name: 'memory_append',
      args: '{"t',
      id: 'a',
      error: 'Malformed args.',
      type: 'invalid_tool_call',
    };
    const result = await run([{ tool_calls: [], invalid_tool_calls: [invalid] }, 'ok']);
    expect(result).toMatchObject({ iterations: 2, appendsAttempted: 1, appendsSucceeded: 0 });
    expect(result.toolErrors).toEqual([
      { iteration: 0, toolName: 'memory_append', toolCallId: 'a', error: expect.stringContaining('{"t') },
    ]);
    expect(answers(result.messages)).toEqual([{ id: 'a', text: expect.stringContaining('not valid JSON') }]);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('calls that share an id, or have none, all run and are all answered', async () => {
    const ran: unknown[] = [];
    const tool = plainTool('memory_append', async ({ t }) => {
      ran.push(t);
      return '{"ok":true}';
    });
    const shared = await run([{ tool_calls: [append({ t: 1 }, 'x'), append({ t: 2 }, 'x')] }, 'ok'], { tools: [tool] });
    expect(shared).toMatchObject({ appendsAttempted: 2, appendsSucceeded: 2 });
    expect(answers(shared.messages).map(({ id }) => id)).toEqual(['x', 'x_2']);
    expect(transcriptFaults(shared.messages)).toEqual([]);
    const without = await run([{ tool_calls: [append({ t: 1 }), append({ t: 2 })] }, 'ok'], { tools: [tool] });
    expect(without).toMatchObject({ appendsAttempted: 2, appendsSucceeded: 2 });
    expect(transcriptFaults(without.messages)).toEqual([]);
    expect(ran).toEqual([1, 2, 1, 2]);
  });

  it('an id that comes back in a later reply, or stood in the history, is made unique', async () => {
    const history = [...opening(), toMessage({ tool_calls: [append({}, 'x')] }), new ToolMessage('ok', 'x')];
    const reply = { tool_calls: [append({}, 'x')] };
    const result = await run([reply, reply, 'ok'], { initialMessages: history });
    expect(answers(result.messages).map(({ id }) => id)).toEqual(['x', 'x_2', 'x_3']);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('a ghost call is answered as an error and runs nothing', async () => {
    let runs = 0;
    const tools = ['', 'memory_append'].map((name) => plainTool(name, async () => ++runs));
    const result = await run([{ tool_calls: [{ name: '', args: {}, id: '' }] }, 'ok'], { tools });
    expect(runs).toBe(0);
    expect(result).toMatchObject({
      iterations: 2,
      toolErrors: [{ toolName: '', error: expect.stringContaining('name') }],
    });
    expect(answers(result.messages)).toEqual([{ id: 'holdfast_call_1', text: expect.stringContaining('"ok":false') }]);
    expect(transcriptFaults(result.messages)).toEqual([]);
    expect((result.messages[2] as AIMessage).tool_calls?.[0]?.name).not.toBe('');
  });

  it('thinking before the token leaves the reply silent and stays out of the text', async () => {
    const content = [
      { type: 'thinking', thinking: 'Nothing new.' },
      { type: 'text', text: 'NO_REPLY' },
    ];
    const result = await run([{ content }]);
    expect(result).toMatchObject({ silentReply: true, finalText: 'NO_REPLY', stopReason: 'silent' });
  });

  it('text and then the token is not silent, and stays as it is', async () => {
    const result = await run(['Saved two notes.\n\nNO_REPLY']);
    expect(result).toMatchObject({
      silentReply: false,
      finalText: 'Saved two notes.\n\nNO_REPLY',
      stopReason: 'completed',
    });
  });

  it('blanks and line breaks of the last reply stay', async () => {
    expect((await run(['  Saved.\n\n'])).finalText).toBe('  Saved.\n\n');
  });

  it('a token beside tool calls does not end the loop', async () => {
    const result = await run([{ content: 'NO_REPLY', tool_calls: [append({}, 'a')] }, 'Saved.']);
    expect(result).toMatchObject({ iterations: 2, appendsSucceeded: 1, silentReply: false, finalText: 'Saved.' });
  });

  it('an empty last reply is the answer; earlier words are not', async () => {
    const result = await run([{ content: 'Let me save', tool_calls: [append({}, 'a')] }, { content: '' }]);
    expect(result).toMatchObject({ finalText: '', silentReply: false, iterations: 2, stopReason: 'completed' });
  });

  it('a call that fails again and again is counted to the end of the budget', async () => {
    const tool = plainTool('memory_append', async () => '{"ok":false,"error":"no"}');
    const result = await run([{ tool_calls: [append({ t: 1 }, 'a')] }], { tools: [tool] });
    expect(result).toMatchObject({ iterations: 8, appendsAttempted: 8, appendsSucceeded: 0, hitIterationCap: true });
    expect(result.toolErrors).toHaveLength(8);
    expect(result.toolErrors.map(({ iteration }) => iteration)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('a refused path and its correction keep count and reason', async () => {
    const tool = plainTool('memory_append', async ({ path }) =>
      path === 'x' ? { ok: false, error: 'path must be memory/…' } : { ok: true, path },
    );
    const script = [
      { tool_calls: [append({ path: 'x' }, 'a')] },
      { tool_calls: [append({ path: 'memory/n.md' }, 'b')] },
      'Saved.',
    ];
    const result = await run(script, { tools: [tool] });
    expect(result).toMatchObject({ iterations: 3, appendsAttempted: 2, appendsSucceeded: 1 });
    expect(result.toolErrors).toEqual([
      { iteration: 0, toolName: 'memory_append', toolCallId: 'a', error: 'path must be memory/…', args: { path: 'x' } },
    ]);
  });

  it('a model that throws ends the loop with the error, the counts and the transcript so far', async () => {
    const outage = new Error('503');
    const result = await run([{ content: 'Saving', tool_calls: [append({}, 'a')] }, outage]);
    expect(result).toMatchObject({
      stopReason: 'model_error',
      iterations: 2,
      appendsAttempted: 1,
      appendsSucceeded: 1,
    });
    expect(result.error).toBe(outage);
    expect(result.hitIterationCap).toBe(false);
    expect(result.messages).toHaveLength(4);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('a model that throws undefined still leaves an error field', async () => {
    const model = { invoke: () => Promise.reject(undefined) };
    const result = await runFlushLoop({ model, tools: [], initialMessages: [] });
    expect(result).toHaveProperty('error', undefined);
    expect(result).toMatchObject({ stopReason: 'model_error', iterations: 1, finalText: '' });
  });
});

describe('results of any shape', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  it.each([
    ['a string', 'plain', 'plain'],
    ['undefined', undefined, ''],
    ['null', null, 'null'],
    ['a number', 3.5, '3.5'],
    ['false', false, 'false'],
    ['an object', { ok: true, path: 'a' }, '{"ok":true,"path":"a"}'],
    ['a list', ['a', 'b'], '["a","b"]'],
    ['an empty list', [], '[]'],
    [
      'text blocks',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'ab',
    ],
    [
      'mixed blocks',
      [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'x' },
      ],
      '[{"type":"text","text":"a"},{"type":"image","data":"x"}]',
    ],
    ['a list with nothing in it', [null, undefined, 'a'], '[null,null,"a"]'],
    ['a big integer', { n: 10n }, '{"n":"10"}'],
    ['a map', new Map([['a', 1]]), '[["a",1]]'],
    ['a set', new Set([1]), '[1]'],
    ['a nested error', { problem: new Error('x') }, '{"problem":{"name":"Error","message":"x"}}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a tool message', new ToolMessage({ content: 'told', tool_call_id: 'other' }), 'told'],
    [
      'a tool message of blocks',
      new ToolMessage({ content: [{ type: 'text', text: 'told' }], tool_call_id: 'other' }),
      'told',
    ],
    ['an AI message', new AIMessage('told'), 'told'],
  ])('%s', async (_name, value, text) => {
    const result = await run([{ tool_calls: [append({}, 'a')] }, 'ok'], {
      tools: [plainTool('memory_append', () => value)],
    });
    expect(answers(result.messages)).toEqual([{ id: 'a', text }]);
    expect(result).toMatchObject({ appendsSucceeded: 1, toolErrors: [] });
  });

  it('a value that is not readable is told as finished, so that the model does not repeat it', async () => {
    const result = await run([{ tool_calls: [append({}, 'a')] }, 'ok'], {
      tools: [plainTool('memory_append', () => circular)],
    });
    expect(answers(result.messages)[0]?.text).toMatch(/^The tool finished; its result \(an object\) is not readable/);
    expect(result.toolErrors).toEqual([]);
  });

  it('a returned error, or a message with the status error, is a failure', async () => {
    const values = [new Error('full'), new ToolMessage({ content: 'full', tool_call_id: 'x', status: 'error' })];
    const tool = plainTool('memory_append', ({ n }) => values[n as number]);
    const calls = [append({ n: 0 }, 'a'), append({ n: 1 }, 'b')];
    const result = await run([{ tool_calls: calls }, 'ok'], { tools: [tool] });
    expect(result.appendsSucceeded).toBe(0);
    expect(result.toolErrors.map(({ error }) => error)).toEqual(['full', 'full']);
    expect(result.messages[4]).toMatchObject({ content: 'full', status: 'error', tool_call_id: 'b' });
  });

  it('the artifact of a tool message stays beside the answer', async () => {
    const value = new ToolMessage({ content: 'told', tool_call_id: 'x', artifact: { rows: [1] } });
    const result = await run([{ tool_calls: [append({}, 'a')] }, 'ok'], {
      tools: [plainTool('memory_append', () => value)],
    });
    expect(result.messages[3]).toMatchObject({ content: 'told', tool_call_id: 'a', artifact: { rows: [1] } });
  });
});

describe('replies that are repaired in a copy', () => {
  const repeated = () => [append({ t: 1 }, 'x'), append({ t: 2 }, 'x')];

  it('renames ids in content blocks and in the provider fields alike', async () => {
    const reply = toMessage({
      content: [
        { type: 'text', text: 'a' },
        { type: 'tool_use', id: 'x', name: 'memory_append', input: { t: 1 } },
        { type: 'tool_use', id: 'x', name: 'memory_append', input: { t: 2 } },
      ],
      tool_calls: repeated(),
      additional_kwargs: {
        tool_calls: [
          { id: 'x', function: {} },
          { id: 'x', function: {} },
        ],
        other: 1,
      },
    });
    const before = JSON.stringify(reply);
    const result = await run([reply, 'ok']);
    const copy = result.messages[2] as AIMessage;
    expect(JSON.stringify(reply)).toBe(before);
    expect(copy).toBeInstanceOf(AIMessage);
    expect(copy).not.toBe(reply);
    const ids = (list: unknown) => (list as { id?: string }[]).map(({ id }) => id);
    expect(ids(copy.tool_calls)).toEqual(['x', 'x_2']);
    expect(ids(copy.content)).toEqual([undefined, 'x', 'x_2']);
    expect(ids(copy.additional_kwargs.tool_calls)).toEqual(['x', 'x_2']);
    expect(copy.additional_kwargs['other']).toBe(1);
    const { kwargs } = copy.toJSON() as unknown as { kwargs: { tool_calls: unknown } };
    expect(ids(kwargs.tool_calls)).toEqual(['x', 'x_2']);
    // LangGraph writes a new id into lc_kwargs: the copy must not share them.
    expect(copy.lc_kwargs).not.toBe(reply.lc_kwargs);
    expect(ids(copy.lc_kwargs['tool_calls'])).toEqual(['x', 'x_2']);
  });

  it('turns an invalid call into a call without arguments everywhere a provider reads it', async () => {
    const result = await run([
      {
        content: [
          { type: 'tool_use', id: 'b', name: 'memory_append', input: '{"t' },
          { type: 'invalid_tool_call', id: 'c', name: 'memory_append', args: '{"u' },
        ],
        tool_calls: [append({ t: 1 }, 'a')],
        invalid_tool_calls: [
          { name: 'memory_append', args: '{"t', id: 'b' },
          { name: 'memory_append', args: '{"u', id: 'c' },
        ],
        additional_kwargs: { tool_calls: [{ id: 'b', function: { name: 'memory_append', arguments: '{"t' } }] },
      },
      'ok',
    ]);
    const copy = result.messages[2] as AIMessage;
    expect(copy.tool_calls?.map(({ id, args }) => ({ id, args }))).toEqual([
      { id: 'a', args: { t: 1 } },
      { id: 'b', args: {} },
      { id: 'c', args: {} },
    ]);
    expect(copy.invalid_tool_calls).toEqual([]);
    expect(copy.content).toEqual([
      { type: 'tool_use', id: 'b', name: 'memory_append', input: {} },
      { type: 'tool_call', id: 'c', name: 'memory_append', args: {} },
    ]);
    expect(copy.additional_kwargs.tool_calls).toEqual([
      { id: 'b', function: { name: 'memory_append', arguments: '{}' } },
    ]);
    expect(answers(result.messages).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('runs no streamed call that broke off, though LangChain completes its JSON', async () => {
    const pieces = [
      { id: 'a', index: 0, name: 'memory_append', args: '{"text":' },
      { index: 0, args: '"whole"}' },
      { id: 'b', index: 1, name: 'memory_append', args: '{"text":"Prefers te' },
      { id: 'c', index: 2, name: 'memory_append', args: ' ' },
      { id: 'd', index: 3, name: 'memory_append' },
    ];
    const ran: unknown[] = [];
    const tools = [plainTool('memory_append', (args) => `{"ok":${ran.push(args) > 0}}`)];
    const streamed = new AIMessageChunk({ content: '', tool_call_chunks: pieces });
    expect(streamed.tool_calls?.find(({ id }) => id === 'b')?.args).toEqual({ text: 'Prefers te' });
    const result = await run([streamed as unknown as AIMessage, 'ok'], { tools });
    expect(ran).toEqual([{ text: 'whole' }, {}, {}]);
    expect(result).toMatchObject({ appendsAttempted: 4, appendsSucceeded: 3 });
    expect(result.toolErrors).toEqual([
      { iteration: 0, toolName: 'memory_append', toolCallId: 'b', error: expect.stringContaining('"Prefers te') },
    ]);
    expect((result.messages[2] as AIMessage).tool_calls?.[1]).toMatchObject({ id: 'b', args: {} });
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('takes the text of a custom tool as it is', async () => {
    const piece = { id: 'a', index: 0, name: 'memory_append', args: 'not {json', isCustomTool: true };
    const call = { id: 'a', name: 'memory_append', args: { input: 'not {json' } };
    const reply = Object.assign(toMessage({ tool_calls: [call] }), { tool_call_chunks: [piece, null] });
    expect((await run([reply, 'ok'])).appendsSucceeded).toBe(1);
  });

  it('copies a streamed message whose calls are read from its chunks', async () => {
    const chunk = new AIMessageChunk({
      content: '',
      tool_call_chunks: [
        { id: 'x', index: 0, name: 'memory_append', args: '{"t":1}' },
        { id: 'x', index: 1, name: 'memory_append', args: '{"t":2}' },
        { id: 'y', index: 2, name: 'memory_append', args: 'nope' },
      ],
    });
    const model = { invoke: async (messages: unknown[]) => (messages.length === 2 ? chunk : new AIMessage('ok')) };
    const result = await runFlushLoop({ model, tools: [okTool()], initialMessages: opening() });
    const copy = result.messages[2] as AIMessageChunk;
    expect(copy).toBeInstanceOf(AIMessageChunk);
    expect(copy.tool_call_chunks?.map(({ id }) => id)).toEqual(['x', 'x_2', 'y']);
    expect(copy.tool_call_chunks?.[2]?.args).toBe('{}');
    expect(result).toMatchObject({ appendsAttempted: 3, appendsSucceeded: 2 });
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('refuses arguments that are no object and takes absent ones as none', async () => {
    const seen: unknown[] = [];
    const tool = plainTool('memory_append', (args) => {
      seen.push(args);
      return '{"ok":true}';
    });
    const odd = ['{"t":1}', [1], null, undefined].map((args, n) => ({ name: 'memory_append', args, id: `c${n}` }));
    const model = {
      invoke: async (messages: unknown[]) =>
        messages.length === 2 ? { content: '', tool_calls: odd } : { content: 'ok' },
    };
    const result = await runFlushLoop({ model: model as never, tools: [tool], initialMessages: opening() });
    expect(seen).toEqual([{}, {}]);
    expect(result.toolErrors.map(({ toolCallId }) => toolCallId)).toEqual(['c0', 'c1']);
    expect(result.finalText).toBe('ok');
  });
});
