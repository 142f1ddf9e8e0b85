import { currentEffect, type HoldfastOptions, type ReceiptOptions } from '@holdfast/langchain';
import { EffectDidNotHappenError, sha256Digest, toolCallArgsHash } from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  answers,
  type Call,
  calls,
  counted,
  createAgent,
  go,
  observed,
  scripted,
  type Turn,
  thread,
} from './support/harness.js';

/** A store whose clock stands still until it is moved. */
function storeAt(start = 0) {
  let now = start;
  return { store: createMemoryReceiptStore({ now: () => now }), advance: (ms: number) => (now += ms) };
}

type Store = ReceiptOptions['store'];

const receipts = (store: Store, options: Partial<ReceiptOptions> = {}): HoldfastOptions => ({
  receipts: { store, tenantId: 'acme', allowVolatile: true, ...options },
});

/** Claims a call as a worker that dies does. */
async function claimAndDie(store: Store, toolName: string, args: unknown, effect: 'opaque' | 'resumable' = 'opaque') {
  const argsHash = await toolCallArgsHash(args, sha256Digest);
  const claim = { effect, token: 'dead', leaseMs: 1_000, maxAttempts: 5 };
  await store.claim({ tenantId: 'acme', runId: 'a', toolName, argsHash }, claim);
}

const SEND: Call = ['send', { text: 'hello' }];

async function run(turns: readonly Turn[], options: HoldfastOptions, tools: readonly { tool: unknown }[]) {
  const { model, seen } = scripted(...turns);
  const watch = observed(options);
  const agent = createAgent({
    model,
    tools: tools.map((each) => each.tool) as never[],
    middleware: [watch.middleware],
  });
  const { messages } = await agent.invoke(go(), thread('a'));
  return { ...watch, seen, messages };
}

describe('a repeated run', () => {
  it('replays what has happened, artifact and status included', async () => {
    const { store } = storeAt();
    let runs = 0;
    const send = tool(async () => [`sent ${++runs}`, { id: runs }], {
      name: 'send',
      description: 'd',
      schema: z.object({ text: z.string() }),
      responseFormat: 'content_and_artifact',
    });
    const first = await run([[SEND], 'done'], receipts(store), [{ tool: send }]);
    const again = await run([[SEND], 'done'], receipts(store), [{ tool: send }]);
    expect(runs).toBe(1);
    expect([...first.kinds(), ...again.kinds()]).toEqual(['send:executed', 'send:replayed']);
    const [message] = again.messages.filter((each) => ToolMessage.isInstance(each));
    expect(message).toMatchObject({ content: 'sent 1', artifact: { id: 1 }, status: 'success', name: 'send' });
  });

  it('is known by its content: other arguments, another run and another tenant are other calls', async () => {
    const { store } = storeAt();
    const send = counted('send');
    await run([[SEND], 'done'], receipts(store), [send]);
    await run([[['send', { text: 'other' }]], 'done'], receipts(store), [send]);
    await run(
      [[SEND], 'done'],
      receipts(store, { tenantId: ({ configurable }) => `t-${configurable?.['thread_id']}` }),
      [send],
    );
    await run([[SEND], 'done'], { ...receipts(store), runId: () => 'b' }, [send]);
    await run([[SEND], 'done'], receipts(store), [send]);
    expect(send.runs).toHaveLength(4);
  });

  it('is known by its resolved arguments', async () => {
    const { store } = storeAt();
    let reading = 'one';
    const read = counted('read', () => reading);
    const send = counted('send');
    const options = (): HoldfastOptions => ({
      ...receipts(store, { effects: { read: 'none' } }),
      references: { registry: new ToolOutputReferenceRegistry() },
    });
    const turns: readonly Turn[] = [[['read', {}]], [['send', { text: '{{tool0turn0}}' }]], 'done'];
    await run(turns, options(), [read, send]);
    const replayed = await run(turns, options(), [read, send]);
    reading = 'two';
    await run(turns, options(), [read, send]);
    expect(replayed.kinds()).toEqual(['read:untracked', 'send:replayed']);
    expect(send.runs.map(({ text }) => text)).toEqual(['one', 'two']);
  });
});

describe('identical calls that are both meant', () => {
  it('run once each: in one reply, in later replies, and not again in a repeated run', async () => {
    const { store } = storeAt();
    const send = counted('send', (_input, n) => `sent ${n}`);
    const turns: readonly Turn[] = [[SEND, SEND], [SEND], 'done'];
    const first = await run(turns, receipts(store), [send]);
    const again = await run(turns, receipts(store), [send]);
    expect(send.runs).toHaveLength(3);
    expect(first.decisions.map(({ occurrence }) => occurrence)).toEqual([0, 1, 2]);
    expect(answers(again.messages)).toEqual(answers(first.messages));
  });

  it('are still counted when the messages of the earlier one are gone', async () => {
    const { store } = storeAt();
    const send = counted('send');
    const checkpointer = new MemorySaver();
    const { middleware, kinds } = observed(receipts(store));
    const agentOf = (...turns: readonly Turn[]) =>
      createAgent({ model: scripted(...turns).model, tools: [send.tool], middleware: [middleware], checkpointer });
    const { messages } = await agentOf([SEND], 'done').invoke(go(), thread('a'));
    await agentOf().graph.updateState(thread('a'), {
      messages: messages.map(({ id }) => new RemoveMessage({ id: id ?? '' })),
    });
    await agentOf([SEND], 'done').invoke(go('once more'), thread('a'));
    expect(kinds()).toEqual(['send:executed', 'send:executed']);
  });
});

describe('an interrupted attempt', () => {
  it('of an opaque effect is ambiguous: it does not run, and the model is told that repeating does not help', async () => {
    const { store, advance } = storeAt();
    const send = counted('send');
    await claimAndDie(store, 'send', { text: 'hello' });
    advance(2_000);
    const { kinds, messages, seen } = await run([[SEND], [SEND], 'done'], receipts(store), [send]);
    expect(send.runs).toEqual([]);
    expect(kinds()).toEqual(['send:ambiguous', 'send:ambiguous']);
    expect(answers(messages)[0]).toMatch(/Nobody knows whether it took effect/);
    expect(answers(seen(1))).toHaveLength(1);
  });

  it('of a resumable effect goes on, and skips the steps that have happened', async () => {
    const { store, advance } = storeAt();
    const outside: string[] = [];
    const plan = counted('plan', async (_input, n) => {
      await currentEffect()?.step('one', () => outside.push('one'));
      if (n === 1) throw new Error('crash');
      await currentEffect()?.step('two', () => outside.push('two'));
      return `attempt ${currentEffect()?.attempt}`;
    });
    const options = receipts(store, { effects: { plan: 'resumable' } });
    const { kinds, messages } = await run([[['plan', {}]], [['plan', {}]], 'done'], options, [plan]);
    advance(0);
    expect(outside).toEqual(['one', 'two']);
    expect(kinds()).toEqual(['plan:failed', 'plan:executed']);
    expect(answers(messages)).toEqual([expect.stringMatching(/^plan failed: crash\. .*goes on from/), 'attempt 2']);
  });

  it('resolves itself when the host can find out', async () => {
    const { store, advance } = storeAt();
    const send = counted('send');
    await claimAndDie(store, 'send', { text: 'hello' });
    advance(2_000);
    const asked: unknown[] = [];
    const options = receipts(store, {
      effects: {
        send: {
          effect: 'opaque',
          reconcile: async ({ args, idempotencyKey }) => {
            asked.push([args, typeof idempotencyKey]);
            return { kind: 'happened', result: { id: 7 } };
          },
        },
      },
    });
    const { kinds, messages } = await run([[SEND], 'done'], options, [send]);
    expect(asked).toEqual([[{ text: 'hello' }, 'string']]);
    expect(send.runs).toEqual([]);
    expect(kinds()).toEqual(['send:replayed']);
    expect(answers(messages)).toEqual(['{"id":7}']);
  });
});

describe('a tool that throws', () => {
  const throwing = (error: unknown) =>
    counted('send', () => {
      throw error;
    });

  it('leaves an opaque effect in doubt, and is not run again', async () => {
    const { store } = storeAt();
    const send = throwing(new Error('timeout'));
    const { kinds, messages } = await run([[SEND], [SEND], 'done'], receipts(store), [send]);
    expect(send.runs).toHaveLength(1);
    expect(kinds()).toEqual(['send:failed', 'send:ambiguous']);
    expect(answers(messages)[0]).toMatch(/^send failed: timeout\. Nobody knows/);
  });

  it('may say that nothing happened, and is run again', async () => {
    const { store } = storeAt();
    const send = throwing(new EffectDidNotHappenError('mailbox full'));
    const { kinds, messages } = await run([[SEND], [SEND], 'done'], receipts(store), [send]);
    expect(send.runs).toHaveLength(2);
    expect(kinds()).toEqual(['send:failed', 'send:failed']);
    expect(answers(messages)[0]).toBe('send failed and had no effect: mailbox full. It may be called again.');
  });

  it('is given up after its attempts', async () => {
    const { store } = storeAt();
    const send = throwing(new EffectDidNotHappenError('no'));
    const options = receipts(store, { maxAttempts: 1 });
    const { kinds, messages } = await run([[SEND], [SEND], 'done'], options, [send]);
    expect(kinds()).toEqual(['send:failed', 'send:exhausted']);
    expect(answers(messages)[1]).toMatch(/all 1 attempts/);
  });
});

describe('arguments', () => {
  it('that do not fit are refused before anything is claimed', async () => {
    const { store } = storeAt();
    const send = tool(async () => 'sent', { name: 'send', description: 'd', schema: z.object({ to: z.email() }) });
    const { kinds, messages } = await run([[['send', { to: 'nobody' }]], 'done'], receipts(store), [{ tool: send }]);
    expect(kinds()).toEqual(['send:refused']);
    expect(answers(messages)[0]).toMatch(/- to: /);
    expect((await store.list()).receipts).toEqual([]);
  });

  it('of a tool with a JSON Schema are checked as well', async () => {
    const { store } = storeAt();
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
    const add = tool(async () => 'added', { name: 'add', description: 'd', schema });
    const { kinds } = await run(
      [
        [
          ['add', { n: 'x' }],
          ['add', { n: 1 }],
        ],
        'done',
      ],
      receipts(store),
      [{ tool: add }],
    );
    expect(kinds().sort()).toEqual(['add:executed', 'add:refused']);
  });
});

describe('the graph’s own control flow', () => {
  it('lets an interrupt through, runs the tool once when it resumes, and keeps its finished sibling', async () => {
    const { store } = storeAt();
    const send = counted('send');
    const asked: string[] = [];
    const ask = counted('ask', async () => {
      const answer: string = interrupt({ question: 'sure?' });
      asked.push(answer);
      return `you said ${answer}`;
    });
    const { middleware, kinds } = observed(receipts(store));
    const { model } = scripted(calls(SEND, ['ask', {}]), 'done');
    const agent = createAgent({
      model,
      tools: [send.tool, ask.tool],
      middleware: [middleware],
      checkpointer: new MemorySaver(),
    });
    const paused = await agent.invoke(go(), thread('a'));
    expect(paused).toHaveProperty('__interrupt__');
    const { messages } = await agent.invoke(new Command({ resume: 'yes' }), thread('a'));
    expect(asked).toEqual(['yes']);
    expect(send.runs).toHaveLength(1);
    expect(answers(messages)).toEqual(['done', 'you said yes']);
    expect(kinds()).toEqual(['send:executed', 'ask:executed']);
  });

  it('does not count answered interrupts as failed attempts', async () => {
    const { store } = storeAt();
    const ask = counted('ask', () => [1, 2, 3, 4, 5, 6, 7].map((n) => interrupt(n)).join());
    const { middleware, kinds } = observed(receipts(store, { maxAttempts: 2 }));
    const { model } = scripted([['ask', {}]], 'done');
    const agent = createAgent({ model, tools: [ask.tool], middleware: [middleware], checkpointer: new MemorySaver() });
    await agent.invoke(go(), thread('a'));
    for (let n = 1; n <= 7; n += 1) await agent.invoke(new Command({ resume: `a${n}` }), thread('a'));
    expect(kinds()).toEqual(['ask:executed']);
  });

  it('lets an interrupt through where there is no receipt', async () => {
    const ask = counted('ask', () => `you said ${interrupt('sure?')}`);
    const { middleware } = observed({});
    const { model } = scripted([['ask', {}]], 'done');
    const agent = createAgent({ model, tools: [ask.tool], middleware: [middleware], checkpointer: new MemorySaver() });
    expect(await agent.invoke(go(), thread('a'))).toHaveProperty('__interrupt__');
    const { messages } = await agent.invoke(new Command({ resume: 'yes' }), thread('a'));
    expect(answers(messages)).toEqual(['you said yes']);
  });

  it.each([{}, receipts(storeAt().store)])(
    'ends a cancelled run instead of answering for its tool',
    async (options) => {
      const controller = new AbortController();
      const send = counted('send', () => {
        controller.abort(new Error('cancelled'));
        throw new Error('stopped half-way');
      });
      const { model } = scripted([SEND], 'done');
      const agent = createAgent({ model, tools: [send.tool], middleware: [observed(options).middleware] });
      await expect(agent.invoke(go(), { ...thread('a'), signal: controller.signal })).rejects.toThrow();
      expect(model.callCount).toBe(1);
    },
  );

  it('passes a command on once, and does not repeat its effect', async () => {
    const { store } = storeAt();
    let runs = 0;
    const route = tool(
      async (_input, config) => {
        runs += 1;
        const message = new ToolMessage({ content: 'routed', tool_call_id: config.toolCall?.id ?? '' });
        return new Command({ update: { messages: [message] } });
      },
      { name: 'route', description: 'd', schema: z.object({}) },
    );
    const turns: readonly Turn[] = [[['route', {}]], 'done'];
    const twice = await run([[['route', {}]], [['route', {}]], 'done'], { ...receipts(store), runId: () => 'b' }, [
      { tool: route },
    ]);
    expect(twice.kinds()).toEqual(['route:executed', 'route:executed']);
    runs = 0;
    const first = await run(turns, receipts(store), [{ tool: route }]);
    const again = await run(turns, receipts(store), [{ tool: route }]);
    expect(runs).toBe(1);
    expect(answers(first.messages)).toEqual(['routed']);
    expect(again.kinds()).toEqual(['route:gone']);
    expect(answers(again.messages)[0]).toMatch(/already been done/);
  });
});

describe('two workers on one call', () => {
  it('wait for each other: the second gets the first one’s result, and says that it waits', async () => {
    const store = createMemoryReceiptStore();
    let release: (value: string) => void = () => undefined;
    const gate = new Promise<string>((resolve) => (release = resolve));
    const send = counted('send', () => gate);
    const first = run([[SEND], 'done'], receipts(store), [send]);
    const watch = observed(receipts(store));
    const waiting = new Promise<void>((resolve) => {
      const push = watch.decisions.push.bind(watch.decisions);
      watch.decisions.push = (...list) => {
        if (list[0]?.decision === 'waiting') resolve();
        return push(...list);
      };
    });
    while (send.runs.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const agent = createAgent({
      model: scripted([SEND], 'done').model,
      tools: [send.tool],
      middleware: [watch.middleware],
    });
    const second = agent.invoke(go(), thread('a'));
    await waiting;
    release('sent');
    await first;
    expect(answers((await second).messages)).toEqual(['sent']);
    expect(send.runs).toHaveLength(1);
    expect(watch.kinds()).toEqual(['send:waiting', 'send:replayed']);
  });
});

describe('what a tool may ask', () => {
  it('is the same key on every attempt, and nothing where there is no receipt', async () => {
    const { store } = storeAt();
    const keys: unknown[] = [];
    const send = counted('send', (_input, n) => {
      keys.push(currentEffect()?.idempotencyKey);
      if (n === 1) throw new EffectDidNotHappenError('again');
      return 'sent';
    });
    const read = counted('read', () => {
      keys.push(currentEffect());
      return 'text';
    });
    await run([[SEND], [SEND], [['read', {}]], 'done'], receipts(store, { effects: { read: 'none' } }), [send, read]);
    expect(keys).toEqual([expect.any(String), keys[0], undefined]);
    expect(currentEffect()).toBeUndefined();
  });
});
