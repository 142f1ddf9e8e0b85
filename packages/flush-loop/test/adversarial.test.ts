import { runFlushLoop } from '@holdfast/flush-loop';
import type { AIMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { answers, append, okTool, opening, plainTool, run, toMessage } from './support/scripted.js';
import { transcriptFaults } from './support/transcript.js';

/** Runs one call of a tool that does the given thing. */
async function callOnce(act: (args: Record<string, unknown>) => unknown, args: Record<string, unknown> = {}) {
  const result = await run([{ tool_calls: [append(args, 'a')] }, 'ok'], { tools: [plainTool('memory_append', act)] });
  expect(result.stopReason).toBe('completed');
  expect(transcriptFaults(result.messages)).toEqual([]);
  return { result, text: answers(result.messages)[0]?.text ?? '' };
}

function throwing(value: unknown) {
  return () => {
    throw value;
  };
}

describe('thrown values that fight back', () => {
  const trap = (): never => {
    throw new Error('trap');
  };
  const hostile: [string, unknown][] = [
    ['a throwing getter', Object.defineProperty({}, 'message', { get: trap, enumerable: true })],
    ['a throwing toString', { toString: trap, toJSON: trap }],
    ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: trap })],
    ['a proxy that throws at everything', new Proxy({}, { get: trap, getPrototypeOf: trap, ownKeys: trap })],
    ['an object without a prototype', Object.create(null)],
    [
      'a cycle',
      (() => {
        const all: unknown[] = [];
        all.push(all);
        return all;
      })(),
    ],
    ['an error without words', Object.assign(new Error(), { name: 7, message: undefined })],
    ['a function', trap],
  ];
  it.each(hostile)('%s', async (_name, value) => {
    const { result, text } = await callOnce(throwing(value));
    const content = JSON.parse(text) as { ok: boolean; error: string };
    expect(content.ok).toBe(false);
    expect(content.error.length).toBeGreaterThan(5);
    expect(result.toolErrors).toHaveLength(1);
  });

  it('a giant message is cut, and said to be', async () => {
    const { text } = await callOnce(throwing(new Error('x'.repeat(1_000_000))));
    expect(text.length).toBeLessThan(5_000);
    expect(text).toContain('996000 more characters');
  });

  it('a lone surrogate leaves valid JSON', async () => {
    const { text } = await callOnce(throwing('\ud83d'));
    expect(text).toBe('{"ok":false,"error":"\\ud83d"}');
  });

  it('a stack inside a message or a field is left out', async () => {
    const inner = new Error('inner');
    for (const value of [new Error(`outer\n${inner.stack}`), `${inner.stack}`, { stack: inner.stack, code: 1 }]) {
      const { text } = await callOnce(throwing(value));
      expect(text).not.toMatch(/adversarial\.test/);
      expect(text).toMatch(/inner|"code\\":1/);
    }
  });

  it('prose that begins like a stack line stays', async () => {
    const { text } = await callOnce(throwing('Meet:\n  at noon\n  at the bridge'));
    expect(JSON.parse(text)).toEqual({ ok: false, error: 'Meet:\n  at noon\n  at the bridge' });
  });
});

describe('results that fight back', () => {
  it.each([
    [
      'a throwing getter',
      {
        get x() {
          throw new Error('trap');
        },
      },
    ],
    [
      'a throwing toJSON',
      {
        toJSON() {
          throw new Error('trap');
        },
      },
    ],
  ])('%s counts as finished', async (_name, value) => {
    const { result, text } = await callOnce(() => value);
    expect(text).toMatch(/^The tool finished; .*trap/);
    expect(result.toolErrors).toEqual([]);
  });

  it('a promise of a promise is awaited', async () => {
    const { text } = await callOnce(async () => Promise.resolve('deep'));
    expect(text).toBe('deep');
  });

  it('a giant result is cut and still judged', async () => {
    const { result, text } = await callOnce(() => ({ ok: false, error: 'x'.repeat(3_000_000) }));
    expect(text.length).toBeLessThan(100_100);
    expect(result).toMatchObject({ clippedResults: 1, appendsSucceeded: 0 });
    expect(result.toolErrors[0]?.error.length).toBeLessThan(5_000);
  });

  it('a failure whose reason is nested too deeply is told by its text', async () => {
    const text = `{"ok":false,"error":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const { result } = await callOnce(() => text);
    expect(result).toMatchObject({ appendsAttempted: 1, appendsSucceeded: 0 });
    expect(result.toolErrors[0]?.error).toMatch(/^\{"ok":false,"error":\[\[/);
  });

  it('half a character in a result is replaced, and nothing else', async () => {
    const { text } = await callOnce(() => '\udc00a😀b\ud83d');
    expect(text).toBe('\ufffda😀b\ufffd');
    expect((await callOnce(() => ({ ok: true, note: '\ud83d' }))).text).toBe('{"ok":true,"note":"\\ud83d"}');
  });

  it('a result with __proto__ keys is only text', async () => {
    const { result, text } = await callOnce(() => '{"__proto__":{"ok":false}}');
    expect(text).toBe('{"__proto__":{"ok":false}}');
    expect(result.appendsSucceeded).toBe(1);
    expect(({} as { ok?: unknown }).ok).toBeUndefined();
  });
});

describe('arguments that fight back', () => {
  it('__proto__ reaches the tool as data', async () => {
    const args = JSON.parse('{"__proto__":{"admin":true},"list":[{"__proto__":1}]}') as Record<string, unknown>;
    let seen: Record<string, unknown> = {};
    await callOnce((received) => {
      seen = received;
    }, args);
    expect(JSON.stringify(seen)).toBe(JSON.stringify(args));
    expect(seen['admin']).toBeUndefined();
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype);
  });

  it('a tool that changes its arguments changes neither the transcript nor the record', async () => {
    const args = { text: 'x', nested: { list: [1] } };
    const { result } = await callOnce((received) => {
      received['text'] = 'changed';
      (received['nested'] as { list: number[] }).list.push(2);
      return { ok: false, error: 'no' };
    }, args);
    expect((result.messages[2] as AIMessage).tool_calls?.[0]?.args).toEqual({ text: 'x', nested: { list: [1] } });
    expect(result.toolErrors[0]?.args).toEqual({ text: 'x', nested: { list: [1] } });
  });

  it('deep and circular arguments are copied without a stack overflow', async () => {
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 50_000; depth++) deep = { deep };
    const circular: Record<string, unknown> = { deep };
    circular['self'] = circular;
    let seen: Record<string, unknown> = {};
    const model = {
      invoke: async (messages: unknown[]) =>
        ({ content: '', tool_calls: messages.length === 2 ? [append(circular, 'a')] : [] }) as unknown as AIMessage,
    };
    const tools = [
      plainTool('memory_append', (received) => {
        seen = received;
      }),
    ];
    const result = await runFlushLoop({
      model,
      tools,
      initialMessages: opening(),
      maxIdenticalCalls: 1,
      maxAppendedChars: 10,
    });
    expect(result.toolErrors[0]?.error).toMatch(/^Not run/);
    await runFlushLoop({ model, tools, initialMessages: opening() });
    expect(seen['self'] === seen).toBe(true);
    expect(seen === circular).toBe(false);
  });

  it('arguments whose getter throws are an error of the call', async () => {
    const args = {
      get text(): string {
        throw new Error('trap');
      },
    };
    const model = {
      invoke: async (messages: unknown[]) =>
        ({ content: null, tool_calls: messages.length === 2 ? [append(args, 'a')] : [] }) as unknown as AIMessage,
    };
    const result = await runFlushLoop({ model, tools: [okTool()], initialMessages: opening() });
    expect(result.toolErrors[0]?.error).toBe('trap');
  });
});

describe('names that fight back', () => {
  it('tools may be called like members of Object', async () => {
    const names = ['toString', '__proto__', 'constructor', 'hasOwnProperty'];
    const tools = names.map((name) => plainTool(name, () => `ran ${name}`));
    const tool_calls = names.map((name) => ({ name, args: {}, id: name }));
    const result = await run([{ tool_calls }, 'ok'], { tools });
    expect(answers(result.messages).map(({ text }) => text)).toEqual(names.map((name) => `ran ${name}`));
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('a name that providers refuse stands in the transcript as one that they take', async () => {
    const written = ['functions.memory_append', 'x'.repeat(65), 'mémoire 😀', '?', '', 'memory_read'];
    const tool_calls = written.map((name, n) => ({ name, args: {}, id: `c${n}` }));
    const invalid_tool_calls = [{ name: 'a b', args: '{', id: 'i' }];
    const result = await run([{ tool_calls, invalid_tool_calls }, 'ok']);
    const shown = [
      'functions_memory_append',
      'x'.repeat(64),
      'm_moire___',
      'unnamed_tool',
      'unnamed_tool',
      'memory_read',
    ];
    const copy = result.messages[2] as AIMessage;
    expect(copy.tool_calls?.map(({ name }) => name)).toEqual([...shown, 'a_b']);
    expect(result.messages.slice(3, 10).map(({ name }) => name)).toEqual([...shown, 'a_b']);
    expect(result.toolErrors.map(({ toolName }) => toolName)).toEqual([...written, 'a b']);
    expect(answers(result.messages)[0]?.text).toContain('functions.memory_append');
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('a refused name is replaced in content blocks, chunks and provider fields alike', async () => {
    const call = { name: 'a.b', args: {}, id: 'x' };
    const reply = toMessage({
      content: [{ type: 'tool_use', id: 'x', name: 'a.b', input: {} }],
      tool_calls: [call],
      additional_kwargs: { tool_calls: [{ id: 'x', function: { name: 'a.b', arguments: '{}' } }] },
    });
    const chunks = { tool_call_chunks: [{ id: 'x', name: 'a.b', args: '{}' }] };
    const result = await run([Object.assign(reply, chunks), 'ok']);
    expect(JSON.stringify(result.messages[2])).not.toContain('a.b');
    expect(result.messages[2]).toMatchObject({ tool_call_chunks: [{ id: 'x', name: 'a_b', args: '{}' }] });
  });

  it('the name of a tool of the host stays, whatever it is', async () => {
    const result = await run([{ tool_calls: [{ name: 'notes.add', args: {}, id: 'a' }] }, 'ok'], {
      tools: [plainTool('notes.add', () => 'ran')],
    });
    expect((result.messages[2] as AIMessage).tool_calls?.[0]?.name).toBe('notes.add');
    expect(result.messages[3]?.name).toBe('notes.add');
  });

  it('a giant unknown name is quoted only in part', async () => {
    const result = await run([{ tool_calls: [{ name: 'x'.repeat(1_000_000), args: {}, id: 'a' }] }, 'ok']);
    expect(answers(result.messages)[0]?.text.length).toBeLessThan(300);
  });

  it('of many tools only some are listed, and the rest counted', async () => {
    const tools = Array.from({ length: 25 }, (_, n) => plainTool(`t${n}`, () => ''));
    const result = await run([{ tool_calls: [{ name: 'none', args: {}, id: 'a' }] }, 'ok'], { tools });
    expect(answers(result.messages)[0]?.text).toMatch(/t0, .*t19 and 5 more\./);
  });

  it('a blank name runs nothing', async () => {
    const result = await run([{ tool_calls: [{ name: ' ', args: {}, id: 'a' }] }, 'ok'], {
      tools: [plainTool(' ', () => 'ran')],
    });
    expect(answers(result.messages)[0]?.text).toContain('"ok":false');
  });
});

describe('replies that fight back', () => {
  it('null content, null calls and lists that are none', async () => {
    const replies = [
      { content: null, tool_calls: [null, 'text', 7, undefined] },
      { content: undefined, tool_calls: 'none', invalid_tool_calls: {} },
    ];
    const model = { invoke: async () => replies.shift() as unknown as AIMessage };
    const result = await runFlushLoop({ model, tools: [okTool()], initialMessages: opening() });
    expect(result).toMatchObject({ iterations: 2, finalText: '', stopReason: 'completed' });
    expect(answers(result.messages.slice(3, 7)).map(({ id }) => id)).toHaveLength(4);
  });

  it('a reply that throws when it is read is a failure of the model, and keeps what was done before', async () => {
    const trap = throwing(new Error('trap'));
    const unreadable: object[] = [
      {
        content: '',
        get tool_calls() {
          return trap();
        },
      },
      {
        content: '',
        tool_calls: [
          append({}),
          {
            get name() {
              return trap();
            },
          },
        ],
      },
      {
        get content() {
          return trap();
        },
      },
      new Proxy({}, { has: trap }),
    ];
    for (const reply of unreadable) {
      const replies = [toMessage({ tool_calls: [append({}, 'a')] }), reply];
      const model = { invoke: async () => replies.shift() as AIMessage };
      const result = await runFlushLoop({ model, tools: [okTool()], initialMessages: opening() });
      expect(result).toMatchObject({
        stopReason: 'model_error',
        iterations: 2,
        appendsAttempted: 1,
        appendsSucceeded: 1,
      });
      expect(result.error).toEqual(new Error('trap'));
      expect(transcriptFaults(result.messages)).toEqual([]);
    }
  });

  it('a thousand calls in one message, all with one id', async () => {
    const ran: unknown[] = [];
    const tools = [
      plainTool('memory_append', ({ n }) => {
        ran.push(n);
        return '{"ok":true}';
      }),
    ];
    const tool_calls = Array.from({ length: 1_000 }, (_, n) => append({ n }, 'same'));
    const result = await run([{ tool_calls }, 'ok'], { tools });
    expect(ran).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(result).toMatchObject({ appendsAttempted: 1_000, appendsSucceeded: 1_000 });
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('made-up ids keep clear of those that the model writes later', async () => {
    const first = {
      tool_calls: [append({}), append({}, 'holdfast_call_1'), append({}, 'a'), append({}, 'a'), append({}, 'a_2')],
    };
    const result = await run([first, { tool_calls: [append({}, 'holdfast_call_1')] }, 'ok']);
    expect(answers(result.messages)).toHaveLength(6);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('a made-unique id stays under forty characters', async () => {
    const id = 'x'.repeat(40);
    const result = await run([{ tool_calls: [append({}, id), append({}, id), append({}, id)] }, 'ok']);
    expect(answers(result.messages).map((answer) => answer.id.length <= 40)).toEqual([true, true, true]);
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('a model that throws at once, without a promise', async () => {
    const model = { invoke: throwing(new Error('at once')) as never };
    const result = await runFlushLoop({ model, tools: [], initialMessages: opening() });
    expect(result).toMatchObject({ stopReason: 'model_error', iterations: 1, error: new Error('at once') });
  });
});
