import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { type FinishedCall, followToolCalls } from '@holdfast/stream-buffer/follow';
import { langChainReader } from '@holdfast/stream-buffer/langchain';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cores, modelsOf, type Script, type ScriptedChunk, type Wrapping } from './support/langchain-models.js';

/** A reply with calls that stream one after the other, in pieces with equal neighbours. */
function replyOf(...calls: readonly (readonly [id: string, text: string])[]): ScriptedChunk[] {
  const chunks = calls.flatMap(([id, text], index): ScriptedChunk[] => [
    { calls: [{ id, index, name: 'note', args: '' }] },
    ...['{"text":"', ...(text.match(/.{1,2}/gsu) ?? []), '"}'].map((args) => ({ calls: [{ index, args }] })),
  ]);
  return [{ content: 'I note it.' }, ...chunks, { reason: 'tool_calls' }];
}

const END_OF_WORK: ScriptedChunk[] = [{ content: 'Done.' }, { reason: 'stop' }];

/** What `onFieldDelta` joined, and the calls that are over. */
async function follow(stream: AsyncIterable<unknown>) {
  const buffer = new StreamingToolCallBuffer();
  const texts: Record<string, string> = {};
  buffer.onFieldDelta('text', ({ kind, toolCallId, text }) => {
    texts[toolCallId] = (kind === 'reset' ? '(reset)' : (texts[toolCallId] ?? '')) + text;
  });
  const follower = followToolCalls(buffer, langChainReader());
  const finished: FinishedCall[] = [];
  for await (const chunk of stream) finished.push(...follower.push(chunk));
  const open = follower.end();
  return { texts, finished: finished.map(brief), open: open.map(brief) };
}

const brief = ({ id, name, verdict }: FinishedCall) => [id, name, 'parsed' in verdict ? verdict.parsed : verdict.kind];

describe.each(['0.3.80', '1.4.0'] as const)('a model on core %s', (version) => {
  const { scripted, wrapping: wrap } = modelsOf(cores[version]);
  const script: Script = [replyOf(['a', '========'], ['b', '谢谢谢谢 \\n\\n'])];
  const expected = {
    texts: { a: '========', b: '谢谢谢谢 \n\n' },
    finished: [
      ['a', 'note', { text: '========' }],
      ['b', 'note', { text: '谢谢谢谢 \n\n' }],
    ],
    open: [],
  };

  it('is followed by stream', async () => {
    expect(await follow(await scripted(script).stream('go'))).toEqual(expected);
  });

  it('is followed by streamEvents', async () => {
    expect(await follow(scripted(script).streamEvents('go', { version: 'v2' }))).toEqual(expected);
  });

  it('is followed by streamEvents behind withConfig', async () => {
    const model = scripted(script).withConfig({ tags: ['x'] });
    expect(await follow(model.streamEvents('go', { version: 'v2' }))).toEqual(expected);
  });

  it.each<Wrapping>(['same-chunks', 'copied-chunks', 'whole-at-the-end'])(
    'is told once when another model wraps it: %s',
    async (wrapping) => {
      const model = wrap(script, wrapping);
      expect(await follow(model.streamEvents('go', { version: 'v2' }))).toEqual(expected);
      const twice = wrap(script, wrapping);
      const events: string[] = [];
      for await (const { event } of twice.streamEvents('go', { version: 'v2' })) events.push(event);
      // The stream does say it more than once; otherwise the test shows nothing.
      expect(events.filter((event) => event === 'on_chat_model_end')).toHaveLength(2);
      expect(events.filter((event) => event === 'on_chat_model_stream').length).toBeGreaterThan(script[0]?.length ?? 0);
    },
  );

  it('is judged by what came, not by what LangChain made of it', async () => {
    const cut: Script = [[{ calls: [{ id: 'a', index: 0, name: 'note', args: '{"text":"ab' }] }, { reason: 'length' }]];
    for (const stream of [await scripted(cut).stream('go'), scripted(cut).streamEvents('go', { version: 'v2' })]) {
      expect(await follow(stream)).toEqual({ texts: { a: 'ab' }, finished: [['a', 'note', 'truncated']], open: [] });
    }
  });

  it('is judged when its stream throws', async () => {
    const model = scripted([
      [{ calls: [{ id: 'a', index: 0, name: 'note', args: '{"text":"ab' }] }, { content: 'more' }],
    ]);
    const buffer = new StreamingToolCallBuffer();
    const follower = followToolCalls(buffer, langChainReader());
    for await (const chunk of await model.stream('go')) {
      expect(follower.push(chunk)).toEqual([]);
      break;
    }
    expect(follower.end().map(brief)).toEqual([['a', 'note', 'truncated']]);
    expect(follower.end()).toEqual([]);
  });
});

describe('a chunk that comes more than once', () => {
  const chunks = ['', '{"text":"', '==', '==', '"}'].map((args, at) => ({
    id: 'run-1',
    tool_call_chunks: [{ index: 0, ...(at === 0 && { id: 'a', name: 'note' }), args }],
  }));
  const expected = { texts: { a: '====' }, open: [['a', 'note', { text: '====' }]], finished: [] };

  async function* streamOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
    yield* items;
  }

  it('is known by itself, whichever run says it first', async () => {
    const events = chunks.flatMap((chunk, at) => {
      const event = (run_id: string) => ({ event: 'on_chat_model_stream', run_id, data: { chunk } });
      return at % 2 === 0 ? [event('inner'), event('outer')] : [event('outer'), event('inner')];
    });
    expect(await follow(streamOf(events))).toEqual(expected);
  });

  it('is known by itself where no run is named', async () => {
    expect(
      await follow(
        streamOf(
          chunks.flatMap((chunk) => [
            [chunk, {}],
            [chunk, {}],
          ]),
        ),
      ),
    ).toEqual(expected);
  });
});

describe('a graph', () => {
  const { scripted, wrapping: wrap } = modelsOf(cores['1.4.0']);
  const note = tool(() => 'noted', { name: 'note', description: 'Notes.', schema: z.object({ text: z.string() }) });
  const input = { messages: [new HumanMessage('go')] };
  const script = (): Script => [replyOf(['call_0', '===='], ['call_1', 'b']), replyOf(['call_0', '====']), END_OF_WORK];
  const expected = {
    texts: { call_0: '====(next)====', call_1: 'b' },
    finished: [
      ['call_0', 'note', { text: '====' }],
      ['call_1', 'note', { text: 'b' }],
      ['call_0', 'note', { text: '====' }],
    ],
    open: [],
  };
  const followed = { ...expected, texts: { call_0: '========', call_1: 'b' } };

  it('is followed over its turns, also with ids that come again: createAgent', async () => {
    const agent = () => createAgent({ model: scripted(script()), tools: [note] });
    expect(await follow(agent().streamEvents(input, { version: 'v2' }))).toEqual(followed);
    expect(await follow(await agent().stream(input, { streamMode: 'messages' }))).toEqual(followed);
    const mixed = await agent().stream(input, { streamMode: ['updates', 'messages', 'values'] });
    expect(await follow(mixed)).toEqual(followed);
  });

  it('is followed when its model wraps another', async () => {
    for (const wrapping of ['same-chunks', 'copied-chunks', 'whole-at-the-end'] as const) {
      const agent = () => createAgent({ model: wrap(script(), wrapping), tools: [note] });
      expect(await follow(agent().streamEvents(input, { version: 'v2' }))).toEqual(followed);
      if (wrapping === 'whole-at-the-end') continue;
      expect(await follow(await agent().stream(input, { streamMode: 'messages' }))).toEqual(followed);
    }
  });

  it('tells a reply again that a wrapping model says later under another id, where no run is named', async () => {
    const agent = createAgent({ model: wrap([replyOf(['a', 'x']), END_OF_WORK], 'whole-at-the-end'), tools: [note] });
    const { finished } = await follow(await agent.stream(input, { streamMode: 'messages' }));
    expect(finished).toEqual([1, 2].map(() => ['a', 'note', { text: 'x' }]));
  });

  it('keeps the calls of subgraphs that stream side by side apart', async () => {
    const part = (id: string) =>
      new StateGraph(MessagesAnnotation)
        .addNode('ask', async ({ messages }, config) => {
          const reply = await scripted([replyOf([`${id}1`, `${id}=====`], [`${id}2`, id])]).invoke(messages, config);
          return { messages: [reply] };
        })
        .addEdge(START, 'ask')
        .addEdge('ask', END)
        .compile();
    const graph = () =>
      new StateGraph(MessagesAnnotation)
        .addNode('left', part('l'))
        .addNode('right', part('r'))
        .addEdge(START, 'left')
        .addEdge(START, 'right')
        .addEdge('left', END)
        .addEdge('right', END)
        .compile();
    const texts = { l1: 'l=====', l2: 'l', r1: 'r=====', r2: 'r' };
    const streams = [
      graph().streamEvents(input, { version: 'v2' }),
      await graph().stream(input, { streamMode: 'messages', subgraphs: true }),
      await graph().stream(input, { streamMode: ['messages', 'updates'], subgraphs: true }),
    ];
    for (const stream of streams) {
      const { finished, ...rest } = await follow(stream);
      expect(rest).toEqual({ texts, open: [] });
      expect(finished.sort()).toEqual(Object.entries(texts).map(([id, text]) => [id, 'note', { text }]));
    }
  });
});
