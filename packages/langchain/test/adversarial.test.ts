import {
  HoldfastOptionError,
  type HoldfastOptions,
  holdfastMiddleware,
  type ReceiptOptions,
} from '@holdfast/langchain';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { ToolMessage } from '@langchain/core/messages';
import { tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readLedger } from '../src/internal/ledger.js';
import { readCallRecord } from '../src/internal/metadata.js';
import { answers, calls, counted, createAgent, go, observed, scripted, type Turn, thread } from './support/harness.js';

const receipts = (options: Partial<ReceiptOptions> = {}): HoldfastOptions => ({
  receipts: { store: createMemoryReceiptStore(), tenantId: 't', allowVolatile: true, ...options },
});

async function run(turns: readonly Turn[], options: HoldfastOptions, tools: readonly { tool: unknown }[]) {
  const { model } = scripted(...turns);
  const watch = observed(options);
  const agent = createAgent({
    model,
    tools: tools.map((each) => each.tool) as never[],
    middleware: [watch.middleware],
  });
  const { messages } = await agent.invoke(go(), thread('a'));
  return { ...watch, messages };
}

const SEND: Turn = [['send', {}]];

describe('what tools throw and return', () => {
  it('may be anything, and becomes a bounded answer without a stack', async () => {
    const thrown: unknown[] = [
      'plain',
      undefined,
      { code: 7 },
      new Error('x'.repeat(50_000)),
      {
        toString() {
          throw new Error('no');
        },
      },
    ];
    const send = counted('send', (_input, n) => {
      throw thrown[n - 1];
    });
    const { messages } = await run([...thrown.map(() => SEND), 'done'], {}, [send]);
    const texts = answers(messages);
    expect(texts[0]).toBe('send failed: plain');
    expect(texts[1]).toBe('send failed: undefined');
    expect(texts[3]?.length).toBeLessThan(2_100);
    expect(texts[4]).toBe('send failed: an error without a message');
    expect(texts.join()).not.toMatch(/\n\s+at /);
  });

  it('may be an error that the tool reports itself: it is a result, and the next call is another one', async () => {
    const send = tool(
      async (_input, config) =>
        new ToolMessage({
          content: 'no such box',
          status: 'error',
          tool_call_id: config.toolCall?.id ?? '',
          name: 'send',
        }),
      { name: 'send', description: 'd', schema: z.object({}) },
    );
    const { kinds, messages } = await run([SEND, SEND, 'done'], receipts(), [{ tool: send }]);
    expect(kinds()).toEqual(['send:executed', 'send:executed']);
    expect(messages.filter((each) => ToolMessage.isInstance(each)).map(({ status }) => status)).toEqual([
      'error',
      'error',
    ]);
  });

  it('may be too large to keep, or no plain JSON: the effect is not repeated, and the loss is said', async () => {
    const options = receipts({ maxResultChars: 1_000 });
    const large = counted('send', () => 'x'.repeat(5_000));
    const odd = tool(async () => ['made', new Map([[1, 2]])], {
      name: 'odd',
      description: 'd',
      schema: z.object({}),
      responseFormat: 'content_and_artifact',
    });
    const turns: Turn[] = [
      [
        ['send', {}],
        ['odd', {}],
      ],
      'done',
    ];
    await run(turns, options, [large, { tool: odd }]);
    const { kinds, messages } = await run(turns, options, [large, { tool: odd }]);
    expect(large.runs).toHaveLength(1);
    expect(kinds().sort()).toEqual(['odd:replayed', 'send:gone']);
    const [gone, made] = messages.filter((each) => ToolMessage.isInstance(each));
    expect(gone?.content).toMatch(/already been done/);
    expect(made).toMatchObject({ content: 'made', artifact: undefined });
  });
});

describe('what models write', () => {
  it('may be arguments that nothing can identify: they are refused, and nothing runs', async () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 1_100; level += 1) deep = [deep];
    const send = counted('send');
    const { kinds, messages } = await run([[['send', { deep }]], 'done'], receipts(), [send]);
    expect(send.runs).toEqual([]);
    expect(kinds()).toEqual(['send:refused']);
    expect(answers(messages)[0]).toMatch(/cannot be recorded/);
  });

  it('may be names that objects have: they are tools that nobody has', async () => {
    const send = counted('send');
    const names = ['__proto__', 'constructor', 'toString'];
    const options = receipts({ effects: { send: 'none' } });
    const { messages, kinds } = await run([names.map((name) => [name, {}] as const), 'done'], options, [send]);
    for (const text of answers(messages)) expect(text).toMatch(/is not a valid tool/);
    expect(kinds().sort()).toEqual(names.map((name) => `${name}:refused`).sort());
  });

  it('may be a field `__proto__`, which LangGraph turns into a prototype: such a call is refused', async () => {
    const args = JSON.parse('{"text":"hi","__proto__":{"polluted":true}}') as Record<string, unknown>;
    const send = counted('send');
    const { kinds } = await run([calls(['send', args]), 'done'], receipts(), [send]);
    expect(kinds()).toEqual(['send:refused']);
    expect(send.runs).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('a store that fails', () => {
  const broken = (verb: 'claim' | 'complete') => {
    const store = createMemoryReceiptStore();
    const fails = async () => {
      throw new Error('connection lost');
    };
    return receipts({ store: Object.assign(store, { [verb]: fails }), maxResends: 0 });
  };

  it('at the claim stops the run, and nothing is executed', async () => {
    const send = counted('send');
    await expect(run([SEND, 'done'], broken('claim'), [send])).rejects.toThrow(/did not answer claim/);
    expect(send.runs).toEqual([]);
  });

  it('after the effect gives the model its result, and says that it is not recorded', async () => {
    const send = counted('send', () => 'sent');
    const { kinds, messages } = await run([SEND, 'done'], broken('complete'), [send]);
    expect(kinds()).toEqual(['send:unrecorded']);
    expect(answers(messages)).toEqual(['sent']);
  });
});

describe('a history from outside', () => {
  it('with records of another form is read as if it had none', () => {
    const forged = {
      run: 7,
      ref: ['tool0turn0'],
      output: null,
      attempt: -1,
      settled: { toolName: 't', argsHash: 'h', occurrence: 1.5 },
      activated: ['ok', 7],
    };
    const message = (holdfast: unknown) =>
      new ToolMessage({ content: '', tool_call_id: 'x', response_metadata: { holdfast } });
    expect(readCallRecord(message(forged))).toEqual({ activated: ['ok'] });
    for (const none of ['text', null, [], undefined]) expect(readCallRecord(message(none))).toEqual({});
    for (const none of [undefined, {}, { _holdfast: { turn: '1', settled: {}, activated: [] } }, { _holdfast: 1 }]) {
      expect(readLedger(none)).toBeUndefined();
    }
  });
});

describe('options that cannot be meant', () => {
  const registry = new ToolOutputReferenceRegistry();
  const base = { store: createMemoryReceiptStore(), tenantId: 't' };
  const cases: [string, unknown][] = [
    ['references.previewLimit', { references: { registry, previewLimit: 10 } }],
    ['references.unresolved', { references: { registry, unresolved: 'ignore' } }],
    ['replies.maxRetries', { replies: { maxRetries: -1 } }],
    ['receipts.defaultEffect', { receipts: { ...base, defaultEffect: 'maybe' } }],
    ['receipts.effects["send"]', { receipts: { ...base, effects: { send: 'once' } } }],
    ['receipts.effects["send"]', { receipts: { ...base, effects: { send: {} } } }],
    ['receipts.tenantId', { receipts: { ...base, tenantId: undefined } }],
  ];

  it.each(cases)('%s is refused when the middleware is made', (option, options) => {
    expect(() => holdfastMiddleware(options as HoldfastOptions)).toThrow(HoldfastOptionError);
    expect(() => holdfastMiddleware(options as HoldfastOptions)).toThrow(option);
  });
});

it('a turn takes three steps of LangGraph’s limit', async () => {
  const turns = (count: number) => Array.from({ length: count }, (): Turn => [['read', {}]]);
  const outcomes: boolean[] = [];
  for (const count of [3, 4]) {
    const { model } = scripted(...turns(count), 'done');
    const agent = createAgent({ model, tools: [counted('read').tool], middleware: [observed({}).middleware] });
    const run = agent.invoke(go(), { ...thread('a'), recursionLimit: 12 });
    outcomes.push(await run.then(() => true).catch((error: Error) => error.name !== 'GraphRecursionError'));
  }
  expect(outcomes).toEqual([true, false]);
});
