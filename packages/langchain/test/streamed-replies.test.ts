import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { describe, expect, it } from 'vitest';
import { type CallDelta, type StreamedReply, serveChat } from './support/chat-server.js';
import { answers, counted, createAgent, go, observed, thread } from './support/harness.js';

/** Runs an agent on the real client, streaming, against the scripted provider. */
async function run(replies: readonly StreamedReply[]) {
  const server = await serveChat([...replies, { content: 'done', finishReason: 'stop' }]);
  try {
    const send = counted('send', (_input, n) => `sent ${n}`);
    const model = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration: { baseURL: server.url }, maxRetries: 0 });
    const { middleware } = observed({});
    const agent = createAgent({ model, tools: [send.tool], middleware: [middleware] });
    let messages: BaseMessage[] = [];
    const stream = await agent.stream(go(), { ...thread('a'), streamMode: ['messages', 'values'] });
    for await (const [mode, value] of stream) if (mode === 'values') messages = value.messages;
    const ids = messages.flatMap((each) =>
      AIMessage.isInstance(each) ? (each.tool_calls ?? []).map(({ id }) => id) : [],
    );
    return { send, messages, ids, requests: server.requests };
  } finally {
    await server.close();
  }
}

/** The pieces of one call: a start, then its text in two halves. */
function pieces(text: string, start: CallDelta, rest: CallDelta): CallDelta[] {
  const half = Math.ceil(text.length / 2);
  return [
    { ...start, function: { name: 'send', arguments: '' } },
    { ...rest, function: { arguments: text.slice(0, half) } },
    { ...rest, function: { arguments: text.slice(half) } },
  ];
}

const toolCalls = (...deltas: readonly CallDelta[]): StreamedReply => ({ deltas, finishReason: 'tool_calls' });

describe('a provider’s stream', () => {
  it('that is in order runs its calls', async () => {
    const { send, ids } = await run([toolCalls(...pieces('{"text":"ß漢😀"}', { index: 0, id: 'a' }, { index: 0 }))]);
    expect(send.runs).toEqual([{ text: 'ß漢😀' }]);
    expect(ids).toEqual(['a']);
  });

  it('without ids runs every call once, and gives each an id', async () => {
    const { send, ids, messages } = await run([
      toolCalls(
        ...pieces('{"text":"1"}', { index: 0 }, { index: 0 }),
        ...pieces('{"text":"2"}', { index: 1, id: '' }, { index: 1, id: '' }),
      ),
    ]);
    expect(send.runs.map(({ text }) => text)).toEqual(['1', '2']);
    expect(ids).toEqual(['call_1', 'call_2']);
    expect(answers(messages)).toEqual(['sent 1', 'sent 2']);
  });

  it('with one id for all calls of a reply and of the run runs every call once', async () => {
    const pair = toolCalls(
      ...pieces('{"text":"1"}', { index: 0, id: 'x' }, { index: 0 }),
      ...pieces('{"text":"2"}', { index: 1, id: 'x' }, { index: 1 }),
    );
    const { send, ids } = await run([pair, pair]);
    expect(send.runs.map(({ text }) => text)).toEqual(['1', '2', '1', '2']);
    expect(ids).toEqual(['x', 'x_1', 'x_2', 'x_3']);
  });

  it('with one id for all replies loses none of them', async () => {
    const reply = (text: string) => ({
      ...toolCalls(...pieces(text, { index: 0, id: text }, { index: 0 })),
      id: 'same',
    });
    const { ids, messages } = await run([
      reply('{"text":"1"}'),
      reply('{"text":"2"}'),
      { content: 'so', finishReason: 'stop', id: 'same' },
    ]);
    expect(ids).toEqual(['{"text":"1"}', '{"text":"2"}']);
    expect(messages.map((each) => each.getType())).toEqual(['human', 'ai', 'tool', 'ai', 'tool', 'ai']);
  });

  it('that is cut off runs nothing and is asked for again', async () => {
    const cut = { deltas: pieces('{"text":"half a ', { index: 0, id: 'a' }, { index: 0 }), finishReason: 'length' };
    const { send, requests, messages } = await run([
      cut,
      toolCalls(...pieces('{"text":"whole"}', { index: 0, id: 'b' }, { index: 0 })),
    ]);
    expect(send.runs).toEqual([{ text: 'whole' }]);
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(String(requests[1]?.messages[2]?.content)).toMatch(/cut off after 16 characters inside the field "text"/);
    expect(messages).toHaveLength(4);
  });
});
